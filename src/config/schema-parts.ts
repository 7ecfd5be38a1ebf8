import * as z from 'zod'
import { parseDuration } from '../core/duration.js'

// What the schema of the file is made of. Each message says what is wanted, because the file is corrected from it.

const DURATION_PATTERN = '^\\s*(?:\\d+(?:\\.\\d+)?(?:ms|[wdhms])\\s*)+$'

/** A duration as text, read to milliseconds. */
export function duration(describes: string, least = 0) {
  const wanted = 'a duration such as 90s, 10m, 2h, 3d or 1h30m is wanted'
  return z
    .string(wanted)
    .meta({ description: describes, pattern: DURATION_PATTERN, examples: ['90s', '10m', '2h'] })
    .transform((text, context) => {
      const durationMs = parseDuration(text)
      if (durationMs !== undefined && durationMs >= least) return durationMs
      const message = durationMs === undefined ? wanted : `it is too short: at least ${least} ms`
      context.issues.push({ code: 'custom', message, input: text })
      return z.NEVER
    })
}

/** A text that says something. */
export function text(describes: string) {
  return z.string('a text is wanted').trim().min(1, 'it is empty').meta({ description: describes })
}

/** Several of them. */
export function list(describes: string) {
  return z
    .array(z.string('a text is wanted').trim().min(1, 'it is empty'), 'a list of texts is wanted')
    .meta({ description: describes })
}

/** An object whose keys are all known. */
export function group<T extends z.ZodRawShape>(shape: T, describes: string) {
  return z
    .strictObject(shape, {
      error: issue => (issue.code === 'invalid_type' ? 'a group of keys is wanted' : undefined),
    })
    .meta({ description: describes })
}

/** Keys of the person's own choosing, each with a value of one kind. */
export function named<T extends z.ZodType>(kind: T, describes: string) {
  const error: z.core.$ZodErrorMap = ({ code }) =>
    code === 'invalid_key' ? 'a name is empty' : 'a group of names is wanted'
  return z.record(z.string().min(1), kind, { error }).meta({ description: describes })
}

/** A whole number from 1 on. */
export function count(describes: string, most: number) {
  return z
    .int('a whole number is wanted')
    .min(1, 'at least 1 is wanted')
    .max(most, `at most ${most} is possible`)
    .meta({ description: describes })
}
