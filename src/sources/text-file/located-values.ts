import type { JsonValue } from '../../core/json.js'
import { tooDeep } from '../../core/json-depth.js'
import { parseForeignJson } from '../../core/parse-json.js'
import { textHead } from './chunks.js'
import { createJsonSplitter, type JsonPiece, type SplitOptions } from './json-splitter.js'
import { jsonValues } from './json-values.js'
import { type TextLine, textLines } from './lines.js'

/** One JSON value of a file, with a place that a person finds again. */
export interface LocatedValue {
  readonly kind: 'value'
  readonly value: JsonValue
  /** `line 12`, `entry 3` */
  readonly where: string
  /** the path of the list it was taken out of */
  readonly list: string | null
}

/** What was skipped: `torn_end` at the end of the file, where its writer was stopped; else in the middle of it. */
export interface SkippedText {
  readonly kind: 'skipped'
  readonly code: 'torn_end' | 'not_json' | 'too_deep' | 'too_long' | 'nul_bytes'
  readonly message: string
  readonly where: string
}

/** Enough of a file to see how it is laid out; its first value may be a long prompt. */
const HEAD_BYTES = 1_048_576

/**
 * The values of JSON lines, of a list or of one document, as `jsonValues` gives them, but with the numbers of lines where
 * a value stands on each. Nothing but the value at hand is held. Throws `ledger_unreadable`.
 */
export async function* locatedValues(
  path: string,
  options: SplitOptions = {},
): AsyncGenerator<LocatedValue | SkippedText> {
  if (isLines(path)) {
    for await (const line of textLines(path)) {
      const found = ofLine(line)
      if (found !== null) yield found
    }
    return
  }
  const entries = new Map<string, number>()
  for await (const piece of jsonValues(path, options)) yield ofPiece(piece, entries)
}

/** The values at the beginning of a file, by which a source knows its own. Throws `ledger_unreadable`. */
export function firstValues(path: string, options: SplitOptions = {}): JsonValue[] {
  const values: JsonValue[] = []
  const splitter = createJsonSplitter(options, piece => {
    if (piece.kind !== 'torn') values.push(piece.value)
  })
  splitter.write(textHead(path, HEAD_BYTES))
  return values
}

/** Whether each value stands on a line of its own; one document may stand on one line, too, or on many. */
function isLines(path: string): boolean {
  const head = textHead(path, HEAD_BYTES)
  const lines = head.toString('utf8').split('\n')
  const isCut = head.length >= HEAD_BYTES
  const [first, second] = lines.filter(line => line.trim() !== '')
  if (first === undefined || first.trimStart().startsWith('[')) return false
  if (second === undefined) return !isCut
  // Where the first line is damaged, the second is whole; of a document over many lines it is not.
  return !first.trimStart().startsWith('{') || isJson(first) || isJson(second)
}

function isJson(text: string): boolean {
  return parseForeignJson(text) !== undefined
}

function ofLine({ text, line, isWhole }: TextLine): LocatedValue | SkippedText | null {
  const where = `line ${line}`
  if (text === null)
    return { kind: 'skipped', code: 'too_long', message: 'a line is longer than what is read', where }
  if (text.trim() === '') return null
  const found = parsedText(text, where)
  return found.kind === 'skipped' && found.code === 'not_json' && !isWhole
    ? { ...found, code: 'torn_end', message: 'the last line is cut off: its writer was stopped' }
    : found
}

/** A text that is one JSON value; `where` names it. */
export function parsedText(text: string, where: string): LocatedValue | SkippedText {
  const skipped = (code: SkippedText['code'], message: string): SkippedText => ({
    kind: 'skipped',
    code,
    message,
    where,
  })
  const trimmed = text.trim()
  if (/^\0+$/.test(trimmed))
    return skipped('nul_bytes', 'it holds nothing but NUL bytes, as a power cut leaves them')
  const deep = tooDeep(trimmed)
  if (deep !== null) return skipped('too_deep', deep)
  const value = parseForeignJson(trimmed)
  if (value === undefined) return skipped('not_json', 'it is no JSON')
  return { kind: 'value', value: wellFormed(value), where, list: null }
}

function ofPiece(piece: JsonPiece, entries: Map<string, number>): LocatedValue | SkippedText {
  const list = piece.kind === 'item' ? piece.list : ''
  const n = (entries.get(list) ?? 0) + 1
  entries.set(list, n)
  const where = list === '' ? `entry ${n}` : `${list} entry ${n}`
  if (piece.kind !== 'torn')
    return { kind: 'value', value: wellFormed(piece.value), where, list: list === '' ? null : list }
  const code = piece.isCut ? 'torn_end' : 'not_json'
  return { kind: 'skipped', code, message: piece.why, where: `byte ${piece.offset}` }
}

/** Half a surrogate pair is no text that can be stored or digested; a model that is cut off leaves such halves. */
function wellFormed(value: JsonValue): JsonValue {
  if (isWellFormed(value)) return value
  if (typeof value === 'string') return value.toWellFormed()
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(wellFormed)
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name.toWellFormed(), wellFormed(item)]),
  )
}

function isWellFormed(value: JsonValue): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(isWellFormed)
  return Object.entries(value).every(([name, item]) => name.isWellFormed() && isWellFormed(item))
}
