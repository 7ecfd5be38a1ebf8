import { describe, expect, it } from 'vitest'
import type { Approval } from '../../../src/core/approval.js'
import {
  APPROVAL_RULES,
  digestRefusal,
  type Granting,
  permitting,
  refusalToApprove,
  revocable,
} from '../../../src/core/transitions/approving.js'
import type { State } from '../../../src/core/transitions/requests.js'
import { anApproval, asked, aTask, following, NOON, stampAt } from '../builders.js'
import { states } from './cases.js'

const REQUIRED = { contract: { approval: 'required' } } as const
const waiting = following([asked.prepare(REQUIRED)])

describe('leave for what waits for it', () => {
  it('may be given', () => {
    expect(refusalToApprove(granting())).toBeNull()
  })

  it.each([
    ['unknown', 'unknown'],
    ['not executed', 'not_executed'],
  ] as const)('may be given where it is %s: a send can follow', (_, status) => {
    expect(refusalToApprove(granting({ state: withRow({ status }) }))).toBeNull()
  })

  it.each<[string, Partial<Granting>, object]>([
    [
      'it was denied',
      { state: withRow({ flags: { denied: true } }) },
      {
        rule: 'not_denied',
        code: 'refused',
        reason: 'ticket-1 was denied',
        satisfy: 'a denial is final: another intent is another operation',
      },
    ],
    [
      'it was denied on a run that is over',
      { state: withRow({ flags: { denied: true } }), task: aTask({ status: 'completed' }) },
      { rule: 'not_denied', reason: 'ticket-1 was denied, and its run is completed' },
    ],
    [
      'its run is over',
      { task: aTask({ status: 'failed' }) },
      {
        rule: 'task_open',
        code: 'refused',
        reason: 'task task-1 is failed',
        satisfy: 'another run is another task',
      },
    ],
    [
      'it is confirmed',
      { state: withRow({ status: 'confirmed' }) },
      {
        rule: 'may_be_sent',
        code: 'refused',
        reason: 'ticket-1 is confirmed: no send follows that could be approved',
        satisfy: 'see what became of it: agent-ledger show ticket-1',
      },
    ],
    [
      'a cancel is asked',
      { state: withRow({ cancel_requested_at: NOON }) },
      {
        rule: 'may_be_sent',
        reason: 'ticket-1 is prepared, and a cancel of it was asked: no send follows that could be approved',
      },
    ],
    [
      'it needs none',
      { state: states.prepared() },
      {
        rule: 'approval_needed',
        code: 'refused',
        reason: 'ticket-1 needs no approval: neither its tool nor its caller asked for one',
        satisfy: 'it is sent without; to keep it from being sent, cancel it',
      },
    ],
    [
      'the person saw something else',
      { seen: 'other' },
      {
        rule: 'digest_as_seen',
        code: 'conflict',
        reason: 'what would be sent of ticket-1 has the digest d, you name other',
        satisfy: 'look at what would be approved, and name its digest',
      },
    ],
    [
      'it is approved already',
      { approvals: [anApproval({ approver: 'ben' })] },
      {
        rule: 'not_approved_yet',
        code: 'conflict',
        reason: 'ticket-1 is approved already, by ben at 2026-03-10T12:00:00.000Z',
        satisfy: "take that back first: agent-ledger revoke --reason '…' ticket-1",
      },
    ],
  ])('is refused where %s', (_, over, refusal) => {
    expect(refusalToApprove(granting(over))).toMatchObject(refusal)
  })

  it('is refused by rules that each have an id and a title of their own', () => {
    for (const name of ['id', 'title'] as const)
      expect(new Set(APPROVAL_RULES.map(rule => rule[name])).size).toBe(APPROVAL_RULES.length)
  })
})

it('a digest is the one seen, or it is said which it is', () => {
  const operation = { operation_id: 'ticket-1' }
  expect(digestRefusal({ operation, digest: 'd', seen: 'd' })).toBeNull()
  expect(digestRefusal({ operation, digest: 'd', seen: 'e' })?.rule).toBe('digest_as_seen')
})

describe('the approval that permits the next send', () => {
  it('is the newest without a flaw', () => {
    const approvals = [
      anApproval({ approval_id: 'a-1' }),
      anApproval({ approval_id: 'a-2' }),
      anApproval({ approval_id: 'a-3', used: 1 }),
      anApproval({ approval_id: 'a-4', digest: 'e' }),
      anApproval({ approval_id: 'a-5', expires_at: NOON }),
    ]
    expect(permitting(granting({ approvals }))?.approval_id).toBe('a-2')
    expect(permitting(granting({ approvals: approvals.slice(2) }))).toBeUndefined()
  })
})

describe('an approval that can be taken back', () => {
  const revocableOf = (over: Partial<Approval>, approval_id: string | null = null) =>
    revocable(withRow({ approval_id }), [anApproval(over)]).length

  it('has a use left, or its use is under way', () => {
    expect(revocableOf({})).toBe(1)
    expect(revocableOf({ used: 1 })).toBe(0)
    expect(revocableOf({ used: 1 }, 'a-1')).toBe(1)
    expect(revocableOf({ used: 1 }, 'a-2')).toBe(0)
    expect(revocableOf({ revoked_at: NOON })).toBe(0)
    expect(revocableOf({ revoked_at: NOON, used: 1 }, 'a-1')).toBe(0)
  })
})

function granting(over: Partial<Granting> = {}): Granting {
  return { state: waiting, task: aTask(), approvals: [], digest: 'd', seen: 'd', now: stampAt(NOON), ...over }
}

function withRow(over: Partial<State['operation']>): State {
  return { ...waiting, operation: { ...waiting.operation, ...over } }
}
