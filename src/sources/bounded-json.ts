import { createHash } from 'node:crypto'
import type { JsonValue } from '../core/json.js'

// Payloads may hold documents of many megabytes; a person reads a question and its arguments. What is left out is said,
// with its size and digest, so that nothing is cut silently and two long values can still be told apart.
const MAX_TEXT = 2000
const MAX_PARTS = 1000
const MAX_DEPTH = 32
const SHOWN_OF_LONG_TEXT = 200

/** A JSON value of bounded size; `{$omitted}` stands for what is too long. */
export function boundedJson(value: JsonValue): JsonValue {
  return show(value, 0, { parts: MAX_PARTS })
}

/** `{$unreadable}`, as every source shows bytes that only their writer can read. */
export function unreadableBytes(type: string, bytes: Uint8Array, why: string): JsonValue {
  return { $unreadable: { type, bytes: bytes.length, digest: bytesDigest(bytes), why } }
}

/** `sha256:<hex>` */
export function bytesDigest(bytes: Uint8Array | string): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}

/** Text for a message: well-formed, and not longer than a line or two. */
export function clipText(text: string, most = SHOWN_OF_LONG_TEXT): string {
  const whole = text.toWellFormed()
  return whole.length <= most ? whole : `${whole.slice(0, most).toWellFormed()}… (${whole.length} characters)`
}

/** Parts left to spend, shared by the whole value. */
interface Budget {
  parts: number
}

function show(value: JsonValue, depth: number, budget: Budget): JsonValue {
  if (--budget.parts < 0) return { $omitted: { what: 'the rest' } }
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (typeof value === 'string') return showText(value)
  if (depth >= MAX_DEPTH) return { $omitted: { what: `nested deeper than ${MAX_DEPTH} levels` } }
  if (Array.isArray(value)) return showList(value, depth, budget)
  return showEntries(Object.entries(value), depth, budget)
}

function showList(list: readonly JsonValue[], depth: number, budget: Budget): JsonValue {
  const shown: JsonValue[] = []
  for (const item of list) {
    if (budget.parts <= 0) {
      shown.push({ $omitted: { what: 'items', count: list.length - shown.length, ...digested(list) } })
      break
    }
    shown.push(show(item, depth + 1, budget))
  }
  return shown
}

function showEntries(entries: readonly [string, JsonValue][], depth: number, budget: Budget): JsonValue {
  const shown: [string, JsonValue][] = []
  for (const [key, item] of entries) {
    if (budget.parts <= 0) {
      const count = entries.length - shown.length
      shown.push(['$omitted', { what: 'entries', count, ...digested(entries) }])
      break
    }
    shown.push([clipText(key), show(item, depth + 1, budget)])
  }
  return Object.fromEntries(shown)
}

function digested(value: unknown): { digest: string } {
  return { digest: bytesDigest(JSON.stringify(value)) }
}

function showText(text: string): JsonValue {
  const whole = text.toWellFormed()
  if (whole.length <= MAX_TEXT) return whole
  const bytes = Buffer.from(whole, 'utf8')
  return {
    $omitted: { what: 'text', bytes: bytes.length, digest: bytesDigest(bytes), begins: clipText(whole) },
  }
}
