import type { JsonValue } from '../json.js'

/**
 * What changes by itself from one answer to the next and says nothing new: clocks, durations, ids of requests. A loop
 * whose answers differ only by them is a loop; whatever else differs resets the count.
 */
interface Volatile {
  readonly id: string
  readonly title: string
  readonly pattern: RegExp
}

export const VOLATILE_TEXTS: readonly Volatile[] = [
  {
    id: 'timestamp',
    title: 'a date with a time of day, ISO-8601 or as mail and web servers write it',
    pattern:
      /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z| ?[+-]\d\d:?\d\d)?|(?:mon|tue|wed|thu|fri|sat|sun),? \d{1,2} \w{3} \d{4} \d\d:\d\d:\d\d(?: gmt| utc| [+-]\d{4})?/gi,
  },
  { id: 'time_of_day', title: 'a time of day with seconds', pattern: /\b\d{1,2}:\d\d:\d\d(?:[.,]\d+)?\b/g },
  { id: 'epoch', title: 'milliseconds since 1970', pattern: /\b1[5-9]\d{11}\b/g },
  {
    id: 'duration',
    title: 'a duration with its unit',
    // Small letters alone: of a download, `15M of 200M` is how far it got.
    pattern:
      /\b\d+(?:[.,]\d+)?\s?(?:ns|[µu]s|ms|msecs?|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?)\b(?:\s?ago\b)?/g,
  },
  {
    id: 'request_id',
    title: 'the id of a request, trace or span',
    pattern: /\b(?:request|trace|correlation|span)[-_ ]?id["']?\s?[:= ]\s?["']?[\w-]+|\breq_[\w-]+/gi,
  },
]

/** Members of a result by name: their values are left out, whatever they hold. */
const VOLATILE_NAMES = [
  /^(?:timestamp|time|ts|now|pid|nonce|(?:x[-_])?(?:request|trace|span|correlation)[-_]?id)$/i,
  /^(?:elapsed|duration|latency|uptime|took|age)(?:[-_A-Z]\w*)?$/,
  /(?:_at|[a-z]At|[-_]timestamp)$/,
]

/** Members of an input that tell what an agent thinks, not what it does; and ids made anew for each call. */
const THOUGHTS =
  /^(?:thoughts?|thinking|reasoning|reasoning_content|rationale|explanation|task_progress|security_risk|(?:x[-_])?(?:request|trace|span|correlation)[-_]?id|tool_call_id|nonce|timestamp)$/i

/** A result as it is compared: without what changes by itself. */
export function steadyResult(value: JsonValue): JsonValue {
  if (typeof value === 'string') return steadyText(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(steadyResult)
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      VOLATILE_NAMES.some(known => known.test(name)) ? null : steadyResult(one),
    ]),
  )
}

/** An input as it is compared. Times in it are meant: another day is another question. */
export function steadyInput(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([name]) => !THOUGHTS.test(name)))
}

function steadyText(text: string): string {
  return VOLATILE_TEXTS.reduce((rest, { id, pattern }) => rest.replaceAll(pattern, `<${id}>`), text)
}
