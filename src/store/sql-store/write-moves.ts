import type { Attempt } from '../../core/attempt.js'
import type { Operation } from '../../core/operation.js'
import type { Task } from '../../core/task.js'
import { unwritten } from '../../core/transitions/evolve.js'
import type { Context, State } from '../../core/transitions/requests.js'
import { ATTEMPTS, OPERATIONS } from '../columns.js'
import { later, type Query, type Sql } from '../engine.js'
import type { Changed } from '../store.js'
import { storedBody } from '../stored-body.js'
import { spendApproval } from './approvals.js'
import type { DecidedMove, TaskOfChange } from './change.js'
import { MAKES_READY } from './context.js'
import { chainEvent, type Writing } from './events.js'
import { chainEvidence, type EvidenceHead, evidenceInsertions } from './evidence.js'
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

export interface Written extends Pick<Changed, 'events'> {
  readonly state: State
  readonly task: Task
  /** the operation as it is stored now */
  readonly stored: Stored
}

/**
 * Writes what was decided: the row once, as the last move leaves it, held to the version and status that were
 * read; then attempts, evidence and ids; then one event a move, each in the chain.
 */
export function* writeMoves(writing: Writing, all: MovesToWrite): Sql<Written> {
  const { stored, moves, context, task } = all
  const last = moves.at(-1)
  if (last === undefined) throw new Error('moves are written where there is at least one')
  const state = last.after
  const chained = chainMoves(writing, all)
  const row = task.isNew ? yield* openTask(writing, task, context.actor) : task.row
  yield* writeRow(all, state, chained.end)
  const ids = newIds(
    context.known_external_ids,
    moves.flatMap(({ event }) => event.body.external_ids ?? []),
  )
  yield* later([
    ...attemptWrites(stored?.attempts ?? [], state.attempts),
    ...chained.evidence,
    ...idInsertions(state.operation.operation_id, ids, writing.stamp.at),
    ...chained.events,
  ])
  for (const { event } of moves) {
    if (event.body.set?.approval_id) yield* spendApproval(event.body.set.approval_id)
    if (event.body.quota !== undefined) yield* takeOfQuota(event.body.quota)
  }
  const before = stored?.operation.version ?? 0
  return {
    state,
    task: row,
    events: moves.map(({ event: { type } }, i) => ({ n: before + i + 1, type })),
    stored: {
      operation: state.operation,
      attempts: state.attempts,
      head: chained.head,
      evidence: chained.end,
      incarnation: stored === null || isMadeReady(moves) ? all.incarnation : stored.incarnation,
      has_approvals: stored?.has_approvals ?? false,
      has_external_ids: (stored?.has_external_ids ?? false) || ids.length > 0,
    },
  }
}

interface Chained {
  readonly evidence: readonly Query[]
  readonly events: readonly Query[]
  /** the end of the evidence, which the row keeps */
  readonly end: EvidenceHead
  /** hash of the last event */
  readonly head: Buffer
}

/** Evidence and events with their places in the chains, as the queries that write them once the row is there. */
function chainMoves(writing: Writing, { stored, moves, context, decision_id }: MovesToWrite): Chained {
  const { actor, now } = context
  const evidence: Query[] = []
  const events: Query[] = []
  let end: EvidenceHead = stored?.evidence ?? { count: 0, head: null }
  let prev = stored?.head ?? null
  let before: Operation | null = stored?.operation ?? null
  for (const { event, evidence: given, after } of moves) {
    const { operation: row } = after
    const { operation_id } = row
    const added = chainEvidence(writing, { operation_id, actor, evidence: given, after: end })
    const cited = added.evidence.length === 0 ? undefined : added.evidence.map(({ n, hash }) => ({ n, hash }))
    const stating = { before: before ?? unwritten(operation_id, now.at), row, stamp: writing.stamp }
    const chained = chainEvent(
      writing,
      {
        subject: 'operation',
        subject_id: operation_id,
        n: row.version,
        type: event.type,
        decision_id: events.length === 0 ? decision_id : null,
        actor,
        body: storedBody(event, stating, cited),
      },
      prev,
    )
    evidence.push(...evidenceInsertions(added.evidence))
    events.push(chained.insertion)
    end = added.end
    prev = chained.hash
    before = row
  }
  if (prev === null) throw new Error('moves are written where there is at least one')
  return { evidence, events, end, head: prev }
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
  const readyIn: Extra = stored === null || isMadeReady(moves) ? { incarnation } : {}
  if (stored === null) {
    yield* later([insertion(OPERATIONS, operation, { evidence_head: end.head, ...readyIn })])
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

function isMadeReady(moves: readonly DecidedMove[]): boolean {
  return moves.some(({ event }) => MAKES_READY.has(event.type))
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
