import { sha256 } from '../digest.js'
import type { JsonValue } from '../json.js'
import { tooDeep } from '../json-depth.js'

// Records of other systems hold what they like; the ledger holds well-formed text without NUL, ids without control
// characters, and times that are whole milliseconds a date can have.

const LONGEST_ID = 512
/** What an id is cut to where it is too long; the digest of the whole follows. */
const KEPT_OF_ID = 400
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/g
const UTF8 = new TextEncoder()
/** ECMA-262, 21.4.1.1: a time value reaches so far. */
const LAST_TIME = 8.64e15

/** The same id on every reading, whatever characters theirs has. */
export function cleanId(id: string): string {
  const text = cleanText(id).replace(
    CONTROL,
    found => `%${found.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
  if (text !== '' && UTF8.encode(text).length <= LONGEST_ID) return text
  if (text === '') return `empty-${sha256(id).slice(7, 23)}`
  return `${cutBytes(text, KEPT_OF_ID)}#${sha256(id).slice(7, 39)}`
}

export function cleanText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd')
}

export function cleanTextOrNull(text: string | null | undefined): string | null {
  return typeof text === 'string' ? cleanText(text) : null
}

/** Null for what is no time. */
export function cleanTime(at: number | null | undefined): number | null {
  if (typeof at !== 'number' || !Number.isFinite(at) || at < 0 || at > LAST_TIME) return null
  return Math.round(at)
}

/** The value with clean texts; a note in its place where it is nested deeper than the ledger can hold. */
export function cleanJson(value: JsonValue): JsonValue {
  const text = JSON.stringify(value)
  if (text === undefined) return null
  const why = tooDeep(text)
  if (why !== null) return { left_out: why, digest: sha256(text) }
  return UNCLEAN.test(text) ? cleaned(value) : value
}

/** JSON.stringify writes NUL and lone surrogates so; a backslash before it only costs a second look. */
const UNCLEAN = /\\u(?:0000|d[89a-f])/

function cleaned(value: JsonValue): JsonValue {
  if (typeof value === 'string') return cleanText(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(cleaned)
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [cleanText(name), cleaned(item)]))
}

function cutBytes(text: string, bytes: number): string {
  let length = 0
  let cut = ''
  for (const char of text) {
    length += UTF8.encode(char).length
    if (length > bytes) return cut
    cut += char
  }
  return cut
}
