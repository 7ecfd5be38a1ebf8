import { bytesDigest, clipText } from '../bounded-json.js'
import type { Describe } from './describe.js'
import { enumOf } from './enums.js'
import { type HistoryEvent, isKnownType } from './event.js'
import { type Failure, failureOf } from './failure.js'
import { countOf, durationOf, fieldsOf, textOf, timeOf } from './fields.js'

/** What one pass over a run's events finds out, apart from its calls to the outside. Bounded, however long the run is. */
export interface Run {
  events: number
  least: number
  most: number
  order: 'ascending' | 'descending' | 'mixed'
  /** stretches of missing event ids, the first few, where the order shows them */
  gaps: [number, number][]
  started: Started | null
  firstAt: number | null
  lastAt: number | null
  /** the event that ended it */
  close: Close | null
  cancelAskedAt: number | null
  /** id of the newest completed workflow task: the last point that can be reset to */
  decision: number | null
  decisionAt: number | null
  /** the newest failure or time-out of a workflow task */
  brokenTask: { id: number; how: string; cause: string | null; failure: Failure | null } | null
  /** id of the newest event that says a workflow task waits or runs */
  openTask: number | null
  resets: { id: number; baseRunId: string | null; newRunId: string | null }[]
  /** null until there is one: a file may hold many thousands of runs */
  timers: Pairs<{ at: number | null; durationMs: number | null }> | null
  updates: Pairs<string> | null
  sdk: string | null
  unknownTypes: Map<string, number> | null
  hasMore: boolean
  /** something in it was skipped */
  isTorn: boolean
  /** an event that names a later one: ids were given anew after events had been taken out */
  dangling: { id: number; to: number } | null
  /** tells it from others where it names no run id */
  mark: string
  isPaused: number
  describe: Describe | null
}

export interface Started {
  readonly workflowId: string | null
  readonly originalRunId: string | null
  readonly firstRunId: string | null
  readonly continuedRunId: string | null
  readonly parentRunId: string | null
  readonly parentWorkflowId: string | null
  readonly type: string | null
  readonly taskQueue: string | null
  readonly attempt: number
  readonly deadlineAt: number | null
  readonly identity: string | null
}

export interface Close {
  readonly id: number
  readonly at: number | null
  /** COMPLETED, FAILED, TIMED_OUT, CANCELED, TERMINATED, CONTINUED_AS_NEW */
  readonly how: string
  readonly reason: string | null
  readonly identity: string | null
  readonly failure: Failure | null
  readonly newRunId: string | null
}

const REFERENCES = ['scheduledEventId', 'startedEventId', 'initiatedEventId'] as const
const MOST_KEPT = 1000
// A history ends at 51,200 events.
const MOST_CLOSED = 51_200
const MOST_GAPS = 5
const MOST_TYPES = 20

export function newRun(): Run {
  return {
    events: 0,
    least: 0,
    most: 0,
    order: 'ascending',
    gaps: [],
    started: null,
    firstAt: null,
    lastAt: null,
    close: null,
    cancelAskedAt: null,
    decision: null,
    decisionAt: null,
    brokenTask: null,
    openTask: null,
    resets: [],
    timers: null,
    updates: null,
    sdk: null,
    unknownTypes: null,
    hasMore: false,
    isTorn: false,
    dangling: null,
    mark: '',
    isPaused: 0,
    describe: null,
  }
}

/** The id that the run has now: a reset gives it a new one and keeps the old in its first event. */
export function currentRunId({ resets, started, describe }: Run): string | null {
  const latest = resets.toSorted((a, b) => a.id - b.id).at(-1)
  return latest?.newRunId ?? started?.originalRunId ?? describe?.runId ?? null
}

/** Takes an event in, in whatever order they come. */
export function takeEvent(run: Run, event: HistoryEvent, last: number): void {
  placeEvent(run, event, last)
  const { id, at, attributes } = event
  for (const name of REFERENCES) {
    const to = countOf(attributes, name)
    if (to !== null && to >= id) run.dangling ??= { id, to }
  }
  if (at !== null) {
    run.firstAt = Math.min(run.firstAt ?? at, at)
    run.lastAt = Math.max(run.lastAt ?? at, at)
  }
  if (!isKnownType(event)) takeUnknown(run, event.type.slice(0, 200))
  TAKERS[event.type]?.(run, event)
}

function placeEvent(run: Run, { id, at, taskId, type }: HistoryEvent, last: number): void {
  const step = id - last
  if (run.events === 0) {
    run.least = run.most = id
    run.mark = bytesDigest(`${id} ${at} ${taskId} ${type}`).slice(7, 19)
  }
  if (run.events === 1) run.order = step > 0 ? 'ascending' : step < 0 ? 'descending' : 'mixed'
  else if (run.events > 1 && (step === 0 || step > 0 !== (run.order === 'ascending'))) run.order = 'mixed'
  if (run.events > 0 && Math.abs(step) > 1 && run.gaps.length < MOST_GAPS)
    run.gaps.push([Math.min(id, last) + 1, Math.max(id, last) - 1])
  run.least = Math.min(run.least, id)
  run.most = Math.max(run.most, id)
  run.events += 1
}

function takeUnknown(run: Run, type: string): void {
  run.unknownTypes ??= new Map()
  const { unknownTypes } = run
  if (unknownTypes.size < MOST_TYPES || unknownTypes.has(type))
    unknownTypes.set(type, (unknownTypes.get(type) ?? 0) + 1)
}

type Taker = (run: Run, event: HistoryEvent) => void

const closing: Taker = (run, { id, type, at, attributes }) => {
  if (run.close !== null && run.close.id > id) return
  run.close = {
    id,
    at,
    how: type.slice('WORKFLOW_EXECUTION_'.length),
    reason: clipped(textOf(attributes, 'reason')),
    identity: clipped(textOf(attributes, 'identity')),
    failure: failureOf(attributes, 'failure'),
    newRunId: clipped(textOf(attributes, 'newExecutionRunId')),
  }
}

const brokenTask: Taker = (run, { id, type, attributes }) => {
  const cause = enumOf(attributes, 'cause', 'workflowTaskFailedCause')
  if (cause === 'RESET_WORKFLOW') {
    if (run.resets.length < MOST_KEPT)
      run.resets.push({
        id,
        baseRunId: clipped(textOf(attributes, 'baseRunId')),
        newRunId: clipped(textOf(attributes, 'newRunId')),
      })
    return
  }
  if (run.brokenTask !== null && run.brokenTask.id > id) return
  run.brokenTask = {
    id,
    how: type === 'WORKFLOW_TASK_TIMED_OUT' ? 'timed out' : 'failed',
    cause: clipped(cause),
    failure: failureOf(attributes, 'failure'),
  }
}

const openTask: Taker = (run, { id }) => {
  run.openTask = Math.max(run.openTask ?? 0, id)
}

const TAKERS: Readonly<Record<string, Taker>> = {
  WORKFLOW_EXECUTION_STARTED: (run, event) => {
    run.started ??= startedOf(event)
  },
  WORKFLOW_EXECUTION_COMPLETED: closing,
  WORKFLOW_EXECUTION_FAILED: closing,
  WORKFLOW_EXECUTION_TIMED_OUT: closing,
  WORKFLOW_EXECUTION_CANCELED: closing,
  WORKFLOW_EXECUTION_TERMINATED: closing,
  WORKFLOW_EXECUTION_CONTINUED_AS_NEW: closing,
  WORKFLOW_EXECUTION_CANCEL_REQUESTED: (run, { at }) => {
    run.cancelAskedAt = at ?? 0
  },
  WORKFLOW_TASK_SCHEDULED: openTask,
  WORKFLOW_TASK_STARTED: openTask,
  WORKFLOW_TASK_COMPLETED: (run, { id, at, attributes }) => {
    run.sdk ??= clipped(textOf(fieldsOf(attributes, 'sdkMetadata') ?? undefined, 'sdkName'))
    if (run.decision !== null && run.decision > id) return
    run.decision = id
    run.decisionAt = at
  },
  WORKFLOW_TASK_FAILED: brokenTask,
  WORKFLOW_TASK_TIMED_OUT: brokenTask,
  TIMER_STARTED: (run, { id, at, attributes }) =>
    keep(timersOf(run), id, { at, durationMs: durationOf(attributes, 'startToFireTimeout') }),
  TIMER_FIRED: (run, { attributes }) => drop(timersOf(run), countOf(attributes, 'startedEventId')),
  TIMER_CANCELED: (run, { attributes }) => drop(timersOf(run), countOf(attributes, 'startedEventId')),
  WORKFLOW_EXECUTION_UPDATE_ACCEPTED: (run, { id, attributes }) => {
    const request = fieldsOf(attributes, 'acceptedRequest') ?? undefined
    const name = textOf(fieldsOf(request, 'input') ?? undefined, 'name')
    keep(updatesOf(run), id, clipText(name ?? textOf(attributes, 'protocolInstanceId') ?? 'unnamed'))
  },
  WORKFLOW_EXECUTION_UPDATE_COMPLETED: (run, { attributes }) =>
    drop(updatesOf(run), countOf(attributes, 'acceptedEventId')),
  WORKFLOW_EXECUTION_PAUSED: (run, { id }) => {
    if (id > Math.abs(run.isPaused)) run.isPaused = id
  },
  WORKFLOW_EXECUTION_UNPAUSED: (run, { id }) => {
    if (id > Math.abs(run.isPaused)) run.isPaused = -id
  },
}

/** What opens and what closes may come in either order. */
export interface Pairs<T> {
  readonly open: Map<number, T>
  /** closed before it was opened, as in descending order */
  readonly closed: Set<number>
}

function timersOf(run: Run): NonNullable<Run['timers']> {
  run.timers ??= { open: new Map(), closed: new Set() }
  return run.timers
}

function updatesOf(run: Run): Pairs<string> {
  run.updates ??= { open: new Map(), closed: new Set() }
  return run.updates
}

function keep<T>({ open, closed }: Pairs<T>, id: number, value: T): void {
  if (!closed.delete(id) && open.size < MOST_KEPT) open.set(id, value)
}

function drop<T>({ open, closed }: Pairs<T>, id: number | null): void {
  if (id !== null && !open.delete(id) && closed.size < MOST_CLOSED) closed.add(id)
}

function startedOf({ at, attributes }: HistoryEvent): Started {
  const parent = fieldsOf(attributes, 'parentWorkflowExecution') ?? undefined
  const runTimeoutMs = durationOf(attributes, 'workflowRunTimeout')
  return {
    workflowId: textOf(attributes, 'workflowId'),
    originalRunId: textOf(attributes, 'originalExecutionRunId'),
    firstRunId: textOf(attributes, 'firstExecutionRunId'),
    continuedRunId: textOf(attributes, 'continuedExecutionRunId'),
    parentRunId: textOf(parent, 'runId'),
    parentWorkflowId: textOf(parent, 'workflowId'),
    type: textOf(fieldsOf(attributes, 'workflowType') ?? undefined, 'name'),
    taskQueue: textOf(fieldsOf(attributes, 'taskQueue') ?? undefined, 'name'),
    attempt: countOf(attributes, 'attempt') ?? 1,
    deadlineAt:
      at !== null && runTimeoutMs !== null
        ? at + runTimeoutMs
        : timeOf(attributes, 'workflowExecutionExpirationTime'),
    identity: clipped(textOf(attributes, 'identity')),
  }
}

function clipped(text: string | null): string | null {
  return text === null ? null : clipText(text, 500)
}
