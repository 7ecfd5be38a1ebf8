import { type Compensation, compensationOf, UNDOING_WORDS, type Undoing } from '../core/compensation.js'
import { LedgerError } from '../core/errors.js'
import type { Intent, Operation } from '../core/operation.js'
import type { Refusal } from '../core/transitions/requests.js'
import type { StoreReader } from '../store/store.js'
import { intentOf } from './call.js'
import { recordRefusal } from './decide.js'
import { type DecisionOptions, storedText } from './decisions.js'
import { byOf, type Session } from './session.js'
import { unknownOperation } from './unknown-id.js'

/** What undoing an operation comes to. */
export type Compensable = {
  readonly operation: Operation
  /** what undoing can come to at all, by the effect of the operation */
  readonly possible: string
} & (
  | { readonly kind: 'new'; readonly intent: Intent }
  /** an operation that undoes it is on its way, or done */
  | { readonly kind: 'there'; readonly undoing: Undoing }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
)

export interface Compensating {
  /** what is undone; it stays confirmed */
  readonly undone: Operation
  /** what undoes it: an operation of its own, prepared unless it was there already */
  readonly operation: Operation
  readonly isNew: boolean
}

export type CompensatingSession = Pick<Session, 'config'> & { readonly store: StoreReader }

/** Tells what the compensation that its tool declares would be; nothing is written. @throws LedgerError not_found */
export async function compensable(session: CompensatingSession, operationId: string): Promise<Compensable> {
  const record = await session.store.operation(operationId)
  if (record === null) throw await unknownOperation(session.store, operationId)
  const { operation, external_ids, undone_by } = record
  const answer = compensationOf({ operation, external_ids, undoings: undone_by })
  const about = { operation, possible: UNDOING_WORDS[operation.effect ?? 'undeclared'] }
  if (answer.kind !== 'new') return { ...about, ...answer }
  return { ...about, kind: 'new', intent: intentOfCompensation(session, operation, answer.compensation) }
}

function intentOfCompensation(
  session: CompensatingSession,
  undone: Operation,
  { operation_id, declared, input, target }: Compensation,
): Intent {
  const { tool, effect, repeat, contract } = declared
  return intentOf(session, {
    id: operation_id,
    task: undone.task_id,
    tool,
    input,
    compensates: undone.operation_id,
    ...(target === null ? {} : { target }),
    ...(effect === undefined ? {} : { effect }),
    ...(repeat === undefined ? {} : { repeat }),
    ...(contract === undefined ? {} : { contract }),
    ...(undone.phase === null ? {} : { phase: undone.phase }),
  })
}

/**
 * Writes down the compensation that the tool of a confirmed operation declares, as an operation of its own: own id, own
 * key, own approval. It is sent by whoever carries its tool out, and its `send` asks again whether there is something to
 * undo. Asked for again it answers with the one that is there. @throws LedgerError not_found, conflict, refused
 */
export async function compensate(
  session: Session,
  operationId: string,
  given: DecisionOptions,
): Promise<Compensating> {
  const { store, mask, isOwnerGone } = session
  const reason = storedText(given.reason, 'reason', mask)
  const found = await compensable(session, operationId)
  const { operation: undone } = found
  const changed = versionRefusal(undone, given) ?? (reason.trim() === '' ? NO_REASON : null)
  if (changed !== null) throw await refusedOnRecord(session, operationId, { refusal: changed, reason })
  if (found.kind === 'refused')
    throw await refusedOnRecord(session, operationId, { refusal: found.refusal, reason })
  if (found.kind === 'there') return existing(session, undone, found.undoing.operation_id)
  const { intent } = found
  const { operation_id, task_id } = intent
  let isNew = false
  const { state, refusal } = await store.change({
    operation_id,
    task_id,
    by: byOf(session),
    isOwnerGone,
    onRefusal: 'undo',
    plan: there => {
      // another caller may have been first since the look
      isNew = there === null
      return isNew ? [{ request: { type: 'prepare', intent } }] : []
    },
    tells: { about: operationId, type: 'compensate', body: { operation_id, reason } },
  })
  if (refusal !== null) throw await refusedOnRecord(session, operationId, { refusal, reason })
  if (state === null) throw await unknownOperation(store, operation_id)
  return { undone, operation: state.operation, isNew }
}

async function existing({ store }: Session, undone: Operation, id: string): Promise<Compensating> {
  const there = await store.operation(id)
  if (there === null) throw await unknownOperation(store, id)
  return { undone, operation: there.operation, isNew: false }
}

const NO_REASON: Refusal = {
  rule: 'reason_given',
  code: 'refused',
  reason: 'no reason was given',
  satisfy: 'give --reason',
}

function versionRefusal(
  { operation_id, version }: Operation,
  { expectVersion }: DecisionOptions,
): Refusal | null {
  if (expectVersion === undefined || expectVersion === version) return null
  return {
    rule: 'version_as_seen',
    code: 'conflict',
    reason: `${operation_id} is at version ${version} now, you looked at version ${expectVersion}`,
    satisfy: 'look again, then decide anew',
  }
}

async function refusedOnRecord(
  session: Session,
  operation_id: string,
  { refusal, reason }: { readonly refusal: Refusal; readonly reason: string },
): Promise<LedgerError> {
  const { rule, code, reason: why, satisfy } = refusal
  const facts = await recordRefusal(session, { operation_id }, { decision: 'compensate', rule, why, reason })
  return new LedgerError(code, why, { id: operation_id, rule, hint: satisfy, facts })
}
