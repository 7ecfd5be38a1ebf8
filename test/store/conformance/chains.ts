import { describe, expect, it } from 'vitest'
import { canonicalize, sha256 } from '../../../src/core/digest.js'
import { number } from '../../../src/store/cells.js'
import { query } from '../../../src/store/engine.js'
import { verify } from '../../../src/store/verify.js'
import { anIntent } from '../../core/builders.js'
import {
  ANA,
  attestation,
  CONFIRM,
  did,
  LOSE,
  later,
  PREPARE,
  receipt,
  SEND,
  step,
} from '../support/changes.js'
import { objectOf } from '../support/rows.js'
import type { NewStore } from '../support/stores.js'
import { tamperWith } from '../support/tampering.js'

const HASH = new Uint8Array(32)
const MINUTE = 60_000

export function chainsConform(newStore: NewStore): void {
  describe('the chains', () => {
    it('verify after every kind of change', async () => {
      const { store, engine } = await newStore()
      const volatile = { input: { title: 'x', now: 5 } }
      await did(store, 'op', [PREPARE('op', volatile), SEND()], later(1))
      await store.signal({
        kind: 'progress',
        subject: { operation_id: 'op', attempt: 1, fence: 2 },
        progress: { batch: 1 },
        lease_ms: 90_000,
        clock: () => later(2).clock(),
      })
      await did(store, 'op', [CONFIRM({ result_digest: null })], later(3))
      await did(store, 'lost', [PREPARE('lost'), SEND(), LOSE()], later(4))
      const probe = { kind: 'probe', origin: 'looked_up', attempt: null, body: 1 } as const
      await store.addEvidence({
        operation_id: 'lost',
        evidence: [probe, receipt(1)],
        external_ids: [{ kind: 'ticket', value: 'T-7' }],
        by: later(5),
      })
      await store.setDefer({ operation_id: 'lost', until: 99, reason: 'later' }, later(6))
      await store.addNote({ task_id: 'task-1', kind: 'finding', body: 'x' }, later(7))
      const retry = {
        type: 'allow_retry',
        reason: 'try',
        expected_version: null,
        accept_duplicate: 'it may be there twice',
      } as const
      await did(store, 'lost', [step(retry), SEND()], later(8))
      const request = { type: 'takeover', reason: 'mine' } as const
      await store.changeTask({ task_id: 'task-1', request, by: later(9), isOwnerGone: () => false })
      const resolve = {
        type: 'resolve_confirmed',
        reason: 'seen',
        expected_version: null,
        external_ids: [{ kind: 'ticket', value: 'T-8' }],
        result: { id: 'T-8' },
        result_digest: null,
      } as const
      await did(store, 'lost', [step(resolve, [attestation()])], later(10))
      const { findings, checked } = await verify(engine)
      expect(findings).toEqual([])
      expect(checked).toEqual({ operations: 2, tasks: 1, events: 16, evidence: 4 })
    })

    it('hash what docs/schema.md says, over RFC 8785 JSON', async () => {
      const { store, engine } = await newStore()
      await did(
        store,
        'Ünï "quoted"',
        [step({ type: 'prepare', intent: anIntent({ operation_id: 'Ünï "quoted"' }) })],
        ANA,
      )
      const [row] = await engine.read(() =>
        query(
          `select n, about, type, decision_id, at, boot_id, boot_ms, actor, body, hash
           from ledger_event where subject = 'operation'`,
        ),
      )
      const link = { v: 1, ledger_id: store.ledgerId, subject: 'operation', subject_id: 'Ünï "quoted"' }
      if (row === undefined) throw new Error('there is no event')
      const { body, hash, ...columns } = objectOf(row)
      const body_digest = sha256(String(body))
      const expected = sha256(canonicalize({ ...link, ...columns, body_digest, prev: null }))
      expect(`sha256:${Buffer.from(hash as Uint8Array).toString('hex')}`).toBe(expected)
    })

    it.each(['ledger_event', 'ledger_evidence', 'ledger_external_ref', 'ledger_note'])(
      'of %s only grow: no row is changed, removed, replaced or put out of order',
      async table => {
        const { store, engine } = await newStore()
        await did(store, 'op', [PREPARE('op'), SEND()])
        await did(store, 'op', [CONFIRM()])
        await store.addNote({ task_id: 'task-1', kind: 'remark', body: 'x' }, ANA)
        const key = table === 'ledger_note' ? 'note_id' : table === 'ledger_event' ? 'seq' : 'operation_id'
        const ofSqlite = [
          `replace into ${table} select * from ${table}`,
          `insert or ignore into ${table} select * from ${table}`,
          `insert or replace into ${table} select * from ${table}`,
          `update or replace ${table} set ${key} = ${key}`,
        ]
        for (const sql of [
          `update ${table} set at = at + 1`,
          `delete from ${table}`,
          ...(engine.kind === 'sqlite' ? ofSqlite : [`truncate table ${table} cascade`]),
        ])
          await expect(
            engine.write(() => query(sql)),
            sql,
          ).rejects.toThrow(/only grows/)
        expect((await verify(engine)).findings).toEqual([])
      },
    )

    it.each([
      [
        'an operation',
        `subject = 'operation' and subject_id = 'op'`,
        { subject: 'operation', id: 'op', n: 2 },
      ],
      ['a task', `subject = 'task'`, { subject: 'task', id: 'task-1', n: 2 }],
      ['the ledger itself', `subject = 'ledger'`, { subject: 'ledger', n: 2 }],
    ] as const)('of %s lie in the order of all events as they are numbered', async (_, which, named) => {
      const { store, engine } = await newStore()
      // As far apart as commits of several machines may lie the other way round (log.ts).
      await did(store, 'op', [PREPARE('op')], later(0))
      await did(store, 'op', [SEND()], later(MINUTE))
      const request = { type: 'takeover', reason: 'mine' } as const
      await store.changeTask({ task_id: 'task-1', request, by: later(2 * MINUTE), isOwnerGone: () => false })
      await store.addNote({ task_id: 'task-1', kind: 'finding', body: 'x' }, later(2 * MINUTE))
      expect((await verify(engine)).findings).toEqual([])
      const rows = await engine.read(() => query(`select seq from ledger_event where ${which} order by n`))
      const [first, second] = rows.map(row => number(row, 'seq'))
      await tamperWith(
        engine,
        `update ledger_event set seq = 9000 where seq = ${first}`,
        `update ledger_event set seq = ${first} where seq = ${second}`,
        `update ledger_event set seq = ${second} where seq = 9000`,
      )
      expect((await verify(engine)).findings).toContainEqual(
        expect.objectContaining({ rule: 'event_misplaced', ...named }),
      )
    })

    it('of events take no number twice and leave none out', async () => {
      const { store, engine } = await newStore()
      await did(store, 'op', [PREPARE('op')])
      const insert = (n: number) =>
        engine.write(() =>
          query(
            `insert into ledger_event (subject, subject_id, n, type, at, boot_id, boot_ms, actor, body, hash)
             values ('operation', 'op', $1, 'send', 1, '', 0, 'eve', '{}', $2)`,
            [n, HASH],
          ),
        )
      for (const n of [1, 3]) await expect(insert(n)).rejects.toThrow(/only grows/)
    })
  })

  describe('the schema itself', () => {
    const LIES: readonly [string, string][] = [
      ['a status that is none', `update ledger_operation set status = 'failed'`],
      ['settled without a time', `update ledger_operation set status = 'unknown', version = version + 1`],
      ['a time of settling while open', 'update ledger_operation set settled_at = null'],
      ['confirmed without evidence', 'update ledger_operation set evidence_count = 0, evidence_head = null'],
      ['confirmed by nobody', 'update ledger_operation set settled_by = null'],
      ['a lease on what is settled', `update ledger_operation set lease_owner = 'eve'`],
      ['cancelled after a send', `update ledger_operation set status = 'cancelled', version = version + 1`],
      ['another input under the same id', 'update ledger_operation set input_digest = $1'],
      ['another key', `update ledger_operation set idempotency_key = 'mine'`],
      ['another target', `update ledger_operation set target = 'mine'`],
      ['a status changed without a version', `update ledger_operation set status = 'abandoned'`],
      ['text where JSON belongs', `update ledger_operation set flags = 'x'`],
      ['a number as text', `update ledger_operation set version = 'three'`],
      ['an attempt that ended without an end', 'update ledger_attempt set "end" = null'],
      ['an operation of no task', `update ledger_operation set task_id = 'nobody'`],
      ['a closed task without a time', `update ledger_task set status = 'completed'`],
      ['held by somebody since never', `update ledger_task set taken_over_by = 'eve'`],
      [
        'evidence of no operation',
        `insert into ledger_evidence values ('x', 1, 'error', 'observed', null, 1, 'a', '1', $1)`,
      ],
      [
        'an approval used too often',
        `insert into ledger_approval values ('a', 'op', $1, 'b', 'r', 1, null, 1, 2, null)`,
      ],
    ]

    it.each(LIES)('refuses %s', async (_, sql) => {
      const { store, engine } = await newStore()
      await did(store, 'op', [PREPARE('op'), SEND()])
      await did(store, 'op', [CONFIRM()])
      const params = sql.includes('$1') ? [HASH] : []
      await expect(engine.write(() => query(sql, params))).rejects.toThrow()
      expect((await verify(engine)).findings).toEqual([])
    })
  })
}
