import { type Approval, flawOf } from '../approval.js'
import { approvalDigest } from '../approval-digest.js'
import { isoTime } from '../iso-time.js'
import type { Operation } from '../operation.js'
import { ledgerCommand } from '../shell-word.js'
import { isTaskClosed, type Task } from '../task.js'
import type { Stamp } from '../time.js'
import { type Objection, objection } from './guards/guard.js'
import type { Refusal, State } from './requests.js'

/** A person wants to give leave, or take it back; with all that may stand against it, read in the commit that writes. */
export interface ApprovalQuestion {
  readonly state: State
  readonly task: Task
  /** oldest first */
  readonly approvals: readonly Approval[]
  /** of the operation as it is now */
  readonly digest: string
  readonly now: Stamp
}

export interface Granting extends ApprovalQuestion {
  /** the digest of what the person was shown */
  readonly seen: string
}

/**
 * Asked by who sees it as it is now. Its digest is made where the rules come to it: most operations wait for nobody's
 * leave, and `show` asks this of each.
 */
export function asSeenNow(question: Omit<Granting, 'digest' | 'seen'>): Granting {
  return {
    ...question,
    get digest() {
      return approvalDigest(question.state.operation)
    },
    get seen() {
      return this.digest
    },
  }
}

/** One reason not to approve. */
interface ApprovalRule {
  readonly id: string
  readonly title: string
  readonly code: Refusal['code']
  readonly check: (granting: Granting) => Objection | null
}

const SENDABLE: readonly string[] = ['prepared', 'unknown', 'not_executed']

/** What must hold before somebody may approve; the first that does not is told. */
export const APPROVAL_RULES: readonly ApprovalRule[] = [
  {
    id: 'not_denied',
    title: 'nobody denied it',
    code: 'refused',
    check: ({ state: { operation }, task }) =>
      operation.flags.denied
        ? objection(
            `${operation.operation_id} was denied${isTaskClosed(task.status) ? `, and its run is ${task.status}` : ''}`,
            'a denial is final: another intent is another operation',
          )
        : null,
  },
  {
    id: 'task_open',
    title: 'its run goes on',
    code: 'refused',
    check: ({ task }) =>
      isTaskClosed(task.status)
        ? objection(`task ${task.task_id} is ${task.status}`, 'another run is another task')
        : null,
  },
  {
    id: 'may_be_sent',
    title: 'a send of it can follow',
    code: 'refused',
    check: ({ state: { operation } }) =>
      SENDABLE.includes(operation.status) && operation.cancel_requested_at === null
        ? null
        : objection(
            `${operation.operation_id} is ${operation.status}${operation.cancel_requested_at === null ? '' : ', and a cancel of it was asked'}: no send follows that could be approved`,
            `see what became of it: ${ledgerCommand('show', [], operation.operation_id)}`,
          ),
  },
  {
    id: 'approval_needed',
    title: 'it needs an approval',
    code: 'refused',
    check: ({ state: { operation } }) =>
      operation.contract.approval === 'required'
        ? null
        : objection(
            `${operation.operation_id} needs no approval: neither its tool nor its caller asked for one`,
            'it is sent without; to keep it from being sent, cancel it',
          ),
  },
  {
    id: 'digest_as_seen',
    title: 'it is what the person saw',
    code: 'conflict',
    check: ({ digest, seen, state: { operation } }) => digestRefusal({ operation, digest, seen }),
  },
  {
    id: 'not_approved_yet',
    title: 'no approval of it permits the next send already',
    code: 'conflict',
    check: question => {
      const there = permitting(question)
      if (there === undefined) return null
      const { operation_id } = question.state.operation
      return objection(
        `${operation_id} is approved already, by ${there.approver} at ${isoTime(there.granted_at)}`,
        `take that back first: ${ledgerCommand('revoke', ['--reason', '…'], operation_id)}`,
      )
    },
  },
]

/** Somebody names another digest than what is there has. */
export function digestRefusal({
  operation,
  digest,
  seen,
}: Pick<Granting, 'digest' | 'seen'> & {
  readonly operation: Pick<Operation, 'operation_id'>
}): Refusal | null {
  if (digest === seen) return null
  return {
    rule: 'digest_as_seen',
    code: 'conflict',
    reason: `what would be sent of ${operation.operation_id} has the digest ${digest}, you name ${seen}`,
    satisfy: 'look at what would be approved, and name its digest',
  }
}

/** Why it may not be approved; null: it may. */
export function refusalToApprove(granting: Granting): Refusal | null {
  for (const { id, code, check } of APPROVAL_RULES) {
    const found = check(granting)
    if (found !== null) return { rule: id, code, ...found }
  }
  return null
}

/** The approval that permits the next send, if one does. */
export function permitting({ state, approvals, digest, now }: ApprovalQuestion): Approval | undefined {
  const { operation } = state
  return approvals.findLast(approval => flawOf(approval, { operation, digest, now }) === null)
}

/** Approvals that can be taken back: those that permit a send now, or could again. */
export function revocable(
  { operation }: Pick<State, 'operation'>,
  approvals: readonly Approval[],
): readonly Approval[] {
  return approvals.filter(
    ({ approval_id, revoked_at, used, uses }) =>
      revoked_at === null && (used < uses || approval_id === operation.approval_id),
  )
}
