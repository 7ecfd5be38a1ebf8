import { describe, expect, it } from 'vitest'
import { newAction } from '../../../src/core/action.js'
import { NOON, stampAt } from '../../core/builders.js'
import { HOUR, MINUTE, SECOND } from '../../core/stall/subjects.js'
import { aLedger, type TestLedger } from '../support/a-ledger.js'
import { lookingAt } from './support.js'

const poll = newAction(
  { tool: 'process.log', input: { session: 'X' }, result: 'no new output', outcome: 'ok' },
  value => value,
)

async function withTask(told: number, everyMs = 5 * SECOND): Promise<TestLedger> {
  const ledger = await aLedger()
  await opened(ledger, 'run-7')
  for (let i = 0; i < told; i++) await act(ledger, NOON + i * everyMs)
  return ledger
}

async function opened({ store }: TestLedger, task_id: string, at = NOON) {
  const by = { actor: 'agent', clock: () => stampAt(at) }
  await store.changeTask({
    task_id,
    request: { type: 'open', task: { task_id } },
    by,
    isOwnerGone: () => false,
  })
}

function act({ store }: TestLedger, at: number, action = poll) {
  return store.signal({ kind: 'activity', subject: { task_id: 'run-7' }, action, clock: () => stampAt(at) })
}

describe('a task that goes round', () => {
  it('is one entry, however often it went round, and nothing else of it is', async () => {
    const ledger = await withTask(150)
    const { operations, stalled_tasks } = await lookingAt(ledger, NOON + 150 * 5 * SECOND).list({
      show: 'stalled',
    })
    expect(operations).toEqual([])
    expect(stalled_tasks).toMatchObject([
      { task_id: 'run-7', stalled_by: [{ rule: 'loop_same_action_same_result', times: 150 }] },
    ])
    expect(await ledger.store.actions('run-7')).toHaveLength(1)
  })

  it('is found by its rule and by its task, and by no other', async () => {
    const ledger = await withTask(4)
    const at = lookingAt(ledger, NOON + MINUTE)
    const found = async (query: object) => (await at.list({ show: 'stalled', ...query })).stalled_tasks
    expect(await found({ rule: 'loop_same_action_same_result' })).toHaveLength(1)
    expect(await found({ rule: 'loop_monologue' })).toEqual([])
    expect(await found({ taskId: 'run-7' })).toHaveLength(1)
    expect((await at.list({ show: 'unknown' })).stalled_tasks).toBeUndefined()
  })

  it('is told alike by status, report and check', async () => {
    const at = lookingAt(await withTask(4), NOON + MINUTE)
    const rule = 'loop_same_action_same_result'
    expect((await at.status()).stalled).toMatchObject([{ rule, of: 'task', count: 1 }])
    const { document } = await at.report('run-7')
    expect(document.stalled).toMatchObject([
      { rule, operation_id: null, limit_count: 4, limit_from: 'default' },
    ])
    expect(document.why_stopped).toContain('same call, same answer, 4 times in 15s')
    expect(await at.checkFor({ failOn: ['stalled'] })).toMatchObject({
      ok: false,
      found: [{ task_id: 'run-7' }],
    })
  })

  it('is no more when it is closed, and keeps no more than the newest of what it did', async () => {
    const ledger = await withTask(0)
    for (let i = 0; i < 200; i++)
      await act(
        ledger,
        NOON + i,
        newAction({ tool: 'read', input: i, result: i }, value => value),
      )
    const actions = await ledger.store.actions('run-7')
    expect(actions.map(({ n }) => n)).toEqual(Array.from({ length: 64 }, (_, i) => 137 + i))
    expect((await ledger.store.task('run-7'))?.steps).toBe(200)
  })
})

describe('1,535 reads as operations of their own', () => {
  it('are one entry of their task, with their number', async () => {
    const ledger = await aLedger()
    const n = 80
    for (let i = 0; i < n; i++) {
      ledger.clock.advance(5 * SECOND)
      await ledger.confirmed({
        operation_id: `op-${i}`,
        tool: 'process.log',
        effect: 'read',
        input: { session: 'X' },
        idempotency_key: `k-${i}`,
      })
    }
    const { operations, stalled_tasks } = await lookingAt(ledger, NOON + HOUR).list({ show: 'stalled' })
    expect(operations).toEqual([])
    expect(stalled_tasks).toMatchObject([
      { stalled_by: [{ rule: 'loop_same_action_same_result', times: n }] },
    ])
  })
})

describe('a task that lives and gets nowhere', () => {
  it('is stalled with nothing open, after its last confirmed step', async () => {
    const ledger = await aLedger()
    await ledger.confirmed({ operation_id: 'op-111' })
    const task_id = (await ledger.store.operation('op-111'))?.operation.task_id ?? ''
    const now = stampAt(NOON + 6 * HOUR)
    await ledger.store.signal({ kind: 'heartbeat', subject: { task_id }, clock: () => now })
    const { stalled_tasks } = await lookingAt(ledger, now.at).list({ show: 'stalled' })
    expect(stalled_tasks).toMatchObject([{ task_id, stalled_by: [{ rule: 'no_progress' }] }])
    expect(stalled_tasks?.[0]?.stalled_by[0]?.reason).toContain('the last step was op-111')
  })

  it('is put off by new evidence of progress alone: not by activity, nor by the same evidence again', async () => {
    const ledger = await withTask(0)
    const tell = (kind: 'activity' | 'progress', at: number, progress?: number) =>
      ledger.store.signal({
        kind,
        subject: { task_id: 'run-7' },
        ...(progress === undefined ? {} : { progress }),
        clock: () => stampAt(at),
      })
    await tell('progress', NOON + MINUTE, 1)
    await tell('activity', NOON + HOUR)
    await tell('progress', NOON + 2 * HOUR, 1)
    expect((await ledger.store.task('run-7'))?.progress_at).toBe(NOON + MINUTE)
    const rules = async (at: number) =>
      (await lookingAt(ledger, at).list({ show: 'stalled', rule: 'no_progress' })).stalled_tasks?.length
    expect(await rules(NOON + 2 * HOUR)).toBe(1)
    await tell('progress', NOON + 2 * HOUR, 2)
    expect(await rules(NOON + 2 * HOUR)).toBe(0)
  })
})
