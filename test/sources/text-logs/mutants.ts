import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { checkpointDocumentSchema } from '../../../src/core/checkpoint-schema.js'
import { isLedgerError } from '../../../src/core/errors.js'
import type { ImportedRecord } from '../../../src/core/imported.js'
import { jsonl } from '../../../src/sources/jsonl/index.js'
import { openhands } from '../../../src/sources/openhands/index.js'
import type { Source } from '../../../src/sources/source.js'
import { openSourceFile } from '../../../src/sources/source-file.js'
import { transcript } from '../../../src/sources/transcript/index.js'
import { contentsOf, damagedText, type Outcome, pick, randomOf } from '../damage.js'

// Logs with something wrong in them, each made from a seed. Whatever is in there, the reader gives sound records or refuses
// the file by name; it never crashes, hangs or writes.

export const READERS = { openhands, jsonl, transcript } as const

const fixtures = join(import.meta.dirname, '../../../fixtures')
const known = new Map<string, string[]>()

function inputsOf(reader: string): string[] {
  const found = known.get(reader) ?? filesIn(join(fixtures, reader))
  known.set(reader, found)
  return found
}

/** Damages an input of the source's fixtures, or one of another log, and reads it. Throws where a rule above is broken. */
export async function readDamaged(source: Source, seed: number, folder: string): Promise<Outcome> {
  const random = randomOf(seed)
  const kin = random() < 0.9 ? source.id : pick(random, Object.keys(READERS))
  const original = pick(random, inputsOf(kin))
  const bytes = damagedText(random, readFileSync(original))
  const conversation = conversationAround(original)
  const path = join(folder, conversation === null ? 'log.jsonl' : 'conversation')
  if (conversation === null) writeFileSync(path, bytes)
  else writeConversation(path, conversation, { damaged: relative(conversation, original), bytes })
  const before = contentsOf(folder)
  try {
    const outcome = await outcomeOf(source, path)
    if (contentsOf(folder) !== before)
      throw new Error('the input was changed, or something was left beside it')
    return outcome
  } finally {
    rmSync(path, { recursive: true })
  }
}

/** The folder of the conversation of which the file is an event or the state; null where it stands alone. */
function conversationAround(original: string): string | null {
  const folder = dirname(original)
  if (basename(folder) === 'events') return dirname(folder)
  return basename(original) === 'base_state.json' ? folder : null
}

/** The damaged file among some of its siblings. */
function writeConversation(
  path: string,
  original: string,
  { damaged, bytes }: { readonly damaged: string; readonly bytes: Buffer },
): void {
  mkdirSync(join(path, 'events'), { recursive: true })
  const events = existsSync(join(original, 'events')) ? readdirSync(join(original, 'events')) : []
  for (const name of ['base_state.json', ...events.slice(0, 6).map(event => join('events', event))])
    if (existsSync(join(original, name))) copyFileSync(join(original, name), join(path, name))
  writeFileSync(join(path, damaged), bytes)
}

async function outcomeOf(source: Source, path: string): Promise<Outcome> {
  const file = openSourceFile(path)
  try {
    const { matches } = source.detect(file)
    if (typeof matches !== 'boolean') throw new Error('detect says neither yes nor no')
    const records: ImportedRecord[] = []
    for await (const record of source.records?.(file, {}) ?? []) records.push(record)
    requireSound(records)
    if (source.read) checkpointDocumentSchema.parse((await source.read(file, {})).document)
    return 'read'
  } catch (error) {
    if (isLedgerError(error) && error.code === 'ledger_unreadable') return 'refused'
    throw error
  } finally {
    file.close()
  }
}

/** As `expectSound` of the fixtures, where an exception for each expectation would be slow. */
function requireSound(records: readonly ImportedRecord[]): void {
  const tasks = new Set<string>()
  const ids = new Set<string>()
  for (const record of records) {
    if (record.record === 'warning') continue
    if (record.record === 'task') tasks.add(record.task_id)
    if (!tasks.has(record.task_id)) throw new Error(`${record.record} before its task ${record.task_id}`)
    if (record.record !== 'operation') continue
    if (ids.has(record.operation_id)) throw new Error(`two operations are called ${record.operation_id}`)
    ids.add(record.operation_id)
    // What stands in our own shape is judged when it is stored, not here.
    if (record.rule.startsWith('jsonl.own') || !/^(?:jsonl|openhands|transcript):/.test(record.operation_id))
      continue
    const mayHaveApplied = record.attempts.some(({ end }) => end !== 'not_applied' && end !== 'absent')
    if (record.status === 'not_executed' && mayHaveApplied)
      throw new Error('not executed, and may have applied')
    const isApplied = record.attempts.some(({ end }) => end === 'applied')
    if (record.status === 'confirmed' && !isApplied)
      throw new Error(`confirmed without an attempt that applied: ${record.operation_id}`)
    for (const { sent_at, ended_at } of record.attempts)
      if (sent_at !== null && ended_at !== null && ended_at < sent_at)
        throw new Error('it ended before it was sent')
  }
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => !/(?:expected\.json|origin\.md|\.py|\.lock|\.txt)$/.test(name))
    .map(name => join(folder, name))
    .filter(path => statSync(path).isFile())
    .sort()
}
