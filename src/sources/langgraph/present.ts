import type { JsonValue } from '../../core/json.js'
import { type Decoded, digestOf } from './decode/index.js'
import { isOmitted, omittedText } from './decode/long-text.js'
import { isList, isMarked, type Value } from './values.js'

// A checkpoint may hold pictures of many megabytes; a person reads a question and its arguments. What is left out is
// said, with its size and digest, so that nothing is cut silently.
const MAX_TEXT = 2000
const SHOWN_OF_LONG_TEXT = 200
const MAX_PARTS = 1000
const MAX_DEPTH = 32

/**
 * A decoded value as JSON of bounded size. What JSON cannot hold is a description: `{$type, $args, $fields}` for an
 * object of a class, `{$bytes}`, `{$omitted}` for what is too long, `{$unreadable}` for what could not be decoded.
 */
export function present(decoded: Decoded): JsonValue {
  if (!decoded.isReadable) {
    const { type, bytes, digest, why } = decoded
    return { $unreadable: { type, bytes, digest, why } }
  }
  return presentValue(decoded.value)
}

export function presentValue(value: Value): JsonValue {
  return show(value, 0, { parts: MAX_PARTS })
}

/** Parts left to spend, shared by the whole value. */
interface Budget {
  parts: number
}

function show(value: Value, depth: number, budget: Budget): JsonValue {
  if (--budget.parts < 0) return { $omitted: { what: 'the rest' } }
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (typeof value === 'string') return showText(value)
  if (value instanceof Uint8Array) return { $bytes: value.length, $digest: digestOf(value) }
  if (depth >= MAX_DEPTH) return { $omitted: { what: `nested deeper than ${MAX_DEPTH} levels` } }
  if (isList(value)) return showList(value, depth, budget)
  if (isMarked(value) && isOmitted(value))
    return { $omitted: showEntries(Object.entries(value.fields ?? {}), depth, budget) }
  if (isMarked(value)) {
    const { type, args, fields, method } = value
    return {
      $type: type,
      ...(method === null ? {} : { $method: method }),
      ...(args.length === 0 ? {} : { $args: showList(args, depth, budget) }),
      ...(fields === null ? {} : { $fields: showEntries(Object.entries(fields), depth, budget) }),
    }
  }
  return showEntries(Object.entries(value), depth, budget)
}

function showList(list: readonly Value[], depth: number, budget: Budget): JsonValue {
  const shown: JsonValue[] = []
  for (const item of list) {
    if (budget.parts <= 0) {
      shown.push({ $omitted: { what: 'items', count: list.length - shown.length } })
      break
    }
    shown.push(show(item, depth + 1, budget))
  }
  return shown
}

function showEntries(entries: readonly [string, Value][], depth: number, budget: Budget): JsonValue {
  const shown: [string, JsonValue][] = []
  for (const [key, item] of entries) {
    if (budget.parts <= 0) {
      shown.push(['$omitted', { what: 'entries', count: entries.length - shown.length }])
      break
    }
    shown.push([clip(key), show(item, depth + 1, budget)])
  }
  return Object.fromEntries(shown)
}

function showText(text: string): JsonValue {
  const whole = text.toWellFormed()
  if (whole.length <= MAX_TEXT) return whole
  return { $omitted: omittedText(Buffer.from(whole, 'utf8')) }
}

/** Text for a message: well-formed, and not longer than a line or two. */
export function clip(text: string): string {
  const whole = text.toWellFormed()
  return whole.length <= SHOWN_OF_LONG_TEXT
    ? whole
    : `${whole.slice(0, SHOWN_OF_LONG_TEXT).toWellFormed()}… (${whole.length} characters)`
}
