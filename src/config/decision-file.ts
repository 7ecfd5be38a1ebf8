import { LineCounter, parseDocument } from 'yaml'
import {
  type DecisionEntry,
  decisionEntry,
  decisionGroup,
  decisionList,
} from '../core/documents/decision-file-schema.js'
import { LedgerError } from '../core/errors.js'
import { type Mistake, mistakeFacts, place, schemaMistakes, syntaxMistakes } from './mistakes.js'

/** One decision of a file, and the line it begins on. */
export interface EntryOfFile {
  readonly entry: DecisionEntry
  readonly line: number
}

/**
 * The decisions of a file: YAML or JSON (a list, or a list under `decisions:`), or JSONL (one a line). All of it is
 * checked before anything is carried out: `invalid_input` names every mistake with its line.
 */
export function parseDecisionFile(text: string, path: string): EntryOfFile[] {
  const { entries, mistakes } = isJsonLines(text, path) ? parseLines(text) : parseWhole(text)
  if (mistakes.length > 0) {
    const count = mistakes.length === 1 ? 'a mistake' : `${mistakes.length} mistakes`
    throw new LedgerError('invalid_input', `${path} has ${count}`, {
      path,
      hint: 'Correct the lines named; nothing was written.',
      facts: mistakeFacts(mistakes),
    })
  }
  if (entries.length === 0)
    throw new LedgerError('invalid_input', `${path} holds no decisions`, {
      path,
      hint: 'Give a list of {operation_id, as, evidence, reason}.',
    })
  return entries
}

interface Parsed {
  readonly entries: EntryOfFile[]
  readonly mistakes: readonly Mistake[]
}

// A file named otherwise (stdin too) is JSONL when each of its lines is an object by itself.
function isJsonLines(text: string, path: string): boolean {
  if (/\.(?:jsonl|ndjson)$/i.test(path)) return true
  if (/\.(?:ya?ml|json)$/i.test(path)) return false
  const lines = text.split('\n').filter(line => line.trim() !== '')
  return lines.length > 0 && lines.every(line => /^\s*\{.*\}\s*$/.test(line))
}

function parseLines(text: string): Parsed {
  const entries: EntryOfFile[] = []
  const mistakes: Mistake[] = []
  for (const [i, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const lines = new LineCounter()
    const source = { document: parseDocument(line, { lineCounter: lines }), lines }
    const moved = (found: readonly Mistake[]) =>
      mistakes.push(...found.map(one => ({ ...one, line: one.line + i })))
    const broken = isJson(line) ? syntaxMistakes(source) : [{ line: 1, column: 1, says: 'it is no JSON' }]
    if (broken.length > 0) {
      moved(broken)
      continue
    }
    const read = decisionEntry.safeParse(source.document.toJS())
    if (read.success) entries.push({ entry: read.data, line: i + 1 })
    else moved(schemaMistakes(read.error.issues, { ...source, schema: decisionEntry }))
  }
  return { entries, mistakes }
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line)
    return true
  } catch {
    return false
  }
}

function parseWhole(text: string): Parsed {
  const lines = new LineCounter()
  const source = { document: parseDocument(text, { lineCounter: lines }), lines }
  const broken = syntaxMistakes(source)
  if (broken.length > 0) return { entries: [], mistakes: broken }
  const value: unknown = source.document.toJS()
  const isList = Array.isArray(value) || value === null
  const read = isList ? decisionList.safeParse(value ?? []) : decisionGroup.safeParse(value)
  if (!read.success)
    return {
      entries: [],
      mistakes: schemaMistakes(read.error.issues, {
        ...source,
        schema: isList ? decisionList : decisionGroup,
      }),
    }
  const found = Array.isArray(read.data) ? read.data : read.data.decisions
  const before = isList ? [] : ['decisions']
  return {
    entries: found.map((entry, i) => ({ entry, line: place([...before, i], source, 'value').line })),
    mistakes: [],
  }
}
