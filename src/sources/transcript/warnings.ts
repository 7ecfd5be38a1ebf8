import type { ImportWarning } from '../../core/imported.js'

/** What may be wrong with message logs. The code is stable. */
export const WARNINGS = [
  { code: 'not_json', title: 'a line or entry is no JSON', reason: 'It is skipped; its place is named.' },
  {
    code: 'torn_end',
    title: 'the last line is cut off',
    reason: 'The writer was stopped inside it. If it held a result, its call counts as one without.',
  },
  {
    code: 'not_a_message',
    title: 'values that are no messages',
    reason: 'They are skipped and counted: logs hold settings, summaries and costs beside messages.',
  },
  {
    code: 'streaming_deltas',
    title: 'pieces of streamed answers',
    reason: 'They are not put together: calls that stand only in them are missing here.',
  },
  {
    code: 'orphan_result',
    title: 'a result without its call',
    reason: 'No operation is made of it: what was asked for is not known.',
  },
  { code: 'repeated_message', title: 'a message stands there twice', reason: 'The second one is skipped.' },
  {
    code: 'values_not_kept',
    title: 'more is open than can be held',
    reason: 'The inputs of further calls without a result are left out; their outcome is not.',
  },
] as const

export type WarningCode = (typeof WARNINGS)[number]['code']

export function warned(code: WarningCode, message: string, where: string | null): ImportWarning {
  return { record: 'warning', code, message, where }
}
