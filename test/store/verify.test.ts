import { readFileSync, writeFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { approvalDigest } from '../../src/core/approval-digest.js'
import { isLedgerError } from '../../src/core/errors.js'
import type { Phase } from '../../src/core/phase.js'
import { createStore, openStore } from '../../src/store/open.js'
import { openForReading } from '../../src/store/sqlite-reading.js'
import { FINDING_RULES, type FindingRule } from '../../src/store/verify/finding.js'
import { type Verified, verify } from '../../src/store/verify.js'
import { NOON, stampAt } from '../core/builders.js'
import { attestation, CONFIRM, did, LOSE, later, PREPARE, SEND } from './support/changes.js'
import { aDirectory } from './support/places.js'

interface Tampering {
  readonly rule: FindingRule
  readonly what: string
  readonly sql: string
  readonly names: Partial<{ subject: string; id: string; n: number }>
}

const EVENT = `where subject = 'operation' and subject_id = 'op'`
const EVIDENCE = `where operation_id = 'lost'`

/** One row a way to tamper; the program that does it is stopped by no trigger and no check. */
const TAMPERINGS: readonly Tampering[] = [
  {
    rule: 'event_changed',
    what: 'the body of an event changed',
    sql: `update ledger_event set body = replace(body, 'T-1', 'T-9') ${EVENT} and n = 3`,
    names: { subject: 'operation', id: 'op', n: 3 },
  },
  {
    rule: 'row_differs',
    what: 'an operation put off without an event',
    sql: `update ledger_operation set defer_until = 5 where operation_id = 'op'`,
    names: { subject: 'operation', id: 'op' },
  },
  {
    rule: 'row_differs',
    what: 'an operation moved to another incarnation',
    sql: `update ledger_operation set incarnation = 2 where operation_id = 'op'`,
    names: { subject: 'operation', id: 'op' },
  },
  {
    rule: 'event_changed',
    what: 'a body made unreadable',
    sql: `update ledger_event set body = '{' ${EVENT} and n = 2`,
    names: { subject: 'operation', id: 'op', n: 2 },
  },
  {
    rule: 'event_changed',
    what: 'the actor of an event changed',
    sql: `update ledger_event set actor = 'mallory' ${EVENT} and n = 1`,
    names: { subject: 'operation', id: 'op', n: 1 },
  },
  {
    rule: 'event_changed',
    what: 'the time of an event changed',
    sql: `update ledger_event set at = at + 1 ${EVENT} and n = 3`,
    names: { subject: 'operation', id: 'op', n: 3 },
  },
  {
    rule: 'event_changed',
    what: 'an event of the task changed',
    sql: `update ledger_event set type = 'handback' where subject = 'task' and n = 1`,
    names: { subject: 'task', id: 'task-1', n: 1 },
  },
  {
    rule: 'event_changed',
    what: "an event of the ledger's own chain changed",
    sql: `update ledger_event set body = '{}' where subject = 'ledger' and n = 1`,
    names: { subject: 'ledger', n: 1 },
  },
  {
    rule: 'event_changed',
    what: 'two events put in each other’s place',
    sql: `update ledger_event set n = case n when 1 then 200 else 100 end ${EVENT} and n in (1, 2);
          update ledger_event set n = n / 100 ${EVENT} and n >= 100`,
    names: { subject: 'operation', id: 'op', n: 1 },
  },
  {
    rule: 'event_changed',
    what: 'an event moved to another operation',
    sql: `update ledger_event set subject_id = 'lost', n = 4 ${EVENT} and n = 3`,
    names: { subject: 'operation', id: 'lost', n: 4 },
  },
  {
    rule: 'event_changed',
    what: 'an event laid to another operation',
    sql: `update ledger_event set about = 'op' where subject = 'ledger' and about is not null`,
    names: { subject: 'ledger' },
  },
  {
    rule: 'event_changed',
    what: 'the boot clock of an event changed',
    sql: `update ledger_event set boot_ms = boot_ms + 1 ${EVENT} and n = 3`,
    names: { subject: 'operation', id: 'op', n: 3 },
  },
  {
    rule: 'meta_differs',
    what: 'an incarnation denied',
    sql: `update ledger_meta set incarnation = 7`,
    names: { subject: 'ledger' },
  },
  {
    rule: 'meta_differs',
    what: 'the id of the ledger changed',
    sql: `update ledger_meta set ledger_id = 'another'`,
    names: { subject: 'ledger' },
  },
  {
    rule: 'event_missing',
    what: 'an event removed',
    sql: `delete from ledger_event ${EVENT} and n = 2`,
    names: { subject: 'operation', id: 'op', n: 2 },
  },
  {
    rule: 'event_missing',
    what: 'the last event removed',
    sql: `delete from ledger_event ${EVENT} and n = 3`,
    names: { subject: 'operation', id: 'op', n: 3 },
  },
  {
    rule: 'events_gap',
    what: 'an operation removed with everything of it',
    sql: `delete from ledger_event ${EVENT};
          delete from ledger_external_ref where operation_id = 'op';
          delete from ledger_evidence where operation_id = 'op';
          delete from ledger_attempt where operation_id = 'op';
          delete from ledger_operation where operation_id = 'op'`,
    names: { subject: 'ledger' },
  },
  {
    rule: 'event_extra',
    what: 'an event inserted at the end',
    sql: `insert into ledger_event (subject, subject_id, n, type, at, boot_id, boot_ms, actor, body, hash)
          select subject, subject_id, 4, type, at, boot_id, boot_ms, actor, body, hash
          from ledger_event ${EVENT} and n = 3`,
    names: { subject: 'operation', id: 'op', n: 4 },
  },
  {
    rule: 'time_runs_back',
    what: 'events put in another order',
    sql: `update ledger_event set seq = 1000 + seq where seq in (1, 6);
          update ledger_event set seq = case seq when 1001 then 6 else 1 end where seq > 1000`,
    names: { subject: 'ledger' },
  },
  {
    rule: 'row_missing',
    what: 'the row of an operation removed',
    sql: `delete from ledger_operation where operation_id = 'op'`,
    names: { subject: 'operation', id: 'op' },
  },
  {
    rule: 'row_missing',
    what: 'the row of a task removed',
    sql: `delete from ledger_task`,
    names: { subject: 'task', id: 'task-1' },
  },
  {
    rule: 'row_differs',
    what: 'a settled row changed',
    sql: `update ledger_operation set settled_by = 'person' where operation_id = 'op'`,
    names: { subject: 'operation', id: 'op' },
  },
  {
    rule: 'row_differs',
    what: 'a status changed',
    sql: `update ledger_operation set status = 'not_executed', settled_at = 1 where operation_id = 'lost'`,
    names: { subject: 'operation', id: 'lost' },
  },
  {
    rule: 'row_differs',
    what: 'a doubt taken away',
    sql: `update ledger_operation set may_have_applied = 0 where operation_id = 'lost'`,
    names: { subject: 'operation', id: 'lost' },
  },
  {
    rule: 'row_differs',
    what: 'a takeover taken out of the row of a task',
    sql: `update ledger_task set taken_over_by = null, taken_over_at = null`,
    names: { subject: 'task', id: 'task-1' },
  },
  {
    rule: 'intent_differs',
    what: 'the input changed',
    sql: `update ledger_operation set input = '{"title":"Pay 9"}' where operation_id = 'op'`,
    names: { subject: 'operation', id: 'op' },
  },
  {
    rule: 'intent_differs',
    what: 'the amount at stake changed',
    sql: `update ledger_operation set amount = 1 where operation_id = 'op'`,
    names: { subject: 'operation', id: 'op' },
  },
  {
    rule: 'intent_differs',
    what: 'the contract changed',
    sql: `update ledger_operation set repeat = '{"kind":"idempotent"}' where operation_id = 'lost'`,
    names: { subject: 'operation', id: 'lost' },
  },
  {
    rule: 'result_differs',
    what: 'the result changed',
    sql: `update ledger_operation set result = '{"id":"T-2"}' where operation_id = 'op'`,
    names: { subject: 'operation', id: 'op' },
  },
  {
    rule: 'attempts_differ',
    what: 'the end of an attempt changed',
    sql: `update ledger_attempt set "end" = 'not_applied' where operation_id = 'lost'`,
    names: { subject: 'operation', id: 'lost' },
  },
  {
    rule: 'attempts_differ',
    what: 'an attempt removed',
    sql: `delete from ledger_attempt where operation_id = 'lost'`,
    names: { subject: 'operation', id: 'lost' },
  },
  {
    rule: 'attempts_differ',
    what: 'an attempt invented',
    sql: `insert into ledger_attempt select operation_id, 2, fence, owner, sent_at, sent_boot_id, sent_boot_ms,
          send_by, latest_arrival, ended_at, "end", error, null, null, null, null
          from ledger_attempt where operation_id = 'lost'`,
    names: { subject: 'operation', id: 'lost' },
  },
  {
    rule: 'evidence_changed',
    what: 'evidence changed',
    sql: `update ledger_evidence set body = '{"found":1}' ${EVIDENCE} and n = 1`,
    names: { subject: 'operation', id: 'lost', n: 1 },
  },
  {
    rule: 'evidence_changed',
    what: 'evidence labelled otherwise',
    sql: `update ledger_evidence set origin = 'observed' ${EVIDENCE} and n = 1`,
    names: { subject: 'operation', id: 'lost', n: 1 },
  },
  {
    rule: 'evidence_missing',
    what: 'the last evidence removed',
    sql: `delete from ledger_evidence ${EVIDENCE} and n = 2`,
    names: { subject: 'operation', id: 'lost', n: 2 },
  },
  {
    rule: 'evidence_missing',
    what: 'the first evidence removed',
    sql: `delete from ledger_evidence ${EVIDENCE} and n = 1`,
    names: { subject: 'operation', id: 'lost', n: 1 },
  },
  {
    rule: 'evidence_extra',
    what: 'evidence inserted',
    sql: `insert into ledger_evidence select operation_id, 3, kind, origin, attempt, at, actor, body, hash
          from ledger_evidence ${EVIDENCE} and n = 2`,
    names: { subject: 'operation', id: 'lost', n: 3 },
  },
  {
    rule: 'evidence_not_as_cited',
    what: 'evidence taken from under an event, with the row made to fit',
    sql: `delete from ledger_evidence where operation_id = 'op';
          update ledger_operation set evidence_count = 0, evidence_head = null where operation_id = 'op'`,
    names: { subject: 'operation', id: 'op', n: 3 },
  },
  {
    rule: 'external_ids_differ',
    what: 'an external id invented',
    sql: `insert into ledger_external_ref values ('lost', 'ticket', 'T-99', '', null, 1)`,
    names: { subject: 'operation', id: 'lost' },
  },
  {
    rule: 'external_ids_differ',
    what: 'an external id removed',
    sql: `delete from ledger_external_ref where operation_id = 'op'`,
    names: { subject: 'operation', id: 'op' },
  },
  {
    rule: 'external_ids_differ',
    what: 'the link of an external id turned elsewhere',
    sql: `update ledger_external_ref set url = 'https://mallory.example/T-1' where operation_id = 'op'`,
    names: { subject: 'operation', id: 'op' },
  },
  ...[
    [
      'an approval that nobody gave',
      `insert into ledger_approval select 'theirs', operation_id, digest, 'mallory', reason, granted_at, expires_at, uses, 0, null from ledger_approval limit 1`,
    ],
    ['an approval removed', 'delete from ledger_approval where revoked_at is not null'],
    ['more uses than were given', 'update ledger_approval set uses = 9'],
    ['a use given back', 'update ledger_approval set used = 0'],
    ['a revocation undone', 'update ledger_approval set revoked_at = null'],
    ['another approver', `update ledger_approval set approver = 'mallory'`],
    ['an approval for something else', 'update ledger_approval set digest = zeroblob(32)'],
  ].map(
    ([what = '', sql = '']): Tampering => ({
      rule: 'approvals_differ',
      what,
      sql,
      names: { subject: 'operation', id: 'asks' },
    }),
  ),
  {
    rule: 'note_changed',
    what: 'a note changed',
    sql: `update ledger_note set body = '"all is well"'`,
    names: { subject: 'note', id: '1' },
  },
  {
    rule: 'note_missing',
    what: 'a note removed',
    sql: 'delete from ledger_note',
    names: { subject: 'note', id: '1' },
  },
  {
    rule: 'phase_differs',
    what: 'a phase said to be made from something else',
    sql: `update ledger_phase set input_revision = 'r2'`,
    names: { subject: 'phase' },
  },
  {
    rule: 'phase_missing',
    what: 'a phase removed',
    sql: 'delete from ledger_phase',
    names: { subject: 'phase' },
  },
  {
    rule: 'note_extra',
    what: 'a note inserted',
    sql: `insert into ledger_note (task_id, kind, body, at, actor) values ('task-1', 'remark', '1', 1, 'mallory')`,
    names: { subject: 'note', id: '2' },
  },
  {
    rule: 'file_damaged',
    what: 'a row left without its parent',
    sql: `delete from ledger_task`,
    names: { subject: 'file' },
  },
]

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
    const shown = new Set(TAMPERINGS.map(({ rule }) => rule))
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
