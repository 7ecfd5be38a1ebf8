import type { Attempt } from '../../core/attempt.js'
import type { Operation } from '../../core/operation.js'
import type { Stamp } from '../../core/time.js'
import type { NewEvent } from '../../core/transitions/events.js'
import { unwritten } from '../../core/transitions/evolve.js'
import type { Context, EventType, State } from '../../core/transitions/requests.js'
import { ATTEMPTS, OPERATIONS } from '../columns.js'
import type { Sql } from '../engine.js'
import type { Changed } from '../store.js'
import { type StoredBody, storedBody } from '../stored-body.js'
import { useApproval } from './approvals.js'
import type { DecidedMove, TaskOfChange } from './change.js'
import { appendEvent, type Writing } from './events.js'
import { type ChainedEvidence, chainEvidence, type EvidenceHead, insertEvidence } from './evidence.js'
import { addExternalIds } from './external-ids.js'
import type { Stored } from './operations.js'
import { type Extra, insertRecord, updateRecord } from './records.js'
import { writeTask } from './tasks.js'

export interface MovesToWrite {
  readonly stored: Stored | null
  readonly moves: readonly DecidedMove[]
  readonly context: Context
  readonly task: TaskOfChange
  readonly incarnation: number
  readonly decision_id: string | null
}

/**
 * Writes what was decided: the row once, as the last move leaves it, held to the version and status that were
 * read; then attempts, evidence and ids; then one event a move, each in the chain.
 */
export function* writeMoves(writing: Writing, all: MovesToWrite): Sql<Omit<Changed, 'refusal' | 'repeated'>> {
  const { stored, moves, context, task } = all
  const { actor } = context
  const chained = chainAll(writing, all)
  const state = withEvidence(moves.at(-1)?.after, chained.end)
  const row = task.isNew ? yield* openTask(writing, task, actor) : task.row
  yield* writeRow(all, state, chained.end)
  yield* writeAttempts(stored?.attempts ?? [], state.attempts)
  yield* insertEvidence(chained.moves.flatMap(move => move.evidence))
  yield* addExternalIds(state.operation.operation_id, {
    known: context.known_external_ids,
    added: moves.flatMap(move => move.event.body.external_ids ?? []),
    at: writing.stamp.at,
  })
  const first = stored?.operation.version ?? 0
  const events: { n: number; type: EventType }[] = []
  for (const move of chained.moves) {
    const { event } = move
    const n = first + events.length + 1
    if (event.body.set?.approval_id) yield* useApproval(event.body.set.approval_id)
    yield* appendEvent(writing, {
      subject: 'operation',
      subject_id: state.operation.operation_id,
      n,
      type: event.type,
      decision_id: events.length === 0 ? all.decision_id : null,
      actor,
      body: bodyOf(move, state.operation, writing.stamp),
    })
    events.push({ n, type: event.type })
  }
  return { state, task: row, events }
}

function bodyOf({ event, before, evidence }: ChainedMove, row: Operation, stamp: Stamp): StoredBody {
  const body =
    evidence.length === 0
      ? event.body
      : { ...event.body, evidence: evidence.map(({ n, hash }) => ({ n, hash })) }
  return storedBody({ ...event, body }, { before, row, stamp })
}

interface ChainedMove {
  readonly event: NewEvent
  readonly before: Operation
  readonly evidence: readonly ChainedEvidence[]
}

/** Numbers and hashes of the evidence are known before it is inserted: the row is written first. */
function chainAll(writing: Writing, { stored, moves, context }: MovesToWrite) {
  let end: EvidenceHead = stored?.evidence ?? { count: 0, head: null }
  const chained: ChainedMove[] = []
  let before = stored?.operation ?? unwritten(moves[0]?.after.operation.operation_id ?? '', context.now.at)
  for (const { event, evidence, after } of moves) {
    const added = chainEvidence(writing, {
      operation_id: after.operation.operation_id,
      actor: context.actor,
      evidence,
      after: end,
    })
    chained.push({ event, before, evidence: added.evidence })
    before = after.operation
    end = added.end
  }
  return { moves: chained, end }
}

function withEvidence(after: State | undefined, { count }: EvidenceHead): State {
  if (after === undefined) throw new Error('moves are written where there is at least one')
  return { ...after, operation: { ...after.operation, evidence_count: count } }
}

function openTask(writing: Writing, { row }: TaskOfChange, actor: string) {
  const body = { from: null, to: row.status, set: { epoch: row.epoch } }
  return writeTask(writing, { task_id: row.task_id, before: null, type: 'open', body, actor })
}

function* writeRow(
  { stored, moves, incarnation }: MovesToWrite,
  { operation }: State,
  end: EvidenceHead,
): Sql<void> {
  const isMadeReady = moves.some(({ event }) => MAKE_READY.has(event.type))
  const readyIn: Extra = isMadeReady ? { incarnation } : {}
  if (stored === null) {
    yield* insertRecord(OPERATIONS, operation, { evidence_head: end.head, ...readyIn })
    return
  }
  const { operation: before } = stored
  const isWritten = yield* updateRecord(OPERATIONS, {
    before,
    after: operation,
    extra: end.count === stored.evidence.count ? readyIn : { evidence_head: end.head, ...readyIn },
    where: { operation_id: before.operation_id, version: before.version, status: before.status },
  })
  if (!isWritten) throw new Error(`${before.operation_id} changed inside the commit that holds the lock`)
}

/** Moves after which nothing of an earlier incarnation of the ledger can have been sent unseen. */
const MAKE_READY: ReadonlySet<EventType> = new Set(['prepare', 'allow_retry', 'rerun', 'schedule_retry'])

function* writeAttempts(before: readonly Attempt[], after: readonly Attempt[]): Sql<void> {
  for (const attempt of after) {
    const known = before.find(({ n }) => n === attempt.n)
    if (known === undefined) {
      yield* insertRecord(ATTEMPTS, attempt)
    } else if (known !== attempt) {
      const where = { operation_id: attempt.operation_id, n: attempt.n }
      yield* updateRecord(ATTEMPTS, { before: known, after: attempt, where })
    }
  }
}
