import type { JsonObject, JsonValue } from '../../core/json.js'
import { parseForeignJson } from '../../core/parse-json.js'
import { clipText } from '../bounded-json.js'
import type { Call, CallEnd, CallKind, Opened, StartedCall } from './call.js'
import { type EnumKind, enumOf } from './enums.js'
import type { HistoryEvent } from './event.js'
import { failureOf } from './failure.js'
import { countOf, durationOf, field, fieldsOf, isFields, textOf } from './fields.js'
import { payloadJson, payloadsOf } from './payload.js'

/** What an event says of a call, and of which. */
export interface CallPart {
  readonly kind: CallKind
  readonly openId: number
  readonly opened?: Opened
  readonly started?: StartedCall
  readonly cancelAskedAt?: number
  readonly end?: CallEnd
}

/** Null for an event that says nothing of a call. */
export function callPartOf(event: HistoryEvent): CallPart | null {
  if (event.type === 'MARKER_RECORDED') return localActivityOf(event)
  const found = PARTS[event.type]
  if (found === undefined) return null
  const [kind, role, reference] = found
  const openId = reference === 'own' ? event.id : countOf(event.attributes, reference)
  if (openId === null) return null
  if (role === 'opened') return { kind, openId, opened: openedOf(kind, event) }
  if (role === 'started') return { kind, openId, started: startedOf(event) }
  if (role === 'cancel asked') return { kind, openId, cancelAskedAt: event.at ?? 0 }
  return { kind, openId, end: endOf(event, role) }
}

type Role = 'opened' | 'started' | 'cancel asked' | Ended
type Ended = 'COMPLETED' | 'FAILED' | 'TIMED_OUT' | 'CANCELED' | 'TERMINATED' | 'START_FAILED' | 'DELIVERED'

/** Which part each type of event is of which kind of call, and the field that names the event that opened it. */
const PARTS: Readonly<Record<string, readonly [CallKind, Role, string]>> = {
  ACTIVITY_TASK_SCHEDULED: ['activity', 'opened', 'own'],
  ACTIVITY_TASK_STARTED: ['activity', 'started', 'scheduledEventId'],
  ACTIVITY_TASK_COMPLETED: ['activity', 'COMPLETED', 'scheduledEventId'],
  ACTIVITY_TASK_FAILED: ['activity', 'FAILED', 'scheduledEventId'],
  ACTIVITY_TASK_TIMED_OUT: ['activity', 'TIMED_OUT', 'scheduledEventId'],
  ACTIVITY_TASK_CANCEL_REQUESTED: ['activity', 'cancel asked', 'scheduledEventId'],
  ACTIVITY_TASK_CANCELED: ['activity', 'CANCELED', 'scheduledEventId'],
  START_CHILD_WORKFLOW_EXECUTION_INITIATED: ['child', 'opened', 'own'],
  START_CHILD_WORKFLOW_EXECUTION_FAILED: ['child', 'START_FAILED', 'initiatedEventId'],
  CHILD_WORKFLOW_EXECUTION_STARTED: ['child', 'started', 'initiatedEventId'],
  CHILD_WORKFLOW_EXECUTION_COMPLETED: ['child', 'COMPLETED', 'initiatedEventId'],
  CHILD_WORKFLOW_EXECUTION_FAILED: ['child', 'FAILED', 'initiatedEventId'],
  CHILD_WORKFLOW_EXECUTION_CANCELED: ['child', 'CANCELED', 'initiatedEventId'],
  CHILD_WORKFLOW_EXECUTION_TIMED_OUT: ['child', 'TIMED_OUT', 'initiatedEventId'],
  CHILD_WORKFLOW_EXECUTION_TERMINATED: ['child', 'TERMINATED', 'initiatedEventId'],
  SIGNAL_EXTERNAL_WORKFLOW_EXECUTION_INITIATED: ['signal', 'opened', 'own'],
  SIGNAL_EXTERNAL_WORKFLOW_EXECUTION_FAILED: ['signal', 'START_FAILED', 'initiatedEventId'],
  EXTERNAL_WORKFLOW_EXECUTION_SIGNALED: ['signal', 'DELIVERED', 'initiatedEventId'],
  REQUEST_CANCEL_EXTERNAL_WORKFLOW_EXECUTION_INITIATED: ['cancel', 'opened', 'own'],
  REQUEST_CANCEL_EXTERNAL_WORKFLOW_EXECUTION_FAILED: ['cancel', 'START_FAILED', 'initiatedEventId'],
  EXTERNAL_WORKFLOW_EXECUTION_CANCEL_REQUESTED: ['cancel', 'DELIVERED', 'initiatedEventId'],
  NEXUS_OPERATION_SCHEDULED: ['nexus', 'opened', 'own'],
  NEXUS_OPERATION_STARTED: ['nexus', 'started', 'scheduledEventId'],
  NEXUS_OPERATION_COMPLETED: ['nexus', 'COMPLETED', 'scheduledEventId'],
  NEXUS_OPERATION_FAILED: ['nexus', 'FAILED', 'scheduledEventId'],
  NEXUS_OPERATION_TIMED_OUT: ['nexus', 'TIMED_OUT', 'scheduledEventId'],
  NEXUS_OPERATION_CANCELED: ['nexus', 'CANCELED', 'scheduledEventId'],
  NEXUS_OPERATION_CANCEL_REQUESTED: ['nexus', 'cancel asked', 'scheduledEventId'],
}

function openedOf(kind: CallKind, { at, taskId, attributes }: HistoryEvent): Opened {
  const retry = fieldsOf(attributes, 'retryPolicy') ?? undefined
  return {
    at,
    taskId,
    ...NAMED[kind](attributes),
    input: payloadsOf(attributes, 'input'),
    activityId: textOf(attributes, 'activityId'),
    maximumAttempts: countOf(retry, 'maximumAttempts'),
    heartbeatTimeoutMs: durationOf(attributes, 'heartbeatTimeout'),
    startToCloseMs: durationOf(attributes, 'startToCloseTimeout'),
    decision: countOf(attributes, 'workflowTaskCompletedEventId'),
    requestId: clipped(textOf(attributes, 'requestId')),
    parentClosePolicy: enumOf(attributes, 'parentClosePolicy', 'parentClosePolicy'),
  }
}

type Named = Pick<Opened, 'tool' | 'target'>

const NAMED: Readonly<Record<CallKind, (attributes: JsonObject) => Named>> = {
  activity: attributes => ({
    tool: nameIn(attributes, 'activityType') ?? 'unnamed activity',
    target: prefixed('task queue ', nameIn(attributes, 'taskQueue')),
  }),
  local_activity: () => ({ tool: 'unnamed local activity', target: null }),
  child: attributes => ({
    tool: `start ${nameIn(attributes, 'workflowType') ?? 'a workflow'}`,
    target: prefixed('workflow ', textOf(attributes, 'workflowId')),
  }),
  signal: attributes => ({
    tool: `signal ${clipText(textOf(attributes, 'signalName') ?? 'without a name')}`,
    target: executionOf(attributes),
  }),
  cancel: attributes => ({ tool: 'cancel a workflow', target: executionOf(attributes) }),
  nexus: attributes => ({
    tool: `${textOf(attributes, 'service') ?? 'unnamed service'}/${textOf(attributes, 'operation') ?? 'unnamed operation'}`,
    target: prefixed('endpoint ', textOf(attributes, 'endpoint')),
  }),
}

function startedOf({ at, attributes }: HistoryEvent): StartedCall {
  return {
    at,
    attempt: countOf(attributes, 'attempt') ?? 1,
    identity: clipped(textOf(attributes, 'identity')),
    lastFailure: failureOf(attributes, 'lastFailure'),
    handle:
      textOf(fieldsOf(attributes, 'workflowExecution') ?? undefined, 'runId') ??
      textOf(attributes, 'operationToken') ??
      textOf(attributes, 'operationId'),
  }
}

const CAUSES: Readonly<Record<string, EnumKind>> = {
  START_CHILD_WORKFLOW_EXECUTION_FAILED: 'startChildFailedCause',
  SIGNAL_EXTERNAL_WORKFLOW_EXECUTION_FAILED: 'signalFailedCause',
  REQUEST_CANCEL_EXTERNAL_WORKFLOW_EXECUTION_FAILED: 'cancelFailedCause',
}

function endOf({ id, at, type, attributes }: HistoryEvent, how: Ended): CallEnd {
  const cause = CAUSES[type]
  return {
    id,
    at,
    how,
    failure: failureOf(attributes, 'failure'),
    result: payloadsOf(attributes, 'result'),
    hasResult: field(attributes, 'result') !== undefined,
    startedEventId: countOf(attributes, 'startedEventId') ?? 0,
    identity: clipped(textOf(attributes, 'identity')),
    cause: cause === undefined ? null : enumOf(attributes, 'cause', cause),
    details: payloadsOf(attributes, 'details'),
    retryState: enumOf(attributes, 'retryState', 'retryState'),
  }
}

// Go and Java write the first name, the SDKs on the shared core the second.
const LOCAL_ACTIVITY_MARKERS = new Set(['LocalActivity', 'core_local_activity'])

/** A local activity leaves one event, after the fact. Other markers (side effects, versions) are no calls. */
function localActivityOf({ id, at, taskId, attributes }: HistoryEvent): CallPart | null {
  if (!LOCAL_ACTIVITY_MARKERS.has(textOf(attributes, 'markerName') ?? '')) return null
  const details = fieldsOf(attributes, 'details') ?? undefined
  const data = plainOf(details, 'data')
  const type =
    textOf(data, 'ActivityType') ??
    textOf(data, 'activityType') ??
    onlyText(plainOf(details, 'type')) ??
    'unnamed'
  const failure = failureOf(attributes, 'failure')
  return {
    kind: 'local_activity',
    openId: id,
    opened: {
      at,
      taskId,
      tool: clipText(type),
      target: null,
      input: payloadsOf(details, 'input'),
      activityId:
        textOf(data, 'ActivityID') ?? textOf(data, 'activityId') ?? onlyText(plainOf(details, 'activityId')),
      maximumAttempts: null,
      heartbeatTimeoutMs: null,
      startToCloseMs: null,
      decision: countOf(attributes, 'workflowTaskCompletedEventId'),
      requestId: null,
      parentClosePolicy: null,
    },
    started: {
      at,
      attempt: countOf(data, 'Attempt') ?? countOf(data, 'attempt') ?? 1,
      identity: null,
      lastFailure: null,
      handle: null,
    },
    end: {
      id,
      at,
      how: failure === null ? 'COMPLETED' : 'FAILED',
      failure,
      result: payloadsOf(details, 'result'),
      hasResult: field(details, 'result') !== undefined,
      startedEventId: id,
      identity: null,
      cause: null,
      details: null,
      retryState: null,
    },
  }
}

/** The value of a payload among a marker's details: they are a list each. */
function plainOf(details: JsonValue | undefined, name: string): JsonValue | undefined {
  const value = field(details, name)
  const list = isFields(value) ? (field(value, 'payloads') ?? [value]) : value
  const first: JsonValue | undefined = Array.isArray(list) ? list[0] : list
  if (first === undefined) return undefined
  const read = payloadJson(first)
  if (!('value' in read)) return undefined
  return typeof read.value === 'string' ? (parseForeignJson(read.value) ?? read.value) : read.value
}

function onlyText(value: JsonValue | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

function nameIn(attributes: JsonObject, name: string): string | null {
  return clipped(textOf(fieldsOf(attributes, name) ?? undefined, 'name'))
}

function executionOf(attributes: JsonObject): string | null {
  const execution = fieldsOf(attributes, 'workflowExecution') ?? undefined
  return prefixed('workflow ', textOf(execution, 'workflowId'))
}

function prefixed(prefix: string, text: string | null): string | null {
  return text === null ? null : `${prefix}${text}`
}

function clipped(text: string | null): string | null {
  return text === null ? null : clipText(text, 500)
}

/** A call of which nothing is known yet. */
export function newCall(kind: CallKind, openId: number): Call {
  return {
    kind,
    openId,
    opened: null,
    started: null,
    cancelAskedAt: null,
    end: null,
    pendingActivity: null,
    pendingNexus: null,
  }
}

/** Adds a part to its call; of two ends (a damaged file) the first stays. */
export function addPart(call: Call, part: CallPart): void {
  call.opened ??= part.opened ?? null
  call.started ??= part.started ?? null
  call.cancelAskedAt ??= part.cancelAskedAt ?? null
  call.end ??= part.end ?? null
}
