import { readFileSync, writeFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { approvalDigest } from '../../src/core/approval-digest.js'
import { isLedgerError } from '../../src/core/errors.js'
import type { Phase } from '../../src/core/phase.js'
import { createStore, openStore } from '../../src/store/open.js'
import { openForReading } from '../../src/store/sqlite/reading.js'
import { FINDING_RULES } from '../../src/store/verify/finding.js'
import { type Verified, verify } from '../../src/store/verify.js'
import { NOON, stampAt } from '../core/builders.js'
import { attestation, CONFIRM, did, LOSE, later, PREPARE, SEND } from './support/changes.js'
import { aDirectory } from './support/places.js'
import { TAMPERINGS } from './support/tamperings.js'

describe('verify', () => {
  it('finds nothing in a ledger that only this program wrote', async () => {
    const { findings, checked, is_cut } = await verified(await aHistory())
    expect(findings).toEqual([])
    expect(is_cut).toBe(false)
    expect(checked).toMatchObject({ operations: 3, tasks: 1, evidence: 3 })
  })

  it.each(TAMPERINGS)('finds and names $what ($rule)', async ({ rule, sql, names }) => {
    const path = await aHistory()
    tamperUnhindered(path, sql)
    const { findings } = await verified(path)
    expect(findings).toContainEqual(expect.objectContaining({ rule, ...names }))
  })

  it('has a way to be shown each of its rules', () => {
    const shown = new Set([...TAMPERINGS.map(({ rule }) => rule), ...SHOWN_ON_BOTH_ENGINES])
    expect([...shown].sort()).toEqual(Object.keys(FINDING_RULES).sort())
  })

  it('lists no more than it is asked for, and says so', async () => {
    const path = await aHistory()
    tamperUnhindered(path, 'update ledger_event set hash = zeroblob(32)')
    const engine = await openForReading({ path, waitMs: 100 })
    onTestFinished(() => engine.close())
    const { findings, is_cut } = await verify(engine, { most: 2 })
    expect([findings.length, is_cut]).toEqual([2, true])
  })

  it('finds an index that no longer agrees with its table', async () => {
    const path = await aHistory()
    const bytes = readFileSync(path)
    const page = rootPageOf(path, 'external_ref_value')
    const at = bytes.indexOf('T-1ticket', (page - 1) * 4096)
    bytes.write('T-7', at)
    writeFileSync(path, bytes)
    const { findings } = await verified(path)
    expect(findings).toContainEqual(expect.objectContaining({ rule: 'file_damaged' }))
  })

  it('or the opening before it finds every flipped bit that changes anything', async () => {
    const path = await aHistory()
    const whole = readFileSync(path)
    const content = contentOf(path)
    const random = numbersFrom(20_261_129)
    const silent: string[] = []
    for (let flip = 0; flip < 150; flip++) {
      const bit = random() % (whole.length * 8)
      const bytes = Buffer.from(whole)
      const at = bit >> 3
      bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << (bit & 7)), at)
      writeFileSync(path, bytes)
      const found = await verified(path).then(
        ({ findings }) => findings.length > 0,
        (error: unknown) => isLedgerError(error) || `${error}`,
      )
      if (found !== true && (found !== false || contentOf(path) !== content))
        silent.push(`bit ${bit}: ${found}`)
    }
    expect(silent).toEqual([])
  })
})

/** By conformance/sealing.ts and conformance/pruning.ts. */
const SHOWN_ON_BOTH_ENGINES = [
  'seal_differs',
  'anchor_differs',
  'anchor_beyond',
  'anchor_not_signed',
  'archive_differs',
] as const

function rootPageOf(path: string, name: string): number {
  const database = new Database(path, { readonly: true })
  const page = database.prepare('select rootpage from sqlite_schema where name = ?').pluck().get(name)
  database.close()
  return Number(page)
}

/** Every row of every table, as text. */
function contentOf(path: string): string {
  const database = new Database(path, { readonly: true })
  const tables = [
    'meta',
    'task',
    'operation',
    'attempt',
    'evidence',
    'event',
    'external_ref',
    'note',
    'phase',
  ]
  const rows = tables.map(table => database.prepare(`select * from ledger_${table}`).all())
  database.close()
  return JSON.stringify(rows)
}

/** Numbers that only look random (a linear congruential generator), the same in every run. */
function numbersFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state
  }
}

/** A ledger with a confirmed operation, a doubtful one that was looked for, a takeover and a note; closed. */
async function aHistory(): Promise<string> {
  const url = `${aDirectory()}/ledger.db`
  const options = { url, clock: () => stampAt(NOON), program: 'a test' }
  await createStore(options)
  const store = await openStore(options)
  await did(store, 'op', [PREPARE('op', { amount: 5 }), SEND()], later(1))
  await did(store, 'op', [CONFIRM()], later(2))
  await did(store, 'lost', [PREPARE('lost'), SEND()], later(3))
  await did(store, 'lost', [LOSE()], later(4))
  const probe = { kind: 'probe', origin: 'looked_up', attempt: null, body: { found: 0 } } as const
  await store.addEvidence({ operation_id: 'lost', evidence: [probe, attestation()], by: later(5) })
  await did(store, 'asks', [PREPARE('asks', { contract: { approval: 'required' } })], later(5))
  const asks = await store.operation('asks')
  if (asks === null) throw new Error('it was written')
  const leave = { operation_id: 'asks', digest: approvalDigest(asks.operation), approved: {}, reason: 'fine' }
  for (const uses of [1, 2]) {
    await store.approve({ ...leave, expires_at: null, uses }, later(5))
    if (uses === 1) await store.revoke({ operation_id: 'asks', approval_id: null, reason: 'wait' }, later(5))
  }
  await did(store, 'asks', [SEND()], later(5))
  await store.addNote({ task_id: 'task-1', kind: 'finding', body: 'the disk is full' }, later(6))
  await store.writePhase({ phase: BUILT, expected_version: 0, epoch: null }, later(6))
  const request = { type: 'takeover', reason: 'mine' } as const
  await store.changeTask({ task_id: 'task-1', request, by: later(7), isOwnerGone: () => false })
  await store.close()
  return url
}

const BUILT: Phase = {
  task_id: 'task-1',
  name: 'build',
  input: 'r1',
  input_revision: 'r1',
  status: 'running',
  artifact: null,
  artifact_digest: null,
  based_on: [],
  result: null,
  evidence: null,
  version: 1,
  created_at: NOON,
  updated_at: NOON,
}

async function verified(path: string): Promise<Verified> {
  const engine = await openForReading({ path, waitMs: 100 })
  onTestFinished(() => engine.close())
  return verify(engine)
}

/** As a program would that knows SQLite and wants no trace: triggers and checks off, put back afterwards. */
function tamperUnhindered(path: string, sql: string): void {
  const database = new Database(path)
  const triggers = database
    .prepare<[], { name: string; sql: string }>(`select name, sql from sqlite_schema where type = 'trigger'`)
    .all()
  database.pragma('foreign_keys = off')
  database.pragma('ignore_check_constraints = on')
  for (const { name } of triggers) database.exec(`drop trigger ${name}`)
  database.exec(sql)
  for (const trigger of triggers) database.exec(trigger.sql)
  database.close()
}
