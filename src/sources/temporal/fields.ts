import type { JsonObject, JsonValue } from '../../core/json.js'

// A proto message as JSON comes in camel case (the rule), in snake case (`preserving_proto_field_name`), with defaults
// written out ("0", "", null) or left out. All readers here take each for the other.

/** A field by its name in camel case, in either spelling; undefined where it is absent or null. */
export function field(of: JsonValue | undefined, name: string): JsonValue | undefined {
  if (!isFields(of)) return undefined
  const own = Object.hasOwn(of, name) ? of[name] : undefined
  const value = own ?? (Object.hasOwn(of, snake(name)) ? of[snake(name)] : undefined)
  return value ?? undefined
}

export function isFields(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function fieldsOf(of: JsonValue | undefined, name: string): JsonObject | null {
  const value = field(of, name)
  return isFields(value) ? value : null
}

export function listOf(of: JsonValue | undefined, name: string): readonly JsonValue[] {
  const value = field(of, name)
  return Array.isArray(value) ? value : []
}

/** A text that says something, well-formed; null for an empty one. */
export function textOf(of: JsonValue | undefined, name: string): string | null {
  const value = field(of, name)
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value.toWellFormed() : null
}

export function isTrue(of: JsonValue | undefined, name: string): boolean {
  return field(of, name) === true
}

/** A whole number, written as a number or as text (int64); null for 0, which is how an absent one is written. */
export function countOf(of: JsonValue | undefined, name: string): number | null {
  const value = field(of, name)
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : null
}

/** RFC 3339 or a Timestamp message → milliseconds; null also for the zero times of Go and of protobuf. */
export function timeOf(of: JsonValue | undefined, name: string): number | null {
  const value = field(of, name)
  const at = typeof value === 'string' ? Date.parse(value) : (seconds(value) ?? Number.NaN) * 1000
  return Number.isFinite(at) && at > 0 && at <= 8.64e15 ? Math.floor(at) : null
}

/** `"10s"`, `"0.5s"` or a Duration message → milliseconds; null for none and for 0, which means no limit. */
export function durationOf(of: JsonValue | undefined, name: string): number | null {
  const value = field(of, name)
  const text = typeof value === 'string' ? /^(\d+(?:\.\d+)?)s$/.exec(value)?.[1] : undefined
  const whole = Math.ceil((text === undefined ? (seconds(value) ?? 0) : Number(text)) * 1000)
  return Number.isSafeInteger(whole) && whole > 0 ? whole : null
}

function seconds(value: JsonValue | undefined): number | null {
  if (!isFields(value)) return null
  const whole = Number(value.seconds ?? 0)
  const nanos = Number(value.nanos ?? 0)
  return Number.isFinite(whole + nanos) && (whole !== 0 || nanos !== 0) ? whole + nanos / 1e9 : null
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, capital => `_${capital.toLowerCase()}`)
}
