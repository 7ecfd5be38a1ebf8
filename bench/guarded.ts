import { statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { openLedger } from '../src/index.js'
import type { Bench, Figure } from './figure.js'
import { benchFolder, done, runOne } from './ledgers.js'

const OPERATIONS = 2_000
const CALLERS = 32

/** Guarded operations whose handler returns at once, beside a bare loop of the same rows in the same two commits. */
export const guarded: Bench = {
  name: 'guarded',
  measure: async () => {
    const path = join(benchFolder(), 'ledger.db')
    const ledger = await openLedger(path, { onWarning: () => {} })
    const one = (i: number) => runOne(ledger, `guarded ${i}`, `task ${i % 10}`, () => done(i))
    for (let i = 0; i < 500; i++) await one(i)
    const start = statSync(path).size
    const early = await perSecond(OPERATIONS, i => one(1_000 + i))
    const late = await perSecond(OPERATIONS, i => one(10_000 + i))
    const together = await perSecond(OPERATIONS, i => one(20_000 + i), CALLERS)
    await ledger.close()
    const bytes = (statSync(path).size - start) / (OPERATIONS * 3)
    const bare = await perSecond(OPERATIONS, bareLoop(path))
    const figures: Figure[] = [
      { what: 'bare loop of the same two commits', value: bare, unit: 'op/s' },
      { what: 'one caller', value: late, unit: 'op/s' },
      {
        what: 'one caller to the bare loop',
        value: late / bare,
        unit: 'x',
        bar: { is: 'at least', value: 0.75 },
      },
      { what: 'one caller, later to earlier', value: late / early, unit: 'x' },
      {
        what: `${CALLERS} callers to one`,
        value: together / late,
        unit: 'x',
        bar: { is: 'at least', value: 4 },
      },
      { what: 'bytes of an operation, input and all', value: bytes, unit: 'B' },
    ]
    return figures
  },
}

async function perSecond(count: number, work: (i: number) => unknown, callers = 1): Promise<number> {
  const from = performance.now()
  let next = 0
  const caller = async () => {
    for (let i = next++; i < count; i = next++) await work(i)
  }
  await Promise.all(Array.from({ length: callers }, caller))
  return (count / (performance.now() - from)) * 1000
}

/** Writes again what one guarded operation left, under other ids, with nothing but prepared statements. */
function bareLoop(path: string): (i: number) => void {
  const database = new Database(path)
  database.pragma('synchronous = full')
  database.pragma('recursive_triggers = on')
  const model = 'guarded 1001'
  const insert = (table: string, own: Readonly<Record<string, string>>, where: string) => {
    const columns = database
      .prepare('select name from pragma_table_xinfo(?) where hidden = 0')
      .pluck()
      .all(table)
      .filter(name => typeof name === 'string' && name !== 'seq')
    const row = database.prepare(`select * from ${table} where ${where}`).get()
    if (typeof row !== 'object' || row === null) throw new Error(`${table} has no row where ${where}`)
    const values = new Map(Object.entries(row))
    const list = columns.map(name => `"${name}"`).join(', ')
    const marks = columns.map(name => own[String(name)] ?? '?').join(', ')
    const statement = database.prepare(`insert into ${table} (${list}) values (${marks})`)
    const rest = columns.filter(name => own[String(name)] === undefined).map(name => values.get(String(name)))
    return (id: string) => statement.run({ id }, ...rest)
  }
  const id = { operation_id: '$id' }
  const event = (n: number) =>
    insert('ledger_event', { subject_id: '$id' }, `subject_id = '${model}' and n = ${n}`)
  const flying = {
    ...id,
    idempotency_key: '$id',
    status: "'in_flight'",
    settled_at: 'null',
    settled_by: 'null',
    evidence_count: '0',
    evidence_head: 'null',
    version: '2',
    lease_owner: "'bench'",
    lease_expires_at: '1',
  }
  const operation = insert('ledger_operation', flying, `operation_id = '${model}'`)
  const attempt = insert(
    'ledger_attempt',
    { ...id, ended_at: 'null', end: 'null' },
    `operation_id = '${model}'`,
  )
  const evidence = insert('ledger_evidence', id, `operation_id = '${model}'`)
  const reference = insert('ledger_external_ref', { ...id, value: '$id' }, `operation_id = '${model}'`)
  const [prepared, sent, confirmed] = [event(1), event(2), event(3)]
  const settle = database.prepare(
    `update ledger_operation
     set status = 'confirmed', settled_at = 2, settled_by = 'receipt', evidence_count = 1, evidence_head = zeroblob(32),
       version = 3, updated_at = 2, lease_owner = null, lease_expires_at = null
     where operation_id = ? and version = 2 and status = 'in_flight'`,
  )
  const end = database.prepare(
    'update ledger_attempt set ended_at = 2, "end" = \'applied\' where operation_id = ?',
  )
  return i => {
    const bare = `bare ${i}`
    database.exec('begin immediate')
    operation(bare)
    attempt(bare)
    prepared(bare)
    sent(bare)
    database.exec('commit')
    database.exec('begin immediate')
    settle.run(bare)
    end.run(bare)
    evidence(bare)
    reference(bare)
    confirmed(bare)
    database.exec('commit')
  }
}
