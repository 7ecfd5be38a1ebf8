import { LedgerError } from '../core/errors.js'
import type { Intent, Operation } from '../core/operation.js'
import { otherIntent } from '../core/transitions/other-intent.js'
import type { Refusal, State, Step } from '../core/transitions/requests.js'
import { differentInput, refusedBy } from '../execute/refused.js'
import type { Change } from '../store/store.js'
import { type Call, intentOf } from './call.js'
import { recordRefusal } from './decide.js'
import { storedText } from './decisions.js'
import { byOf, type Session } from './session.js'
import { unknownOperation } from './unknown-id.js'

/** An edit of what was not sent yet. */
export interface SupersedeOptions {
  /** the whole new call, under an id of its own and in the same task */
  readonly call: Call
  readonly reason: string
}

export interface Superseded {
  /** cancelled, its approvals taken back */
  readonly old: Operation
  /** prepared, and not approved: another input is another approval */
  readonly operation: Operation
}

/**
 * An edit is a new operation: one commit cancels the old one, takes its approvals back and prepares the new one. Asked
 * for again after a restart it changes nothing. @throws LedgerError not_found, invalid_input, different_input, conflict,
 * refused when any attempt of the old one was sent
 */
export async function supersede(
  session: Session,
  operationId: string,
  { call, reason }: SupersedeOptions,
): Promise<Superseded> {
  const { store, mask, isOwnerGone } = session
  const intent: Intent = { ...intentOf(session, call), supersedes: operationId }
  const said = storedText(reason, 'reason', mask)
  const old = await store.operation(operationId)
  if (old === null) throw await unknownOperation(store, operationId)
  checkEdit(intent, old.operation)
  const there = await store.operation(intent.operation_id)
  if (there !== null) return attached(there.operation, { intent, old: old.operation })
  const common = { by: byOf(session), isOwnerGone, onRefusal: 'undo' } as const
  const cancelled: Change = {
    ...common,
    operation_id: operationId,
    revoke_approvals: `superseded by ${intent.operation_id}: ${said}`,
    plan: state => (state === null ? [] : stepsToCancel(state, intent.operation_id, said)),
  }
  const prepared: Change = {
    ...common,
    operation_id: intent.operation_id,
    task_id: intent.task_id,
    plan: state => (state === null ? [{ request: { type: 'prepare', intent } }] : taken(intent)),
  }
  const { done, changed } = await store.changeAll([cancelled, prepared], { skipConflicts: false })
  const refusal = changed.find(one => one.refusal !== null)?.refusal ?? null
  if (refusal !== null) throw await refusedOnRecord(session, operationId, { refusal, reason: said })
  const [after, next] = changed.map(({ state }) => state?.operation)
  if (!done || after === undefined || next === undefined) throw await unknownOperation(store, operationId)
  return { old: after, operation: next }
}

function checkEdit(intent: Intent, old: Operation): void {
  const wrong =
    intent.operation_id === old.operation_id
      ? 'an edit is a new operation: give it an id of its own'
      : intent.task_id !== old.task_id
        ? `an edit stays in its task, ${old.task_id}`
        : null
  if (wrong !== null)
    throw new LedgerError('invalid_input', `${old.operation_id}: ${wrong}`, {
      id: intent.operation_id,
      path: 'call',
    })
}

function attached(there: Operation, { intent, old }: { readonly intent: Intent; readonly old: Operation }) {
  const other = otherIntent(there, intent)
  if (other !== null) throw differentInput(intent.operation_id, other)
  if (there.supersedes !== old.operation_id) throw refusedBy(taken(intent), intent.operation_id)
  return { old, operation: there }
}

function taken({ operation_id }: Intent): Refusal {
  return {
    rule: 'id_unused',
    code: 'conflict',
    reason: `${operation_id} is there already, and replaces nothing`,
    satisfy: 'give the edit an id of its own',
  }
}

function stepsToCancel(
  { operation }: State,
  superseded_by: string,
  reason: string,
): readonly Step[] | Refusal {
  const { operation_id, status, attempt } = operation
  if (attempt > 0)
    return {
      rule: 'never_sent',
      code: 'refused',
      reason: `${operation_id} was sent already (${attempt === 1 ? '1 attempt' : `${attempt} attempts`}): it is ${status}`,
      satisfy:
        'what was sent is not edited: settle it, undo it where that is wanted, then prepare another one',
    }
  if (status !== 'prepared')
    return {
      rule: 'not_settled_yet',
      code: 'conflict',
      reason: `${operation_id} is settled already: ${status}`,
      satisfy: 'prepare the new one as an operation of its own',
    }
  return [{ request: { type: 'cancel', reason, expected_version: null, superseded_by } }]
}

async function refusedOnRecord(
  session: Session,
  operation_id: string,
  { refusal, reason }: { readonly refusal: Refusal; readonly reason: string },
): Promise<LedgerError> {
  const about = { decision: 'supersede', rule: refusal.rule, why: refusal.reason, reason }
  await recordRefusal(session, { operation_id }, about)
  return refusedBy(refusal, operation_id)
}
