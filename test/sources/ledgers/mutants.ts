import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { isLedgerError } from '../../../src/core/errors.js'
import type { ImportedRecord } from '../../../src/core/imported.js'
import { ledgerExport } from '../../../src/sources/ledger-export/index.js'
import { agentEffects } from '../../../src/sources/ledgers/agent-effects.js'
import { effectLedger } from '../../../src/sources/ledgers/effect-ledger.js'
import type { Source } from '../../../src/sources/source.js'
import { openSourceFile } from '../../../src/sources/source-file.js'
import { below, contentsOf, damagedBytes, damagedText, type Outcome, pick, randomOf } from '../damage.js'

// Ledgers and exports with something wrong in them, each made from a seed. Whatever is in there, the reader gives sound
// records or refuses the file by name; it never crashes, hangs or writes.

export const READERS: Readonly<Record<string, Source>> = {
  'effect-ledger': effectLedger,
  'agent-effects': agentEffects,
  'agent-ledger': ledgerExport,
}

const fixtures = join(import.meta.dirname, '../../../fixtures')
const NAMES = ['effects.db', 'export.jsonl']
const BESIDE = ['', '-wal', '-journal']

/** Damages an input of the reader's fixtures and reads it. Throws where a rule above is broken. */
export async function readDamaged(reader: string, seed: number, folder: string): Promise<Outcome> {
  const random = randomOf(seed)
  const source = READERS[reader]
  if (source === undefined) throw new Error(`no reader ${reader}`)
  const original = pick(random, inputsOf(reader))
  const path = join(folder, 'input')
  const files = BESIDE.filter(suffix => existsSync(original + suffix))
  for (const suffix of files) copyFileSync(original + suffix, path + suffix)
  if (reader === 'agent-ledger') writeFileSync(path, damagedText(random, readFileSync(original)))
  else if (seed % 2 === 0) damageFiles(random, path, files)
  else damageCells(random, path, files)
  const before = contentsOf(folder)
  try {
    const outcome = await outcomeOf(source, path, join(folder, 'scratch'))
    if (contentsOf(folder) !== before)
      throw new Error('the input was changed, or something was left beside it')
    return outcome
  } finally {
    for (const suffix of [...BESIDE, '-shm']) rmSync(path + suffix, { force: true })
  }
}

const known = new Map<string, string[]>()

function inputsOf(reader: string): string[] {
  const found =
    known.get(reader) ??
    readdirSync(join(fixtures, reader))
      .flatMap(name => NAMES.map(input => join(fixtures, reader, name, input)))
      .filter(path => existsSync(path))
  known.set(reader, found)
  return found
}

function damageFiles(random: () => number, path: string, files: readonly string[]): void {
  for (const suffix of files)
    if (suffix === '' || random() < 0.5)
      writeFileSync(path + suffix, damagedBytes(random, readFileSync(path + suffix), 100))
}

/** What a cell may be replaced by, so that damage gets past the pages of the file. */
const STRANGE: readonly (string | number | bigint | Buffer | null)[] = [
  ...[null, 0, -1, 1, 2, 1e308, 9_007_199_254_740_993n, '', 'x', '\u0000\u001b[31m\u202e', '\ud800'],
  ...['2026-02-31T10:00:00Z', '0', 'true', '[]', '{', '{"a":'.repeat(200), '"x"', Buffer.from([0xff, 0xfe])],
  ...['in_flight', 'completed', 'executing', 'committed', 'compensated', 'failed', 'unknown', 'Ready'],
]

/** Without what lies beside it: the writer folds that in, as the other program would at its next start. */
function damageCells(random: () => number, path: string, files: readonly string[]): void {
  if (files.includes('-journal')) {
    damageFiles(random, path, files)
    return
  }
  const db = new Database(path)
  try {
    db.pragma('journal_mode = delete')
    db.pragma('ignore_check_constraints = 1')
    const tables = db.prepare("select name from sqlite_schema where type = 'table'").pluck().all() as string[] // names of tables
    for (let n = 1 + below(random, 8); n > 0; n--) {
      const table = pick(random, tables)
      const columns = db.prepare('select name from pragma_table_info(?)').pluck().all(table) as string[] // names of columns
      const rows = db.prepare(`select count(*) from "${table}"`).pluck().get() as number // a count
      if (rows === 0 || columns.length === 0) continue
      const where = `rowid = (select rowid from "${table}" limit 1 offset ${below(random, rows)})`
      try {
        db.prepare(`update "${table}" set "${pick(random, columns)}" = ? where ${where}`).run(
          pick(random, STRANGE),
        )
      } catch {
        // it is refused by the table itself: no file of this kind can be
      }
    }
  } finally {
    db.close()
  }
}

async function outcomeOf(source: Source, path: string, scratchDir: string): Promise<Outcome> {
  let file: ReturnType<typeof openSourceFile> | undefined
  try {
    file = openSourceFile(path, { scratchDir })
    const { matches } = source.detect(file)
    // nobody reads what the source does not know
    if (!matches) return 'refused'
    const records: ImportedRecord[] = []
    for await (const record of source.records?.(file, { now: 1_770_000_000_000 }) ?? []) records.push(record)
    requireSound(records)
    return 'read'
  } catch (error) {
    if (isLedgerError(error) && error.code === 'ledger_unreadable') return 'refused'
    throw error
  } finally {
    file?.close()
  }
}

/** As `expectSound` of the fixtures but for what is judged when it is stored: what a line of our own shape claims. */
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
    for (const { sent_at, ended_at } of record.attempts)
      if (sent_at !== null && ended_at !== null && ended_at < sent_at)
        throw new Error('it ended before it was sent')
  }
}
