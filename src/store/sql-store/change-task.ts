import { newAction } from '../../core/action.js'
import type { Task } from '../../core/task.js'
import type { State, Step } from '../../core/transitions/requests.js'
import { decideTask } from '../../core/transitions/task.js'
import { text } from '../cells.js'
import { lock, query, type Sql } from '../engine.js'
import type { TaskChange, TaskChanged } from '../store.js'
import { appendAction } from './actions.js'
import { type DecidedMove, decideSteps, type Ledger } from './change.js'
import { notBefore, type Time, timeOfCommit } from './clock.js'
import { contextOf, readBeside } from './context.js'
import { readStored, type Stored } from './operations.js'
import { readTask, writeTask } from './tasks.js'
import { writeMoves } from './write-moves.js'

/** One change of a task, with the moves of its open operations that belong to it, in one commit. */
export function* changeTask(ledger: Ledger, asked: TaskChange): Sql<TaskChanged> {
  const { task_id, request, by } = asked
  yield* lock({ kind: 'task', task_id, operation_id: null, as: 'update' })
  const before = yield* readTask(task_id)
  const open = before !== null && isWide(request.type) ? yield* openOperations(task_id) : []
  const time = notBefore(
    yield* timeOfCommit(by.clock),
    ...[before, ...open.map(({ operation }) => operation)].map(row => row?.updated_at ?? 0),
  )
  const decided = decideTask(before, request, {
    actor: by.actor,
    at: time.stamp.at,
    hasOpenSent: open.some(({ operation }) => operation.status !== 'prepared' || operation.may_have_applied),
  })
  if (!decided.ok) return { task: before, operations: [], refusal: decided.refusal }
  const moves: MoveOfOne[] = []
  for (const stored of before === null ? [] : open) {
    const found = yield* decideFor(ledger, asked, { time, stored, task: before })
    if ('rule' in found) return { task: before, operations: [], refusal: found }
    if (found.moves.length > 0) moves.push(found)
  }
  const writing = { ledger_id: ledger.ledger_id, stamp: time.stamp }
  const task =
    decided.body === null
      ? before
      : yield* writeTask(writing, {
          task_id,
          before,
          type: request.type,
          body: decided.body,
          actor: by.actor,
        })
  // A person's word: what the agent did before it counts for no loop any more.
  if (request.type === 'handback' && decided.body !== null)
    yield* appendAction({ task_id, at: time.stamp.at, progress_at: null }, HANDED_BACK)
  const operations: State[] = []
  for (const { moves: decidedMoves, stored, context } of moves) {
    const written = yield* writeMoves(writing, {
      stored,
      moves: decidedMoves,
      context,
      task: { row: context.task, isNew: false },
      incarnation: ledger.incarnation,
      decision_id: null,
    })
    if (written.state !== null) operations.push(written.state)
  }
  return { task, operations, refusal: null }
}

const HANDED_BACK = newAction({ kind: 'input' }, value => value)

/** Requests that also move the task's open operations. */
function isWide(type: TaskChange['request']['type']): boolean {
  return type === 'takeover' || type === 'suspend' || type === 'cancel'
}

interface MoveOfOne {
  readonly stored: Stored
  readonly moves: readonly DecidedMove[]
  readonly context: Parameters<typeof writeMoves>[1]['context']
}

function* decideFor(
  ledger: Ledger,
  { request, by, isOwnerGone }: TaskChange,
  { time, stored, task }: { readonly time: Time; readonly stored: Stored; readonly task: Task | null },
) {
  if (task === null) throw new Error('a task without a row has no operations')
  const asking = { actor: by.actor, isOwnerGone, incarnation: ledger.incarnation }
  const context = contextOf(yield* readBeside(asking, stored), time, task)
  const steps = stepsFor(request, stored)
  const decided = yield* decideSteps(stored, context, steps, stored.operation.operation_id)
  return decided.refusal ?? { stored, context, moves: decided.moves }
}

function stepsFor(request: TaskChange['request'], { operation }: Stored): readonly Step[] {
  if (request.type === 'takeover' || request.type === 'suspend') {
    // unknown: nobody holds its fence any more, there is nothing to fence off
    if (operation.status === 'unknown') return []
    return [{ request: { type: 'takeover', reason: request.reason } }]
  }
  if (request.type === 'cancel') {
    if (operation.cancel_requested_at !== null) return []
    return [{ request: { type: 'cancel', reason: request.reason, expected_version: null } }]
  }
  return []
}

function* openOperations(task_id: string): Sql<Stored[]> {
  const rows = yield* query(
    `select operation_id
     from ledger_operation indexed by operation_open
     where task_id = $1 and status in ('prepared', 'in_flight', 'unknown')
     order by created_at, seq`,
    [task_id],
  )
  const found: Stored[] = []
  yield* lock(...rows.map(row => ({ kind: 'operation', name: text(row, 'operation_id') }) as const))
  for (const row of rows) {
    const stored = yield* readStored(text(row, 'operation_id'))
    if (stored !== null) found.push(stored)
  }
  return found
}
