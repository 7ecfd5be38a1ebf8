import { LineCounter, parseDocument } from 'yaml'
import {
  type DecisionEntry,
  decisionEntry,
  decisionGroup,
  decisionList,
} from '../core/documents/decision-file-schema.js'
import { LedgerError } from '../core/errors.js'
import { type Bytes, linesOf } from './lines.js'
import { type Mistake, place, schemaMistakes, syntaxMistakes } from './mistakes.js'

/** One decision of a file and the line it begins on, or what is wrong there. */
export type EntryOfFile =
  | { readonly entry: DecisionEntry; readonly line: number }
  | { readonly mistakes: readonly Mistake[] }

/** The longest line that is read: a decision with a result and evidence is a few kilobytes. */
const LONGEST_LINE = 16 * 1024 * 1024

/** Of YAML and JSON each byte takes some 70 while it is parsed: this is about 50,000 decisions, and 600 MB. */
const LONGEST_WHOLE = 8 * 1024 * 1024

/**
 * The decisions of a file, in their order, as often as they are asked for. JSONL, one a line, is read piece by piece each
 * time; YAML and JSON (a list, or a list under `decisions:`) say what they mean only as a whole, which is held.
 * @throws LedgerError invalid_input for what is no text, or is too long
 */
export async function decisionFile(bytes: Bytes, path: string): Promise<() => AsyncIterable<EntryOfFile>> {
  if (await isJsonLines(bytes, path)) return () => entriesOfLines(bytes, path)
  const whole = parseWhole(await textOf(bytes, path))
  return async function* () {
    yield* whole
  }
}

// A file named otherwise (stdin too) is JSONL when its first line is an object by itself, and not the whole list.
async function isJsonLines(bytes: Bytes, path: string): Promise<boolean> {
  if (/\.(?:jsonl|ndjson)$/i.test(path)) return true
  if (/\.(?:ya?ml|json)$/i.test(path)) return false
  for await (const { text } of numberedLines(bytes, path)) {
    if (text.trim() === '') continue
    const value = jsonOf(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) && !('decisions' in value)
  }
  return false
}

async function* entriesOfLines(bytes: Bytes, path: string): AsyncGenerator<EntryOfFile> {
  for await (const { text, line } of numberedLines(bytes, path)) {
    if (text.trim() === '') continue
    const lines = new LineCounter()
    const source = { document: parseDocument(text, { lineCounter: lines }), lines }
    const isJson = jsonOf(text) !== undefined
    const broken = isJson ? syntaxMistakes(source) : [{ line: 1, column: 1, says: 'it is no JSON' }]
    const read = broken.length > 0 ? undefined : decisionEntry.safeParse(source.document.toJS())
    if (read?.success) {
      yield { entry: read.data, line }
      continue
    }
    const found = read ? schemaMistakes(read.error.issues, { ...source, schema: decisionEntry }) : broken
    yield { mistakes: found.map(one => ({ ...one, line: one.line + line - 1 })) }
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function textOf(bytes: Bytes, path: string): Promise<string> {
  const lines: string[] = []
  let length = 0
  for await (const { text } of numberedLines(bytes, path)) {
    length += text.length + 1
    if (length > LONGEST_WHOLE)
      throw unreadable(path, {
        why: `it has more than ${LONGEST_WHOLE >> 20} MB, and YAML and JSON are held whole`,
        hint: 'Write it as JSONL (*.jsonl), one decision a line: that is read line by line, at any length.',
      })
    lines.push(text)
  }
  return lines.join('\n')
}

interface NumberedLine {
  readonly text: string
  readonly line: number
}

async function* numberedLines(bytes: Bytes, path: string): AsyncGenerator<NumberedLine> {
  let line = 0
  try {
    for await (const text of linesOf(bytes, LONGEST_LINE)) yield { text, line: ++line }
  } catch (cause) {
    const why = `line ${line + 1}: ${cause instanceof Error ? cause.message : String(cause)}`
    throw unreadable(path, { why, hint: 'Write it as UTF-8 text; nothing was written.', cause })
  }
}

function unreadable(
  path: string,
  { why, ...more }: { readonly why: string; readonly hint: string; readonly cause?: unknown },
): LedgerError {
  return new LedgerError('invalid_input', `${path} cannot be read: ${why}`, { path, ...more })
}

function parseWhole(text: string): readonly EntryOfFile[] {
  const lines = new LineCounter()
  const source = { document: parseDocument(text, { lineCounter: lines }), lines }
  const broken = syntaxMistakes(source)
  if (broken.length > 0) return [{ mistakes: broken }]
  const value: unknown = source.document.toJS()
  const isList = Array.isArray(value) || value === null
  const schema = isList ? decisionList : decisionGroup
  const read = isList ? decisionList.safeParse(value ?? []) : decisionGroup.safeParse(value)
  if (!read.success) return [{ mistakes: schemaMistakes(read.error.issues, { ...source, schema }) }]
  const found = Array.isArray(read.data) ? read.data : read.data.decisions
  const before = isList ? [] : ['decisions']
  return found.map((entry, i) => ({ entry, line: place([...before, i], source, 'value').line }))
}
