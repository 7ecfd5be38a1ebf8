import type { NewAction } from '../../core/action.js'
import { actorWords } from '../../core/actor.js'
import type { Attempt } from '../../core/attempt.js'
import { canonicalize } from '../../core/digest.js'
import type { JsonValue } from '../../core/json.js'
import { isLeaseLapsed, leaseUntil } from '../../core/lease.js'
import type { Operation } from '../../core/operation.js'
import type { Stamp } from '../../core/time.js'
import { ATTEMPTS, OPERATIONS, TASKS } from '../columns.js'
import { lock, type Sql } from '../engine.js'
import type { Signal, Signalled } from '../store.js'
import { appendAction } from './actions.js'
import { timeOfCommit } from './clock.js'
import { readStored } from './operations.js'
import { updateRecord } from './records.js'
import { readTask } from './tasks.js'

/**
 * A sign of life from an executor: outside the chain and the version. Only from whoever holds the fence does it count
 * for the operation; of one that was given up it is noted on its attempt, so that attempts that overlap are seen.
 */
export function* signal(asked: Signal): Sql<Signalled> {
  const { subject } = asked
  yield* lock(
    'task_id' in subject
      ? { kind: 'task', task_id: subject.task_id, operation_id: null, as: 'update' }
      : { kind: 'operation', name: subject.operation_id },
  )
  const { stamp } = yield* timeOfCommit(asked.clock)
  if ('task_id' in subject) return yield* signalTask(asked, subject.task_id, stamp)
  return yield* signalOperation(asked, subject, stamp)
}

interface Holder {
  readonly operation_id: string
  readonly attempt: number
  readonly fence: number
}

function* signalOperation(asked: Signal, holder: Holder, now: Stamp): Sql<Signalled> {
  const { operation_id } = holder
  const stored = yield* readStored(operation_id)
  if (stored === null) return lost(`there is no operation ${operation_id}`)
  const { operation, attempts } = stored
  const attempt = attempts.find(({ n }) => n === holder.attempt)
  const isHeld =
    operation.status === 'in_flight' &&
    operation.attempt === holder.attempt &&
    operation.lease_fence === holder.fence &&
    attempt?.end === null
  if (!isHeld || isLeaseLapsed(operation, now)) {
    if (attempt !== undefined && isGivenUp(attempt)) yield* noteOnAttempt(asked, attempt, now)
    return lost(
      isHeld
        ? `the lease of ${operation_id} has lapsed`
        : `attempt ${holder.attempt} no longer holds the fence of ${operation_id}`,
    )
  }
  const seen = seenAt(asked, now.at, operation)
  const renewed = asked.lease_ms === undefined ? {} : leaseUntil(now, asked.lease_ms)
  const after = { ...operation, ...seen, ...renewed }
  if (asked.action !== undefined) yield* noteAction(asked.action, operation.task_id, now.at)
  const where = { operation_id, version: operation.version, lease_fence: holder.fence }
  mustBe(yield* updateRecord(OPERATIONS, { before: operation, after, where }))
  yield* noteOnAttempt(asked, attempt, now)
  return {
    held: true,
    lease_expires_at: after.lease_expires_at,
    cancel_requested: operation.cancel_requested_at !== null,
  }
}

/** Nobody ended it but whoever gave it up: its executor may go on, and that it does is seen by this alone. */
function isGivenUp({ end, error }: Attempt): boolean {
  return end === null || (end === 'ambiguous' && error === null)
}

function* noteOnAttempt(asked: Signal, attempt: Attempt, now: Stamp): Sql<void> {
  mustBe(
    yield* updateRecord(ATTEMPTS, {
      before: attempt,
      after: { ...attempt, ...seenAt(asked, now.at, attempt) },
      where: { operation_id: attempt.operation_id, n: attempt.n },
    }),
  )
}

function* signalTask(asked: Signal, task_id: string, now: Stamp): Sql<Signalled> {
  const task = yield* readTask(task_id)
  if (task === null) return lost(`there is no task ${task_id}`)
  if (task.taken_over_by !== null)
    return lost(`task ${task_id} was taken over by ${actorWords(task.taken_over_by)}`)
  if (task.closed_at !== null) return lost(`task ${task_id} is ${task.status}`)
  const seen = seenAt(asked, now.at, task)
  const { action } = asked
  if (action !== undefined)
    yield* appendAction({ task_id, at: now.at, progress_at: seen.progress_at }, action)
  const { steps, cost } = asked.spends ?? { steps: action === undefined ? 0 : 1, cost: action?.cost ?? 0 }
  const told = { steps: task.steps + steps, cost: task.cost + cost }
  const where = { task_id, version: task.version }
  mustBe(yield* updateRecord(TASKS, { before: task, after: { ...task, ...seen, ...told }, where }))
  return { held: true, lease_expires_at: null, cancel_requested: task.status === 'cancel_requested' }
}

/** Of a sending: it is a step of its task, too. */
function* noteAction(action: NewAction, task_id: string, at: number): Sql<void> {
  const task = yield* readTask(task_id)
  if (task === null) return
  yield* appendAction({ task_id, at, progress_at: task.progress_at }, action)
  const after = { ...task, steps: task.steps + 1, cost: task.cost + action.cost }
  mustBe(yield* updateRecord(TASKS, { before: task, after, where: { task_id, version: task.version } }))
}

type Seen = Pick<Operation, 'heartbeat_at' | 'activity_at' | 'progress_at' | 'progress'>

/**
 * Progress is also activity, and activity also a heartbeat; never the other way round. Progress is what its evidence
 * says: told again with the same evidence it is activity.
 */
function seenAt({ kind, progress }: Signal, at: number, before: Seen): Seen {
  const isNew = progress !== undefined && !isSameJson(progress, before.progress)
  const isProgress = kind === 'progress' && isNew
  return {
    heartbeat_at: at,
    activity_at: kind === 'heartbeat' ? before.activity_at : at,
    progress_at: isProgress ? at : before.progress_at,
    progress: isProgress ? progress : before.progress,
  }
}

function isSameJson(a: JsonValue, b: JsonValue | null): boolean {
  return b !== null && canonicalize(a) === canonicalize(b)
}

function mustBe(isWritten: boolean): void {
  if (!isWritten) throw new Error('a row changed inside the commit that holds the lock')
}

function lost(reason: string): Signalled {
  return { held: false, reason }
}
