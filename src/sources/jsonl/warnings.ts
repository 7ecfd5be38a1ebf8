import type { ImportWarning } from '../../core/imported.js'

/** What may be wrong with lines. The code is stable. */
export const WARNINGS = [
  {
    code: 'not_json',
    title: 'a line is no JSON object',
    reason: 'It is skipped; its number is named.',
  },
  {
    code: 'torn_end',
    title: 'the last line is cut off',
    reason: 'The writer was stopped inside it. What it would have said is not known.',
  },
  {
    code: 'not_a_record',
    title: 'a line tells of no operation, phase or task',
    reason: 'It has no id with a status, and no `record` field. It is skipped.',
  },
  {
    code: 'unfit_record',
    title: 'a record of our own shape lacks a field, or one has a wrong value',
    reason: 'It is skipped as a whole; the field is named.',
  },
  {
    code: 'repeated_record',
    title: 'an operation of our own shape stands there twice',
    reason: 'The first one counts, the second is skipped.',
  },
  {
    code: 'unknown_field',
    title: 'a field means nothing here',
    reason: 'It is left out, and counted once for all lines that have it.',
  },
  {
    code: 'unknown_status',
    title: 'a word for a status is not listed',
    reason: 'The operation counts as unknown.',
  },
  {
    code: 'times_without_zone',
    title: 'the times name no zone',
    reason: 'They are read as UTC, so they may be off by some hours.',
  },
  {
    code: 'unreadable_time',
    title: 'a time cannot be read',
    reason: 'It is left out, and counted once for all lines that have it.',
  },
] as const

export type WarningCode = (typeof WARNINGS)[number]['code']

export function warned(code: WarningCode, message: string, where: string | null): ImportWarning {
  return { record: 'warning', code, message, where }
}
