import type { Attempt } from '../../core/attempt.js'
import type { Operation } from '../../core/operation.js'
import type { Stamp } from '../../core/time.js'
import type { NewEvent } from '../../core/transitions/events.js'
import { unwritten } from '../../core/transitions/evolve.js'
import type { Context, EventType, State } from '../../core/transitions/requests.js'
import { ATTEMPTS, OPERATIONS } from '../columns.js'
import type { Query, Sql } from '../engine.js'
import type { Changed } from '../store.js'
import { type StoredBody, storedBody } from '../stored-body.js'
import { useApproval } from './approvals.js'
import type { DecidedMove, TaskOfChange } from './change.js'
import { MAKES_READY } from './context.js'
import { chainEvent, type Writing } from './events.js'
import { type ChainedEvidence, chainEvidence, type EvidenceHead, evidenceInsertions } from './evidence.js'
import { idInsertions, newIds } from './external-ids.js'
import type { Stored } from './operations.js'
import { takeOfQuota } from './quotas.js'
import { type Extra, insertion, updateOf, updateRecord } from './records.js'
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
  const chained = chainAll(writing, all)
  const state = withEvidence(moves.at(-1)?.after, chained.end)
  const row = task.isNew ? yield* openTask(writing, task, context.actor) : task.row
  const { operation_id } = state.operation
  yield* writeRow(all, state, chained.end)
  const ids = moves.flatMap(move => move.event.body.external_ids ?? [])
  const written = eventsOf(writing, all, chained.moves, state.operation)
  yield [
    ...attemptWrites(stored?.attempts ?? [], state.attempts),
    ...chained.moves.flatMap(move => evidenceInsertions(move.evidence)),
    ...idInsertions(operation_id, newIds(context.known_external_ids, ids), writing.stamp.at),
    ...written.insertions,
  ]
  for (const { event } of moves) {
    if (event.body.set?.approval_id) yield* useApproval(event.body.set.approval_id)
    if (event.body.quota !== undefined) yield* takeOfQuota(event.body.quota)
  }
  return { state, task: row, events: written.events }
}

function eventsOf(
  writing: Writing,
  { stored, context: { actor }, decision_id }: MovesToWrite,
  moves: readonly ChainedMove[],
  row: Operation,
) {
  let prev = stored?.head ?? null
  let n = stored?.operation.version ?? 0
  const insertions: Query[] = []
  const events: { n: number; type: EventType }[] = []
  for (const move of moves) {
    n++
    const { type } = move.event
    const event = {
      subject: 'operation',
      subject_id: row.operation_id,
      n,
      type,
      decision_id: events.length === 0 ? decision_id : null,
      actor,
      body: bodyOf(move, row, writing.stamp),
    } as const
    const chained = chainEvent(writing, event, prev)
    prev = chained.hash
    insertions.push(chained.insertion)
    events.push({ n, type })
  }
  return { insertions, events }
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
  const isMadeReady = moves.some(({ event }) => MAKES_READY.has(event.type))
  const readyIn: Extra = isMadeReady ? { incarnation } : {}
  if (stored === null) {
    yield insertion(OPERATIONS, operation, { evidence_head: end.head, ...readyIn })
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

function attemptWrites(before: readonly Attempt[], after: readonly Attempt[]): Query[] {
  const writes: Query[] = []
  for (const attempt of after) {
    const known = before.find(({ n }) => n === attempt.n)
    const where = { operation_id: attempt.operation_id, n: attempt.n }
    const write =
      known === undefined
        ? insertion(ATTEMPTS, attempt)
        : known === attempt
          ? null
          : updateOf(ATTEMPTS, { before: known, after: attempt, where })
    if (write !== null) writes.push(write)
  }
  return writes
}
