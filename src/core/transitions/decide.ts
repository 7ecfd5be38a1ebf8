import type { AttemptEnd } from '../attempt.js'
import { isAttemptInDoubt } from '../attempt.js'
import type { OperationStatus } from '../operation.js'
import type { EventBody, NewEvent, Settable } from './events.js'
import { unwritten } from './evolve.js'
import { versionAsSeen } from './guards/decision.js'
import type { Guard, Move } from './guards/guard.js'
import { additionOf } from './record.js'
import { importedFirst } from './record-import.js'
import { additionOfPrepare } from './record-prepare.js'
import type { Context, EventType, Refusal, Request, State } from './requests.js'
import { TRANSITIONS } from './table.js'
import type { Transition } from './transition.js'

export type Decided =
  | { readonly ok: true; readonly event: NewEvent; readonly transition: Transition }
  | { readonly ok: false; readonly refusal: Refusal }

/**
 * What becomes of a request: the event that the table allows, or the first guard that refuses it. Pure: the
 * same state, request and context give the same answer, and nothing is written here.
 */
export function decide(state: State | null, request: Request, context: Context): Decided {
  if (state === null) return decideFirst(request, context)
  if (request.type === 'prepare')
    return refuse('id_unused', 'conflict', 'the operation id is taken', 'attach to it')
  const move: Move = { state, request, context }
  const rows = rowsFrom(request.type, state.operation.status)
  const row = rows.find(({ when = [] }) => when.every(guard => guard.check(move) === null))
  if (row === undefined) return refuseMove(rows, move)
  const refusal = firstRefusal(row.guards ?? [], move)
  if (refusal !== null) return { ok: false, refusal }
  return { ok: true, transition: row, event: eventOf(row, move) }
}

/** The rows of the table that begin a move. */
function rowsFrom(event: EventType, status: OperationStatus | 'none'): readonly Transition[] {
  return ROWS_BY_MOVE.get(`${event} ${status}`) ?? []
}

const ROWS_BY_MOVE = rowsByMove()

function rowsByMove(): ReadonlyMap<string, readonly Transition[]> {
  const rows = new Map<string, Transition[]>()
  for (const row of TRANSITIONS)
    for (const status of row.from) {
      const move = `${row.event} ${status}`
      rows.set(move, [...(rows.get(move) ?? []), row])
    }
  return rows
}

function decideFirst(request: Request, context: Context): Decided {
  if (request.type !== 'prepare' && request.type !== 'import')
    return refuse('is_prepared', 'refused', 'there is no such operation', 'prepare it first')
  const operation = unwritten(request.intent.operation_id, context.now.at)
  const move: Move = { state: { operation, attempts: [] }, request, context }
  const row = rowsFrom(request.type, 'none').find(({ when = [] }) =>
    when.every(guard => guard.check(move) === null),
  )
  if (row === undefined) return refuse('no_such_move', 'refused', 'no operation begins so', 'see its status')
  const refusal = firstRefusal(row.guards ?? [], move)
  if (refusal !== null) return { ok: false, refusal }
  const { large, ...body } =
    request.type === 'prepare' ? additionOfPrepare(request, context) : importedFirst(request, context)
  return {
    ok: true,
    transition: row,
    event: { type: request.type, body: { from: null, to: row.to, ...body }, large },
  }
}

/** Body = what every move writes by its row in the table, and what this request adds. */
function eventOf(row: Transition, move: Move): NewEvent {
  const { operation } = move.state
  const {
    set,
    ends = [],
    attempt,
    attempts,
    reason,
    quota,
    facts,
    external_ids,
    large = {},
  } = additionOf(move, row.to)
  const liveEnds = endOfLive(row, move)
  // a record of another system says itself how the attempt ended that it told of before
  const isEndSaid = move.request.type === 'import' && ends.some(end => end.n === liveEnds?.n)
  const allEnds =
    liveEnds === null || isEndSaid ? ends : [liveEnds, ...ends.filter(end => end.n !== liveEnds.n)]
  const body: { -readonly [K in keyof EventBody]: EventBody[K] } = {
    from: operation.status,
    to: row.to,
    set: row.fences
      ? { ...spentGrant(move, allEnds), lease_fence: operation.lease_fence + 1, ...set }
      : { ...spentGrant(move, allEnds), ...set },
  }
  if (attempt !== undefined) body.attempt = attempt
  if (attempts !== undefined && attempts.length > 0) body.attempts = attempts
  if (allEnds.length > 0) body.ends = allEnds
  if (external_ids !== undefined && external_ids.length > 0) body.external_ids = external_ids
  if (reason !== undefined) body.reason = reason
  if (quota !== undefined) body.quota = quota
  if (facts !== undefined) body.facts = facts
  return { type: move.request.type, body, large }
}

/** Whatever takes a row out of `in_flight` ends the attempt that was live. */
function endOfLive(row: Transition, { state: { operation, attempts }, request }: Move) {
  if (operation.status !== 'in_flight' || row.liveEnds === undefined) return null
  const live = attempts.find(attempt => attempt.n === operation.attempt && attempt.end === null)
  if (live === undefined) return null
  // a late receipt may be the live attempt's own, after its fence was raised by a cancel of hands
  if (request.type === 'late_result' && request.attempt === live.n) return null
  return {
    n: live.n,
    end: row.liveEnds,
    ...('error' in request && request.error ? { error: request.error } : {}),
  }
}

/** A granted attempt is spent by the first that does not end `not_applied`; an approval's use likewise. */
function spentGrant(
  { state: { operation, attempts } }: Move,
  ends: NonNullable<EventBody['ends']>,
): Settable {
  const newest = attempts.find(({ n }) => n === operation.attempt)
  // an end that is told again, or better known later, spends nothing: the grant may be for the next attempt
  if (newest === undefined || newest.end !== null) return {}
  if (!ends.some(({ n, end }) => n === newest.n && isSpending(end))) return {}
  return {
    ...(operation.extra_attempts > 0 ? { extra_attempts: operation.extra_attempts - 1 } : {}),
    ...(operation.approval_id !== null && ends.some(({ end }) => end === 'ambiguous')
      ? { approval_id: null }
      : {}),
  }
}

function isSpending(end: AttemptEnd): boolean {
  return end === 'applied' || end === 'ambiguous'
}

function firstRefusal(guards: readonly Guard[], move: Move): Refusal | null {
  for (const guard of guards) {
    const found = guard.check(move)
    if (found !== null) return { rule: guard.id, code: guard.code, ...found }
  }
  return null
}

function refuseMove(rows: readonly Transition[], move: Move): Decided {
  const { status, operation_id } = move.state.operation
  // a person who looked at another version is told that first: somebody else decided meanwhile
  const changed = firstRefusal([versionAsSeen], move)
  if (changed !== null) return { ok: false, refusal: changed }
  const last = rows.at(-1)
  const refusal = last === undefined ? null : firstRefusal(last.when ?? [], move)
  if (refusal !== null) return { ok: false, refusal }
  return refuse(
    'no_such_move',
    'refused',
    `${operation_id} is ${status}: ${verb(move.request)} does not apply`,
    advice(move, status),
  )
}

function advice(move: Move, status: OperationStatus): string {
  const from = TRANSITIONS.filter(row => row.event === move.request.type).flatMap(row => row.from)
  const doubt =
    move.state.attempts.some(isAttemptInDoubt) && status !== 'confirmed'
      ? '; an attempt is still in doubt'
      : ''
  return `it applies to an operation that is ${[...new Set(from)].join(', ')}${doubt}`
}

function verb(request: Request): string {
  return request.type.replaceAll('_', ' ')
}

function refuse(rule: string, code: Refusal['code'], reason: string, satisfy: string): Decided {
  return { ok: false, refusal: { rule, code, reason, satisfy } }
}
