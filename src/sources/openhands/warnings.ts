import type { ImportWarning } from '../../core/imported.js'

interface WarningRule {
  readonly code: string
  readonly title: string
  readonly reason: string
}

/** What may be wrong with stored conversations. The code is stable; the message names what was found. */
export const WARNINGS = [
  {
    code: 'torn_end',
    title: 'the last event is cut off',
    reason: 'The process was stopped while it wrote. What the event would have said is not known.',
  },
  {
    code: 'unreadable_event',
    title: 'an event cannot be read',
    reason: 'It is skipped. If it was an answer, its action counts as one without.',
  },
  {
    code: 'not_an_event',
    title: 'a value is no event of OpenHands',
    reason: 'It is skipped; a file may hold other lines beside events.',
  },
  {
    code: 'missing_event',
    title: 'a number is missing between the event files',
    reason:
      'Files were lost or left out of the copy: actions in them are not listed, answers in them not known.',
  },
  {
    code: 'same_number',
    title: 'two event files have one number',
    reason: 'Two processes wrote to the conversation. Both events are read.',
  },
  {
    code: 'orphan_answer',
    title: 'an answer without its action',
    reason: 'No operation is made of it: what was asked for is not known.',
  },
  {
    code: 'repeated_event',
    title: 'an action stands there twice',
    reason: 'The second one is skipped.',
  },
  {
    code: 'times_without_zone',
    title: 'the times name no zone',
    reason:
      'OpenHands writes local times without a zone. They are read as UTC, so all may be off by some hours.',
  },
  {
    code: 'times_disagree',
    title: 'an answer is older than its action',
    reason: 'The clock was set, or two machines wrote. The end of that attempt is left out.',
  },
  {
    code: 'values_not_kept',
    title: 'more is open than can be held',
    reason:
      'The inputs of further actions without a last answer, and what was answered so far, are left out; their outcome is not.',
  },
  {
    code: 'state_unreadable',
    title: 'base_state.json cannot be read',
    reason: 'The events are read without it; the status of the conversation is what the events say.',
  },
] as const satisfies readonly WarningRule[]

export type WarningCode = (typeof WARNINGS)[number]['code']

export type Warned = ImportWarning & { readonly code: WarningCode }

export function warned(code: WarningCode, message: string, where: string | null): Warned {
  return { record: 'warning', code, message, where }
}
