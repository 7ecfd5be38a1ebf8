import type { Operation } from '../core/operation.js'
import type { Stamp } from '../core/time.js'
import { type Decision, type Preview, previewDecision } from '../core/transitions/by-person.js'
import type { Context } from '../core/transitions/requests.js'
import type { Claim, OperationRecord, StoreReader } from '../store/store.js'
import type { Session } from './session.js'
import { unknownOperation } from './unknown-id.js'

/** What a decision would do to an operation as it is now, and what a person should know before they say yes. */
export interface Previewed extends Preview {
  readonly before: Operation
  /** when it was told */
  readonly now: Stamp
  readonly task: OperationRecord['task']
  /** another person says they are looking at it */
  readonly claimed_by_other: Claim | null
}

/** Reads the operation and tells; nothing is written. */
export async function preview(
  session: Pick<Session, 'clock' | 'actor' | 'isOwnerGone'> & { readonly store: StoreReader },
  decision: Decision,
): Promise<Previewed> {
  const { store, actor } = session
  const record = await store.operation(decision.operation_id)
  if (record === null) throw await unknownOperation(store, decision.operation_id)
  const { operation, attempts, task, claim } = record
  const context = contextOf(session, record)
  return {
    before: operation,
    now: context.now,
    task,
    claimed_by_other: claim !== null && claim.actor !== actor && claim.until > context.now.at ? claim : null,
    ...previewDecision({ operation, attempts }, decision, context),
  }
}

/** What the guards of a person's decision may look at. The commit reads everything again and decides for itself. */
export function contextOf(
  { clock, actor, isOwnerGone }: Pick<Session, 'clock' | 'actor' | 'isOwnerGone'>,
  { operation, task, external_ids, target_touched }: OperationRecord,
): Context {
  return {
    now: clock(),
    actor,
    evidence: [],
    task,
    owner_gone: operation.lease_owner !== null && isOwnerGone(operation.lease_owner),
    target_touched,
    clock_doubt: false,
    approval: null,
    approval_digest: null,
    compensated: null,
    same_write: null,
    known_external_ids: external_ids,
    new_incarnation: false,
  }
}
