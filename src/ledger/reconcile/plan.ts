import type { ReconcileBody, ReconcileOutcome } from '../../core/documents/reconcile.js'
import { isInDoubt } from '../../core/in-doubt.js'
import { isoTime } from '../../core/iso-time.js'
import { isSettled, type Operation } from '../../core/operation.js'
import { verificationOf } from '../../core/verification.js'
import { planProbe } from '../../probes/index.js'
import type { OperationRecord, StoreReader } from '../../store/store.js'
import type { Session } from '../session.js'
import { unknownOperation } from '../unknown-id.js'
import { chosenProbes, probeFacts, probeWorld } from './chosen-probe.js'

/** What planning a look stands on: a ledger that is open for reading has all of it. */
export type PlanningSession = Pick<Session, 'clock' | 'isOwnerGone' | 'config' | 'outside' | 'mask'> & {
  readonly store: StoreReader
}

export interface Planning {
  /** ask although a look says nothing new before its time */
  readonly early: boolean
  readonly signal: AbortSignal
}

/** What would be asked about one operation; nothing is sent and nothing is written. @throws LedgerError not_found */
export async function wouldAsk(
  session: PlanningSession,
  operation_id: string,
  planning: Planning,
): Promise<ReconcileBody> {
  const record = await recordOf(session, operation_id)
  const plan = planOf(session, record, planning)
  if ('outcome' in plan) return body(record.operation, plan)
  const { problem, requests } = plan
  return body(record.operation, {
    outcome: 'planned',
    reason: problem ?? 'a dry run: nothing was sent',
    requests,
  })
}

/** How one is asked about, or why it is not. */
export function planOf(session: PlanningSession, record: OperationRecord, { early, signal }: Planning) {
  const idle = nothingToAsk(session, record) ?? (early ? null : tooSoon(session, record.operation))
  if (idle !== null) return idle
  const chosen = chosenProbes(session, record)
  const { outside } = session
  if ('problem' in chosen || outside === undefined) return notAsked(chosen)
  const { probes } = chosen
  const facts = probeFacts(record)
  const world = probeWorld(session, outside, signal)
  const planned = probes.flatMap(probe => planProbe(probe, facts, world))
  const requests = planned.map(({ what }) => session.mask.text(what))
  return { probes, facts, world, requests, problem: planned.find(one => one.problem !== undefined)?.problem }
}

function notAsked(chosen: ReturnType<typeof chosenProbes>): Idle {
  return {
    outcome: 'not_asked',
    reason: 'problem' in chosen ? chosen.problem : 'this ledger was opened without the means to ask',
    waits_for: 'person',
  }
}

/** @throws LedgerError not_found, with ids near it */
export async function recordOf(
  { store }: Pick<PlanningSession, 'store'>,
  operation_id: string,
): Promise<OperationRecord> {
  const record = await store.operation(operation_id)
  if (record === null) throw await unknownOperation(store, operation_id)
  return record
}

/** What is said of one that is not asked about. */
export type Idle = Partial<ReconcileBody> & { readonly outcome: ReconcileOutcome; readonly reason: string }

function nothingToAsk({ clock, isOwnerGone }: PlanningSession, record: OperationRecord): Idle | null {
  const { operation } = record
  const { status, may_have_applied, lease_owner, lease_expires_at, attempt } = operation
  // What a person said may be asked about: then a machine says it too, or something else.
  const verification = verificationOf(record)
  if (status === 'confirmed' && (verification === null || verification === 'verified'))
    return { outcome: 'settled', reason: 'it is confirmed' }
  if (isSettled(status))
    return attempt === 0
      ? { outcome: 'settled', reason: `it is ${status}, and nothing of it was sent` }
      : null
  if (status === 'prepared' && !may_have_applied)
    return { outcome: 'settled', reason: 'nothing of it was sent that may have taken effect' }
  const isAlive = status === 'in_flight' && !isInDoubt(operation, { now: clock(), isOwnerGone })
  if (!isAlive || lease_owner === 'remote' || lease_expires_at === null) return null
  return {
    outcome: 'not_yet',
    reason: `its executor holds it until ${isoTime(lease_expires_at)}`,
    waits_for: 'time',
    next_look_at: isoTime(lease_expires_at),
  }
}

function tooSoon({ clock }: PlanningSession, { next_look_at }: Operation): Idle | null {
  if (next_look_at === null || next_look_at <= clock().at) return null
  return {
    outcome: 'not_yet',
    reason: `a look says nothing new before ${isoTime(next_look_at)}`,
    waits_for: 'time',
    next_look_at: isoTime(next_look_at),
  }
}

export function body(operation: Operation, said: Idle): ReconcileBody {
  const { operation_id, task_id, tool, status, version } = operation
  // An attempt that came to nothing may have been the last one in doubt.
  const isOver = said.outcome === 'in_doubt' && said.waits_for !== 'person' && isSettled(status)
  return {
    operation_id,
    task_id,
    tool,
    status,
    version,
    rule: null,
    external_ids: [],
    duplicates: false,
    candidates: [],
    facts: [],
    waits_for: null,
    next_look_at: null,
    requests: [],
    ...said,
    ...(isOver && (status === 'confirmed' || status === 'not_executed')
      ? { outcome: status, waits_for: null }
      : {}),
  }
}
