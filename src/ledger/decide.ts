import { isLedgerError, LedgerError } from '../core/errors.js'
import type { JsonObject } from '../core/json.js'
import type { Operation } from '../core/operation.js'
import { type StillSending, stillSending } from '../core/still-sending.js'
import type { Task } from '../core/task.js'
import { type Decision, planDecision } from '../core/transitions/by-person.js'
import type { Refusal, State } from '../core/transitions/requests.js'
import { undoOfDecision } from '../core/undo.js'
import type { Change, Changed, SubjectRef } from '../store/store.js'
import { byOf, type Session } from './session.js'
import { unknownOperation } from './unknown-id.js'
import { whoDecided } from './who-decided.js'

/** A decision that was carried out, and what it changed. */
export interface Decided {
  readonly decision: Decision['type']
  readonly operation_id: string
  readonly before: Operation
  readonly after: Operation
  readonly task: Task | null
  /** true: the same decision_id was carried out before, and nothing was written now */
  readonly repeated: boolean
  /** attempts whose bytes may still leave */
  readonly still_sending: readonly StillSending[]
  /** the command that takes it back, to paste and complete; null where there is none */
  readonly undo: string | null
}

/**
 * Carries out a person's decision in one commit. One that is refused is recorded as an event of the ledger.
 * @throws LedgerError not_found, conflict (with who decided what and when), refused (with the rule and what satisfies it)
 */
export async function decideOn(session: Session, decision: Decision, decision_id?: string): Promise<Decided> {
  const { store } = session
  const { operation_id } = decision
  const made = changeOf(session, decision, decision_id)
  const changed = await store.change(made.change)
  const { state, refusal } = changed
  if (state === null) throw await unknownOperation(store, operation_id)
  if (refusal !== null) throw await refused(session, { decision, refusal })
  return made.outcome(changed, state)
}

export interface Many {
  /** those carried out, in the order given */
  readonly decided: readonly Decided[]
  /** those left out because somebody else changed them meanwhile */
  readonly skipped: readonly LedgerError[]
}

/**
 * Carries out several decisions in one commit: all of them, or none. With `skipChanged` those that somebody else changed
 * since they were looked at are left out instead. Refusals are recorded.
 * @throws LedgerError as decideOn, naming the first that stood against it
 */
export async function decideOnAll(
  session: Session,
  decisions: readonly Decision[],
  { skipChanged = false }: { readonly skipChanged?: boolean } = {},
): Promise<Many> {
  const { store } = session
  const made = decisions.map(decision => changeOf(session, decision))
  const { done, changed } = await store.changeAll(
    made.map(({ change }) => change),
    { skipConflicts: skipChanged },
  )
  const decided: Decided[] = []
  const against: LedgerError[] = []
  for (const [i, one] of made.entries()) {
    const [decision, answer] = [decisions[i], changed[i]]
    if (decision === undefined || answer === undefined) continue
    const { state, refusal } = answer
    if (state === null) against.push(await unknownOperation(store, decision.operation_id))
    else if (refusal !== null) against.push(await refused(session, { decision, refusal }))
    else if (done) decided.push(one.outcome(answer, state))
  }
  const [first] = against
  if (!done && first !== undefined) throw noneOf(decisions.length, first, against)
  return { decided, skipped: against }
}

/** The first that stood against all, and which others did. */
function noneOf(count: number, first: LedgerError, against: readonly LedgerError[]): LedgerError {
  const { code, message, id, rule, hint, facts } = first
  const others = against.slice(1).map(({ id }) => id ?? '')
  return new LedgerError(code, count === 1 ? message : `none of ${count} was decided: ${message}`, {
    ...(id === undefined ? {} : { id }),
    ...(rule === undefined ? {} : { rule }),
    hint,
    facts: { ...facts, ...(others.length === 0 ? {} : { and_also: others }) },
  })
}

interface Made {
  readonly change: Change
  readonly outcome: (changed: Changed, state: State) => Decided
}

/** The change that carries a decision out, and what it comes to once it was made. */
function changeOf(session: Session, decision: Decision, decision_id?: string): Made {
  const { isOwnerGone } = session
  const { operation_id, type } = decision
  const by = byOf(session)
  let before: State | null = null
  return {
    change: {
      operation_id,
      by,
      isOwnerGone,
      onRefusal: 'undo',
      ...(decision_id === undefined ? {} : { decision_id }),
      ...(type === 'deny' ? { revoke_approvals: `denied: ${decision.reason}` } : {}),
      plan: (state, context) => {
        before = state
        if (state === null) return []
        const planned = planDecision(state, decision, context)
        return planned.ok ? planned.steps : planned.refusal
      },
    },
    outcome: ({ task, repeated }, state) => {
      const was: State = before ?? state
      return {
        decision: type,
        operation_id,
        before: was.operation,
        after: state.operation,
        task,
        repeated,
        still_sending: stillSending(state.attempts, { now: by.clock().at, isOwnerGone }),
        undo: undoOfDecision(type, was.operation),
      }
    },
  }
}

/** Writes a refusal into the ledger's own chain and makes the error of it. */
export async function refused(
  session: Session,
  { decision, refusal }: { readonly decision: Decision; readonly refusal: Refusal },
): Promise<LedgerError> {
  const { operation_id, type, reason, expected_version } = decision
  const { rule, code, satisfy } = refusal
  const second = {
    operation_id,
    since: rule === 'version_as_seen' ? expected_version : null,
    ...(rule === 'cancel_not_asked_yet' ? { type: 'cancel' } : {}),
    ...(rule === 'not_denied_yet' ? { type: 'deny' } : {}),
  }
  const facts = code === 'conflict' ? await whoDecided(session.store, second) : {}
  const unrecorded = await recordRefusal(
    session,
    { operation_id },
    {
      decision: type,
      rule,
      why: refusal.reason,
      reason,
      expected_version,
    },
  )
  return new LedgerError(code, refusal.reason, {
    id: operation_id,
    rule,
    hint: satisfy,
    facts: { ...facts, ...unrecorded },
  })
}

/** The record of a refused decision must not hide why it was refused: when it cannot be written, the error says so. */
export async function recordRefusal(
  session: Session,
  about: SubjectRef,
  body: JsonObject,
): Promise<{ readonly not_recorded?: string }> {
  try {
    await session.store.record('refused', about, body, byOf(session))
    return {}
  } catch (error) {
    if (!isLedgerError(error)) throw error
    return { not_recorded: error.message }
  }
}
