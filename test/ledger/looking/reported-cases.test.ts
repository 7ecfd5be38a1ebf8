import { describe, expect, it } from 'vitest'
import { newAction } from '../../../src/core/action.js'
import { NOON, stampAt } from '../../core/builders.js'
import { HOUR, MINUTE, SECOND } from '../../core/stall/subjects.js'
import { aLedger } from '../support/a-ledger.js'
import { lookingAt } from './support.js'

// What people reported of other systems, as it has to be here.

describe('a chore over many files', () => {
  it('is no loop: other targets with success are progress', async () => {
    const ledger = await aLedger()
    for (let i = 0; i < 12; i++) {
      ledger.clock.advance(20 * SECOND)
      const input = { args: ['mv', `a/${i}.ts`, `b/${i}.ts`] }
      await ledger.confirmed({ operation_id: `mv-${i}`, tool: 'git.mv', input, idempotency_key: `k-${i}` })
    }
    const { operations, stalled_tasks } = await lookingAt(ledger, NOON + 5 * MINUTE).list({ show: 'stalled' })
    expect([operations, stalled_tasks]).toEqual([[], []])
  })
})

describe('a beat every 31 seconds', () => {
  it('that comes late once or twice is no death, at any age below three leases', async () => {
    const ledger = await aLedger()
    await ledger.inFlight({ operation_id: 'op-105' }, 24 * HOUR)
    const subject = { operation_id: 'op-105', attempt: 1, fence: 2 }
    await ledger.store.signal({ kind: 'heartbeat', subject, clock: () => stampAt(NOON) })
    for (const age of [35, 62, 95, 180]) {
      const { operations } = await lookingAt(ledger, NOON + age * SECOND).list({ show: 'stalled' })
      expect(operations, `${age} s`).toEqual([])
    }
    const { operations } = await lookingAt(ledger, NOON + 181 * SECOND).list({ show: 'stalled' })
    expect(operations[0]?.stalled_by).toMatchObject([
      { rule: 'heartbeat_lost', limit_ms: 180_000, limit_from: 'default' },
    ])
  })
})

describe('a task between two steps', () => {
  it('with both confirmed, a fresh heartbeat and nothing open is listed after its limit', async () => {
    const ledger = await aLedger()
    await ledger.confirmed({ operation_id: 'op-110', idempotency_key: 'k-110', input: 1 })
    await ledger.confirmed({ operation_id: 'op-111', idempotency_key: 'k-111', input: 2 })
    const { task_id } = (await ledger.store.operation('op-111'))?.operation ?? { task_id: '' }
    const at = NOON + 6 * HOUR
    await ledger.store.signal({ kind: 'heartbeat', subject: { task_id }, clock: () => stampAt(at) })
    const { stalled_tasks } = await lookingAt(ledger, at).list({ show: 'stalled' })
    expect(stalled_tasks?.[0]?.stalled_by[0]?.reason).toBe(
      'it lives, nothing of it is open, and nothing new was achieved for 6h, the last step was op-111; the limit is 1h, the default',
    )
  })
})

describe('signs of an attempt that was given up', () => {
  it('are refused, overwrite no progress, and are seen on the attempt', async () => {
    const ledger = await aLedger()
    await ledger.inFlight({ operation_id: 'op-126', repeat: { kind: 'idempotent' } })
    await ledger.ask('op-126', { type: 'takeover', reason: 'the first one is slow' })
    const told = await ledger.store.signal({
      kind: 'progress',
      subject: { operation_id: 'op-126', attempt: 1, fence: 2 },
      progress: { done: 9_000 },
      clock: () => stampAt(NOON + MINUTE),
    })
    expect(told).toMatchObject({ held: false })
    const record = await ledger.store.operation('op-126')
    expect(record?.operation.progress).toBeNull()
    expect(record?.attempts[0]).toMatchObject({ progress: { done: 9_000 } })
  })
})

describe('an action told of a sending', () => {
  it('counts for its task, and is masked where a person reads it', async () => {
    const ledger = await aLedger()
    await ledger.inFlight({ operation_id: 'op' })
    const subject = { operation_id: 'op', attempt: 1, fence: 2 }
    const action = newAction({ tool: 'sh', input: { command: 'x' }, cost: 0.5 }, () => '***')
    await ledger.store.signal({ kind: 'activity', subject, action, clock: () => stampAt(NOON + SECOND) })
    const task_id = (await ledger.store.operation('op'))?.operation.task_id ?? ''
    expect(await ledger.store.task(task_id)).toMatchObject({ steps: 1, cost: 0.5 })
    expect(await ledger.store.actions(task_id)).toMatchObject([{ n: 1, tool: 'sh', excerpt: 'sh ***' }])
  })
})

describe('actions of another system', () => {
  it('are kept in place of what an earlier reading left, so that reading twice changes nothing', async () => {
    const ledger = await aLedger()
    await ledger.prepared({ task_id: 'theirs' })
    const actions = Array.from({ length: 70 }, (_, i) => ({
      ...newAction({ tool: 'ls', input: i < 5 ? i : 'same', result: 1, outcome: 'ok' }, value => value),
      at: NOON + i,
    }))
    await ledger.store.keepActions('theirs', actions)
    const once = await ledger.store.actions('theirs')
    await ledger.store.keepActions('theirs', actions)
    expect(await ledger.store.actions('theirs')).toEqual(once)
    expect(once.at(-1)).toMatchObject({ n: 70, times: 65, first_at: NOON + 5, at: NOON + 69 })
    expect(await ledger.store.task('theirs')).toMatchObject({ steps: 70 })
    await expect(ledger.store.keepActions('nobody', [])).rejects.toMatchObject({ code: 'not_found' })
  })
})
