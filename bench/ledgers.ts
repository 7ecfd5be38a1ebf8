import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { type Ledger, openLedger } from '../src/index.js'

export const BUSY_TASK = 'task of fifty'

/** An empty folder for one bench. */
export function benchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'agent-ledger-bench-'))
  mkdirSync(join(folder, 'ledger'), { mode: 0o700 })
  return join(folder, 'ledger')
}

/**
 * A ledger of `size` operations, 100 of them unknown and 50 in one task. Those few are made by the library; the
 * settled rest are copies of one real row, since a reading command must not look at them anyway.
 */
export async function ledgerOf(size: number): Promise<string> {
  const path = await ledgerOfFew()
  copyRow(path, { id: 'to be copied', prefix: 'settled', copies: size - 151 })
  return path
}

/** The same with all but those few in doubt: what the screen lists. */
export async function ledgerOfDoubts(size: number): Promise<string> {
  const path = await ledgerOfFew()
  copyRow(path, { id: 'unknown 0', prefix: 'in-doubt', copies: size - 105 })
  return path
}

async function ledgerOfFew(): Promise<string> {
  const path = join(benchFolder(), 'ledger.db')
  const ledger = await openLedger(path, { onWarning: () => {} })
  await fewIn(ledger)
  await ledger.close()
  return path
}

/** 100 unknown, 50 in one task, and one settled for copies to be made of. */
export async function fewIn(ledger: Ledger): Promise<void> {
  for (let i = 0; i < 100; i++) await runOne(ledger, `unknown ${i}`, `task ${i % 10}`, () => lost())
  for (let i = 0; i < 50; i++)
    await runOne(ledger, `${BUSY_TASK}/${i}`, BUSY_TASK, () => (i % 10 === 9 ? lost() : done(i)))
  await runOne(ledger, 'to be copied', 'task 0', () => done(0))
}

export function runOne(ledger: Ledger, id: string, task: string, end: () => unknown) {
  const input = { title: 'Disk full on db-2', queue: 'operations', for: id }
  return ledger.run(
    { id, task, tool: 'tickets.open', target: 'operations', effect: 'compensable', input },
    call => {
      call.externalId('ticket', `T-${id}`)
      return end()
    },
  )
}

export function done(n: number): unknown {
  return { id: `T-${n}`, url: `https://tickets.example/T-${n}`, state: 'open' }
}

function lost(): never {
  throw new Error('socket hang up')
}

/** Indexes are put aside and made again at the end: kept up row by row they take most of the time. */
function copyRow(
  path: string,
  { id, prefix, copies }: { readonly id: string; readonly prefix: string; readonly copies: number },
): void {
  const database = new Database(path)
  // What is defended by default: a journal of all of it would take its size again.
  database.unsafeMode(true)
  database.pragma('journal_mode = off')
  database.pragma('synchronous = off')
  const columns = texts(
    database,
    "select name from pragma_table_xinfo('ledger_operation') where hidden = 0 and name <> 'seq'",
  )
  const own: Readonly<Record<string, string>> = {
    operation_id: `printf('${prefix}/%08d', n)`,
    idempotency_key: "printf('al-%08d', n)",
    // Written one after the other, as real ones are: a page of a list begins where the last one ended.
    created_at: 'created_at + n',
  }
  const ofOperations =
    "from sqlite_schema where type = 'index' and tbl_name = 'ledger_operation' and sql is not null"
  const indexes = texts(database, `select sql ${ofOperations} order by rowid`)
  for (const name of texts(database, `select name ${ofOperations}`)) database.exec(`drop index ${name}`)
  const trigger = 'ledger_event_insert'
  const [guard] = texts(database, `select sql from sqlite_schema where name = '${trigger}'`)
  database.exec(`drop trigger ${trigger}`)
  database
    .prepare(
      `insert into ledger_operation (${columns.join(', ')})
       with recursive counter (n) as (select 1 union all select n + 1 from counter where n < $copies)
       select ${columns.map(name => own[name] ?? name).join(', ')}
       from counter cross join ledger_operation
       where operation_id = $id`,
    )
    .run({ copies, id })
  // The event that each is read with; the others of it would take most of the file.
  database
    .prepare(
      `insert into ledger_event (subject, subject_id, n, type, at, boot_id, boot_ms, actor, body, hash)
       select 'operation', o.operation_id, e.n, e.type, e.at, e.boot_id, e.boot_ms, e.actor, e.body, e.hash
       from ledger_operation as o
       join ledger_event as e on e.subject = 'operation' and e.subject_id = $id and e.n = o.version
       where o.operation_id glob $copies`,
    )
    .run({ id, copies: `${prefix}/*` })
  for (const made of [...indexes, guard ?? '']) database.exec(made)
  database.exec('analyze')
  database.pragma('journal_mode = wal')
  database.close()
}

function texts(database: Database.Database, query: string): string[] {
  return database
    .prepare(query)
    .pluck()
    .all()
    .filter(found => typeof found === 'string')
}
