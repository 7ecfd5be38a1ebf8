import { describe, expect, it } from 'vitest'
import type { TaskStatus } from '../../../../src/core/task.js'
import {
  approvalMatches,
  budgetLeft,
  compensationAllowed,
  deadlineAhead,
  epochAsClaimed,
  fenceAsHeld,
  noCancelAsked,
  noStrangerSeen,
  notInGrace,
  repeatSafeOrAccepted,
  retryTimeReached,
  taskRunning,
  UNANNOUNCED,
} from '../../../../src/core/transitions/guards/sending.js'
import { asked, aTask, following, NOON, stampAt } from '../../builders.js'
import { states } from '../cases.js'
import { said, withAttempts, withRow } from './moves.js'

const send = asked.send()

describe('a task', () => {
  const cleaning = () => withRow(states.prepared(), { flags: { cleanup: true } })

  it.each<[TaskStatus, boolean]>([
    ['running', true],
    ['cancel_requested', true],
    ['cancelled', true],
    ['suspended', false],
    ['completed', false],
  ])('that is %s lets what cleans up after it be sent: %s', (status, may) => {
    expect(said(taskRunning, cleaning(), send, { task: aTask({ status }) }) === null).toBe(may)
    expect(said(taskRunning, states.prepared(), send, { task: aTask({ status }) })).toEqual(
      status === 'running'
        ? null
        : {
            reason: `task task-1 is ${status}`,
            satisfy: 'only a running task sends: its run sets it to running, or opens another task',
          },
    )
  })

  it('lets nothing be sent while a person holds it', () => {
    const task = aTask({ taken_over_by: 'ana' })
    expect(said(taskRunning, cleaning(), send, { task })).toEqual({
      reason: 'task task-1 was taken over by ana',
      satisfy: 'hand it back first: agent-ledger handback task-1',
    })
  })
})

describe('a notice to a task', () => {
  const task = aTask({ grace_until: NOON, grace_reason: 'it loops' })
  const at = (ms: number) => ({ task, now: stampAt(NOON + ms) })

  it('lets nothing be newly sent until a minute after its time', () => {
    expect(said(notInGrace, states.prepared(), send, at(60_000))).toEqual({
      reason: 'a notice was given to task task-1: it loops',
      satisfy:
        'nothing but reads is newly sent until what it names is over, or a person says so: agent-ledger handback task-1',
    })
    expect(said(notInGrace, states.prepared(), send, at(60_001))).toBeNull()
    expect(said(notInGrace, states.prepared(), send)).toBeNull()
    const unsaid = { task: aTask({ grace_until: NOON }), now: stampAt(NOON) }
    expect(said(notInGrace, states.prepared(), send, unsaid)?.reason).toBe(
      'a notice was given to task task-1: no reason',
    )
  })

  it('lets reads and what cleans up be sent', () => {
    expect(said(notInGrace, withRow(states.prepared(), { effect: 'read' }), send, at(0))).toBeNull()
    expect(said(notInGrace, withRow(states.prepared(), { flags: { cleanup: true } }), send, at(0))).toBeNull()
  })
})

describe('what is asked of a send alone', () => {
  it('is asked of nothing else: the epoch, and the fence held from preparing', () => {
    const other = { ...send, epoch: 7, fence: 9 }
    expect(said(epochAsClaimed, states.prepared(), other)?.reason).toBe(
      'task task-1 is at epoch 1, the executor claimed epoch 7',
    )
    expect(said(fenceAsHeld, states.prepared(), other)?.reason).toBe('the fence is 1, the executor holds 9')
    const resend = { ...asked.resend(), epoch: 7, fence: 9 }
    expect(said(epochAsClaimed, states.prepared(), resend)).toBeNull()
    expect(said(fenceAsHeld, states.prepared(), resend)).toBeNull()
  })
})

describe('a cancel that is asked', () => {
  it('is taken back by the attempt that a person grants to a cancelled operation, and by nothing else', () => {
    const cancelled = withRow(states.cancelled(), { cancel_requested_at: NOON })
    expect(said(noCancelAsked, cancelled, asked.allowRetry())).toBeNull()
    expect(said(noCancelAsked, cancelled, send)).toEqual({
      reason: 'a cancel is asked',
      satisfy: 'settle it; a cancelled operation comes back with `allow-retry`',
    })
    expect(
      said(noCancelAsked, withRow(states.lost(), { cancel_requested_at: NOON }), asked.allowRetry()),
    ).not.toBeNull()
  })
})

describe('times and counts', () => {
  it('no deadline and no retry time hold nothing back, at whatever hour', () => {
    const never = { now: { ...stampAt(Number.MAX_SAFE_INTEGER), boot_ms: Number.MAX_SAFE_INTEGER } }
    expect(said(deadlineAhead, states.prepared(), send, never)).toBeNull()
    expect(said(retryTimeReached, states.prepared(), send, { now: stampAt(-1) })).toBeNull()
  })

  it('a spent budget names the command that grants one more', () => {
    expect(said(budgetLeft, withRow(states.prepared(), { max_attempts: 0 }), send)).toEqual({
      reason: 'all 0 attempts are used',
      satisfy: "a person may grant one more: agent-ledger allow-retry --reason '…' ticket-1",
    })
  })

  it('a stranger who was seen is forgiven by the attempt that a person grants', () => {
    const seen = { last_error: { rule: UNANNOUNCED, message: 'attempt 5 beats', at: NOON, attempt: 5 } }
    expect(said(noStrangerSeen, withRow(states.prepared(), seen), send)?.reason).toBe(
      'attempt 5 beats: somebody may be sending it',
    )
    expect(said(noStrangerSeen, withRow(states.prepared(), { ...seen, extra_attempts: 1 }), send)).toBeNull()
  })
})

describe('a repeat that is not safe', () => {
  it('names the two ways on', () => {
    expect(said(repeatSafeOrAccepted, states.lost(), asked.resend())?.satisfy).toBe(
      "find out first whether it did, then `resolve` it; or take the risk: agent-ledger allow-retry --accept-duplicate '…' --reason '…' ticket-1",
    )
  })

  it('rests on what was accepted only where it is the granted send, or the grant itself', () => {
    const accepted = withRow(states.lost(), { flags: { duplicate_allowed: true }, extra_attempts: 1 })
    expect(said(repeatSafeOrAccepted, accepted, send)).toBeNull()
    expect(said(repeatSafeOrAccepted, accepted, asked.resend())).not.toBeNull()
    expect(said(repeatSafeOrAccepted, accepted, asked.allowRetry())).not.toBeNull()
    expect(
      said(repeatSafeOrAccepted, states.lost(), asked.allowRetry({ accept_duplicate: 'two' })),
    ).toBeNull()
  })
})

describe('a compensation', () => {
  const undoing = withRow(states.prepared(), { operation_id: 'refund-1', compensates: 'ticket-1' })
  const of = (state: ReturnType<typeof states.sent>, other_compensation: string | null = null) =>
    said(compensationAllowed, undoing, send, { compensated: { ...state, other_compensation } })

  it('says what stands in its way, and what ends that', () => {
    expect(said(compensationAllowed, undoing, send)).toEqual({
      reason: 'ticket-1 is not in this ledger',
      satisfy: 'name an operation',
    })
    expect(of(states.lost())).toEqual({
      reason: 'ticket-1 is unknown, not confirmed',
      satisfy: 'find out first whether it took effect: agent-ledger show ticket-1, then `resolve` it',
    })
    expect(of(states.confirmed(), 'refund-0')).toEqual({
      reason: 'ticket-1 is already undone by refund-0',
      satisfy: 'look at that operation',
    })
    expect(of(states.confirmed())).toBeNull()
    expect(said(compensationAllowed, states.prepared(), send)).toBeNull()
  })

  it.each([null, 'ambiguous'] as const)('waits for any attempt that can still arrive (%s)', end => {
    const left = withAttempts(states.confirmed(), { end: 'applied' }, { end })
    expect(of(left)).toEqual({
      reason: 'an attempt of ticket-1 can still arrive',
      satisfy: 'wait until its latest arrival has passed',
    })
    const passed = withAttempts(states.confirmed(), { end: 'applied' }, { end, latest_arrival: NOON - 1 })
    expect(of(passed)).toBeNull()
  })
})

describe('an approval', () => {
  it('that is missing names the command that gives it', () => {
    const required = following([asked.prepare({ contract: { approval: 'required' } })])
    expect(said(approvalMatches, required, send)).toEqual({
      reason: 'it needs an approval',
      satisfy: 'agent-ledger approve ticket-1',
    })
    expect(said(approvalMatches, states.prepared(), send)).toBeNull()
  })
})
