import type { NewEvidence } from '../../core/evidence.js'
import type { ExternalId, Intent } from '../../core/operation.js'
import type { Task } from '../../core/task.js'
import type { Stamp } from '../../core/time.js'
import { decide } from '../../core/transitions/decide.js'
import type { NewEvent } from '../../core/transitions/events.js'
import { evolve } from '../../core/transitions/evolve.js'
import type { Context, Refusal, State, Step } from '../../core/transitions/requests.js'
import { freshTask } from '../../core/transitions/task.js'
import { taskFollows } from '../../core/transitions/task-follows.js'
import { text } from '../cells.js'
import { type Lockable, lock, query, type Sql } from '../engine.js'
import type { AllChanged, AllOptions, Change, Changed } from '../store.js'
import { revokeAll } from './approving.js'
import { contextOf, contextOfStep, MAKES_READY, readBeside, readNeighbours } from './context.js'
import { appendLedgerEvent, type Writing } from './events.js'
import type { Memory } from './memory.js'
import { readOpening, timeOf } from './opening.js'
import type { Stored } from './operations.js'
import { refusedAsArchived } from './pruned.js'
import { writeTask } from './tasks.js'
import { type MovesToWrite, writeMoves } from './write-moves.js'

/** What every verb knows of the ledger it works on. */
export interface Ledger {
  readonly ledger_id: string
  readonly incarnation: number
  readonly memory: Memory
}

/**
 * One change of one operation: read it with all that its guards may ask for, let the plan and the table decide,
 * then write row, attempts, evidence, ids and events. Everything is decided before anything is written.
 */
export function* change(ledger: Ledger, asked: Change): Sql<Changed> {
  yield* lock(taskLock(asked), operationLock(asked))
  return yield* writeDecided(ledger, yield* decideChange(ledger, asked))
}

/** Several at once: all are decided before the first is written, and each finds the ledger as it was before all. */
export function* changeAll(
  ledger: Ledger,
  changes: readonly Change[],
  { skipConflicts }: AllOptions,
): Sql<AllChanged> {
  yield* lock(...locksOf(changes))
  const decided: DecidedChange[] = []
  for (const asked of changes) decided.push(yield* decideChange(ledger, asked))
  const stands = ({ refusal, state }: Changed, moves: number) =>
    refusal === null ? state === null && moves === 0 : !(skipConflicts && refusal.code === 'conflict')
  const isStopped = decided.some(one => stands(one.unchanged, one.moves.length))
  const changed: Changed[] = []
  for (const one of decided) changed.push(isStopped ? one.unchanged : yield* writeDecided(ledger, one))
  return { done: !isStopped, changed }
}

/**
 * The tasks as they are, since a takeover or a cancel must stop what is not sent yet, and then the operations; each in
 * the order of their names, so that two commits do not wait for each other.
 */
function locksOf(changes: readonly Change[]): Lockable[] {
  const sorted = changes.toSorted((a, b) => (a.operation_id < b.operation_id ? -1 : 1))
  return [...sorted.map(taskLock), ...sorted.map(operationLock)]
}

function taskLock({ operation_id, task_id }: Change): Lockable {
  return { kind: 'task', task_id: task_id ?? null, operation_id, as: 'share' }
}

function operationLock({ operation_id }: Change): Lockable {
  return { kind: 'operation', name: operation_id }
}

/** What a change comes to, before anything of it is written. */
interface DecidedChange {
  readonly asked: Change
  /** the answer where nothing is to be written */
  readonly unchanged: Changed
  readonly moves: readonly DecidedMove[]
  readonly write: (Pick<MovesToWrite, 'stored' | 'context' | 'task'> & { readonly stamp: Stamp }) | null
}

function* decideChange(ledger: Ledger, asked: Change): Sql<DecidedChange> {
  const { operation_id, by, isOwnerGone } = asked
  const opening = yield* readOpening(ledger.memory, asked)
  const { stored, task: there } = opening
  const asking = { actor: by.actor, isOwnerGone, incarnation: ledger.incarnation }
  const beside = yield* readBeside(asking, stored)
  // From here on nothing is waited for that others hold long.
  const time = timeOf(opening, by.clock)
  const task = taskFor(there, asked, time.stamp.at)
  const nothing = (unchanged: Changed): DecidedChange => ({ asked, unchanged, moves: [], write: null })
  if (task === null) return nothing(unchanged(stored, null))
  if (asked.decision_id !== undefined) {
    const earlier = yield* subjectOfDecision(asked.decision_id)
    if (earlier !== null)
      return nothing({ ...unchanged(stored, task.row, ofDecision(earlier, asked)), repeated: true })
  }
  const context = contextOf(beside, time, task.row)
  const planned = asked.plan(stateOf(stored), context)
  const row = task.isNew ? null : task.row
  if ('rule' in planned) return nothing(unchanged(stored, row, planned))
  const { moves, refusal } = yield* decideSteps(stored, context, planned, operation_id)
  if (moves.length === 0 || (refusal !== null && asked.onRefusal === 'undo'))
    return nothing(unchanged(stored, row, refusal))
  return {
    asked,
    unchanged: unchanged(stored, row, refusal),
    moves,
    write: { stored, context, task, stamp: time.stamp },
  }
}

function* writeDecided(ledger: Ledger, { asked, unchanged, moves, write }: DecidedChange): Sql<Changed> {
  if (write === null) return unchanged
  const { stored: before, context, task: opened, stamp } = write
  const writing = { ledger_id: ledger.ledger_id, stamp }
  const { incarnation } = ledger
  const decision_id = asked.decision_id ?? null
  const written = yield* writeMoves(writing, {
    stored: before,
    moves,
    context,
    task: opened,
    incarnation,
    decision_id,
  })
  const { state, events, stored } = written
  if (moves.some(leavesConfirmed)) yield* questionCompensations(ledger, asked, context.undone_by)
  const { operation_id, revoke_approvals: reason, by } = asked
  if (reason !== undefined) {
    const { operation } = state
    yield* revokeAll(writing, { operation_id, approval_id: null, operation, reason, actor: by.actor })
  }
  if (asked.tells !== undefined) yield* appendLedgerEvent(writing, { ...asked.tells, actor: by.actor })
  const moved = moves.map(({ event }) => event)
  const task = yield* letTaskFollow(writing, written.task, moved, by.actor)
  ledger.memory.keep({ stamp, task, stored })
  return { state, task, events, refusal: unchanged.refusal, repeated: false }
}

export function leavesConfirmed({ event: { body } }: DecidedMove): boolean {
  return body.from === 'confirmed' && body.to !== 'confirmed'
}

/** What was undone may never have been done: said on both sides in one commit. */
export function* questionCompensations(
  ledger: Ledger,
  asked: Pick<Change, 'operation_id' | 'by' | 'isOwnerGone'>,
  ids: readonly string[],
): Sql<void> {
  const { operation_id: undone, by, isOwnerGone } = asked
  const reason = `${undone}, which it undoes, is not confirmed any more`
  for (const operation_id of ids)
    yield* change(ledger, {
      operation_id,
      by,
      isOwnerGone,
      onRefusal: 'undo',
      plan: state =>
        state?.operation.flags.compensation_in_question ? [] : [{ request: { type: 'question', reason } }],
    })
}

/** A task that pauses or runs on by what became of its operation does so in the same commit. */
function* letTaskFollow(writing: Writing, task: Task, events: readonly NewEvent[], actor: string): Sql<Task> {
  const body = taskFollows(task, events)
  if (body === null) return task
  return yield* writeTask(writing, { task_id: task.task_id, before: task, type: 'set_status', body, actor })
}

/** One step that the table allows, not yet written. */
export interface DecidedMove {
  readonly event: NewEvent
  readonly evidence: readonly NewEvidence[]
  readonly after: State
}

/** Decides the steps in order, each on the state that those before it lead to, up to the first refusal. */
export function* decideSteps(
  stored: State | null,
  context: Context,
  steps: readonly Step[],
  operation_id: string,
): Sql<{ readonly moves: readonly DecidedMove[]; readonly refusal: Refusal | null }> {
  const moves: DecidedMove[] = []
  let state: State | null = stored
  let external_ids: readonly ExternalId[] = context.known_external_ids
  let isReady = false
  // What a new intent undoes is looked up when it is prepared, and a send in the same commit must know it too.
  let { compensated } = context
  for (const { request, evidence = [] } of steps) {
    let { same_write } = context
    if (state === null && (request.type === 'prepare' || request.type === 'import')) {
      const beside = yield* readNeighbours(request.intent)
      if (beside.is_archived) {
        const isAskedAgain = request.type === 'import' || request.again !== undefined
        const refusal = yield* refusedAsArchived(request.intent, isAskedAgain)
        if (refusal !== null) return { moves, refusal }
      }
      if (beside.key_owner !== null) return { moves, refusal: keyTaken(request.intent, beside.key_owner) }
      // without an input nothing tells that it is the same write
      const isUntold = request.type === 'import' && request.intent.input === null
      same_write = isUntold ? null : beside.same_write
      compensated = beside.compensated
    }
    const operation = state?.operation ?? null
    const ofStep = { operation, external_ids, isReady, evidence, same_write, compensated }
    const decided = decide(state, request, contextOfStep(context, ofStep))
    if (!decided.ok) return { moves, refusal: decided.refusal }
    const { event } = decided
    state = evolve(state, {
      operation_id,
      at: context.now.at,
      body: event.body,
      large: event.large,
      evidence: evidence.length,
    })
    if (event.body.external_ids !== undefined) external_ids = [...external_ids, ...event.body.external_ids]
    isReady ||= MAKES_READY.has(event.type)
    moves.push({ event, evidence, after: state })
  }
  return { moves, refusal: null }
}

export interface TaskOfChange {
  readonly row: Task
  /** nobody opened it yet: the first operation does */
  readonly isNew: boolean
}

function taskFor(there: Task | null, { task_id }: Change, at: number): TaskOfChange | null {
  if (there !== null) return { row: there, isNew: false }
  return task_id === undefined ? null : { row: freshTask(task_id, at), isNew: true }
}

/** A key names one intent in its scope; two operations with one key would be one request to the service. */
function keyTaken({ idempotency_key }: Intent, owner: string): Refusal {
  return {
    rule: 'key_unused',
    code: 'conflict',
    reason: `the idempotency key ${idempotency_key} is that of operation ${owner}`,
    satisfy: 'another intent is another operation with a key of its own',
    other: owner,
  }
}

function* subjectOfDecision(decision_id: string): Sql<string | null> {
  const [row] = yield* query(
    `select subject_id
     from ledger_event
     where decision_id = $1`,
    [decision_id],
  )
  return row ? text(row, 'subject_id') : null
}

function ofDecision(subject: string, { operation_id, decision_id }: Change): Refusal | null {
  if (subject === operation_id) return null
  return {
    rule: 'decision_unused',
    code: 'conflict',
    reason: `decision ${decision_id} was carried out on ${subject}, not on ${operation_id}`,
    satisfy: 'give each decision an id of its own',
  }
}

function unchanged(stored: Stored | null, task: Task | null, refusal: Refusal | null = null): Changed {
  return { state: stateOf(stored), task, events: [], refusal, repeated: false }
}

export function stateOf(stored: State | null): State | null {
  return stored === null ? null : { operation: stored.operation, attempts: stored.attempts }
}
