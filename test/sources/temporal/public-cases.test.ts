import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { checkId } from '../../../src/core/operation-id.js'
import { readCheckpoint } from '../../../src/sources/index.js'
import {
  completed,
  describeAnswer,
  event,
  history,
  operationsIn,
  payload,
  readRecords,
  recordsOf,
  scheduled,
  started,
  T0,
  tasksIn,
  timedOut,
  warningsIn,
} from './build-history.js'

const folder = mkdtempSync(join(tmpdir(), 'temporal-cases-'))
afterAll(() => rmSync(folder, { recursive: true }))
let files = 0
const fresh = () => join(folder, `${++files}.json`)

describe('what went wrong elsewhere', () => {
  it('E2: "it worked on attempt 4" also says that three attempts may have had effects', async () => {
    const lastFailure = {
      message: 'activity StartToClose timeout',
      timeoutFailureInfo: { timeoutType: 'StartToClose' },
    }
    const events = history([scheduled(), started({ attempt: 4, lastFailure }), completed()])
    const records = await recordsOf(fresh(), [{ events }])
    const [operation] = operationsIn(records)
    expect(operation?.status).toBe('confirmed')
    expect(operation?.attempts.map(({ n, end }) => [n, end])).toEqual([
      [1, 'ambiguous'],
      [2, 'ambiguous'],
      [3, 'ambiguous'],
      [4, 'applied'],
    ])
    expect(operation?.why).toContain('3 earlier attempts left no event')
    expect(records).toContainEqual({
      record: 'warning',
      code: 'earlier_attempts',
      message:
        'charge: 3 of 4 attempts not recorded by Temporal; the last of them timed out: possible extra effect',
      where: 'event 5',
    })
  })

  it('E4: a value that nobody can read here does not keep the others from being read', async () => {
    const secret = { ...payload('', 'binary/encrypted'), data: Buffer.alloc(312, 7).toString('base64') }
    const events = history([
      scheduled({ input: { payloads: [secret] } }),
      started(),
      completed({ result: { payloads: [payload({ id: 'inv-7' })] } }),
    ])
    const [operation] = operationsIn(await recordsOf(fresh(), [{ events }]))
    expect(operation?.input).toMatchObject({
      $unreadable: { type: 'binary/encrypted', bytes: 312, why: 'encrypted' },
    })
    expect(operation?.result).toEqual({ id: 'inv-7' })
    expect(operation?.external_ids).toEqual([{ kind: 'id', value: 'inv-7' }])
  })

  it('E5: a run that was reset points to the run it continues, and both are one task', async () => {
    const base = history([
      scheduled(),
      started(),
      completed(),
      ['WORKFLOW_TASK_SCHEDULED'],
      ['WORKFLOW_TASK_STARTED'],
    ])
    const first = [
      ...base,
      event(10, 'WORKFLOW_TASK_COMPLETED'),
      {
        ...event(11, 'ACTIVITY_TASK_SCHEDULED', { activityId: '2', activityType: { name: 'ChargeCard' } }),
        taskId: '71',
      },
      { ...event(12, 'WORKFLOW_EXECUTION_TERMINATED', { reason: 'reset' }), taskId: '72' },
    ]
    const second = [
      ...base,
      event(10, 'WORKFLOW_TASK_FAILED', { cause: 'ResetWorkflow', baseRunId: 'run-1', newRunId: 'run-2' }),
      { ...event(11, 'WORKFLOW_TASK_SCHEDULED'), taskId: '81' },
    ]
    const alone = await recordsOf(fresh(), [{ events: second }])
    expect(alone).toContainEqual(
      expect.objectContaining({
        code: 'reset_run',
        message:
          'this run continues run run-1 from event 10: what run run-1 did after that is not in this file',
      }),
    )
    const both = await recordsOf(fresh(), [{ events: second }, { events: first }])
    expect(new Set(tasksIn(both).map(({ task_id }) => task_id))).toEqual(new Set(['temporal:run-1']))
    expect(operationsIn(both).map(({ tool }) => tool)).toEqual(['charge', 'ChargeCard'])
    // The part that both share is one operation, alone and together.
    expect(operationsIn(alone)[0]?.operation_id).toBe(operationsIn(both)[0]?.operation_id)
  })

  it('keeps what the earlier run saw done although the reset wrote a failure over it', async () => {
    const reset = { message: 'reset', resetWorkflowFailureInfo: {} }
    const done = history([scheduled(), started(), completed()])
    const broken = history([
      scheduled(),
      started(),
      ['ACTIVITY_TASK_FAILED', { scheduledEventId: '5', startedEventId: '6', failure: reset }],
    ])
    for (const pair of [
      [done, broken],
      [broken, done],
    ]) {
      const operations = operationsIn(
        await recordsOf(
          fresh(),
          pair.map(events => ({ events })),
        ),
      )
      expect(operations.map(({ rule }) => rule)).toEqual(['temporal.completed'])
    }
  })

  it.each([
    'a.b.Svc/Act(product,query,year:2024 month:4 day:10)',
    'parent:Portal:A1',
    "x_'some|value'",
    '100%',
    'a/../b',
    '..',
    'tab\tand\u001b[31m',
    'ü'.repeat(600),
  ])('ids that a server accepts give ids that a ledger accepts: %s', async id => {
    const path = fresh()
    const events = history([scheduled({ activityType: { name: id } })], { runId: id, workflowId: id })
    const records = await recordsOf(path, [{ events }])
    for (const { operation_id, task_id } of operationsIn(records)) {
      checkId(operation_id, 'operation id')
      checkId(task_id, 'task id')
    }
    const { threads } = await readCheckpoint(path, { source: 'temporal' })
    const [thread] = threads
    expect(thread?.thread_id).toBe(tasksIn(records)[0]?.thread?.thread_id)
    const again = await readCheckpoint(path, { source: 'temporal', threadId: thread?.thread_id ?? '' })
    expect(again.threads).toEqual(threads)
  })

  it('reading a file twice gives the same, and only one workflow of it where one is named', async () => {
    const path = fresh()
    const other = history([scheduled()], { runId: 'run-2', workflowId: 'order-8' })
    const records = await recordsOf(path, [{ events: history([scheduled()]) }, { events: other }])
    expect(await readRecords(path)).toEqual(records)
    const own = await readRecords(path, { threadId: 'order-8' })
    expect(own).toEqual(records.filter(record => JSON.stringify(record).includes('run-2')))
    await expect(readCheckpoint(path, { source: 'temporal', threadId: 'order-9' })).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  it('a beat that is late by less than its limit is no death, and the throttle of beats is not counted as silence', async () => {
    const events = history([scheduled({ heartbeatTimeout: '100s', startToCloseTimeout: '3600s' })])
    const beat = { state: 'STARTED', lastStartedTime: new Date(T0).toISOString(), heartbeatDetails: [1] }
    const statusAt = async (lastBeatS: number, nowS: number) => {
      const lastHeartbeatTime = new Date(T0 + lastBeatS * 1000).toISOString()
      const pending = describeAnswer([{ ...beat, lastHeartbeatTime }])
      const [operation] = operationsIn(
        await recordsOf(fresh(), [{ events }, pending], { now: T0 + nowS * 1000 }),
      )
      return operation?.status
    }
    expect(await statusAt(60, 95)).toBe('in_flight')
    expect(await statusAt(60, 155)).toBe('in_flight')
    expect(await statusAt(60, 160.001)).toBe('unknown')
  })

  it('does not take the start of an attempt for a heartbeat, as older servers write it', async () => {
    const at = '2026-03-10T12:00:10Z'
    const pending = { state: 'Started', lastStartedTime: at, lastHeartbeatTime: at, heartbeatDetails: null }
    const [operation] = operationsIn(
      await recordsOf(fresh(), [{ events: history([scheduled()]) }, describeAnswer([pending])]),
    )
    expect(operation?.heartbeat_at).toBeNull()
    // between two attempts they leave out the start, and nothing is there to compare it with
    const waiting = { state: 'Scheduled', attempt: 8, lastHeartbeatTime: at, heartbeatDetails: null }
    const [between] = operationsIn(
      await recordsOf(fresh(), [{ events: history([scheduled()]) }, describeAnswer([waiting])]),
    )
    expect(between?.heartbeat_at).toBeNull()
  })

  it('has thousands of attempts counted and the newest shown', async () => {
    const events = history([
      scheduled(),
      started({ attempt: 5000 }),
      timedOut('StartToClose', { startedEventId: '6' }),
    ])
    const [operation] = operationsIn(await recordsOf(fresh(), [{ events }]))
    expect(operation?.attempts).toHaveLength(100)
    expect(operation?.attempts.at(-1)?.n).toBe(5000)
    expect(operation?.why).toContain('4999 earlier attempts')
  })

  it('gives to the rules that look for loops what was called, with what, and what came of it', async () => {
    const events = history([scheduled(), started(), completed(), scheduled({ activityId: '2' })])
    const records = await recordsOf(fresh(), [{ events }])
    expect(records.filter(({ record }) => record === 'action')).toMatchObject([
      { tool: 'charge', input: { order: 7 }, result: { id: 'ch-1' }, outcome: 'ok', at: T0 + 5000 },
      { tool: 'charge', input: { order: 7 }, result: null, outcome: null, at: T0 + 8000 },
    ])
  })

  it('warns of local activities that a broken workflow task may have run', async () => {
    const events = history([
      ['WORKFLOW_TASK_SCHEDULED'],
      ['WORKFLOW_TASK_STARTED', { scheduledEventId: '5' }],
      [
        'WORKFLOW_TASK_TIMED_OUT',
        { scheduledEventId: '5', startedEventId: '6', timeoutType: 'StartToClose' },
      ],
    ])
    const path = fresh()
    expect(warningsIn(await recordsOf(path, [{ events }]))).toEqual([
      'local_work_untraced',
      'workflow_task_stuck',
    ])
    const [thread] = (await readCheckpoint(path, { source: 'temporal' })).threads
    expect(thread?.will_run).toMatchObject([{ node: 'Order', reason: 'errored' }])
  })

  it('says of a workflow with nothing pending what it waits for', async () => {
    const path = fresh()
    const events = history([['TIMER_STARTED', { timerId: '1', startToFireTimeout: '3600s' }]])
    writeFileSync(path, JSON.stringify({ events }))
    const [thread] = (await readCheckpoint(path, { source: 'temporal' })).threads
    expect(thread?.advice).toEqual({
      action: 'resume',
      reasons: [expect.stringContaining('waits for its timer of event 5')],
    })
  })
})
