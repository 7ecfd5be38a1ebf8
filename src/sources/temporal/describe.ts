import type { JsonValue } from '../../core/json.js'
import { enumOf } from './enums.js'
import { type Failure, failureOf } from './failure.js'
import { countOf, durationOf, field, fieldsOf, isFields, listOf, textOf, timeOf } from './fields.js'
import { payloadsOf } from './payload.js'

/** What `temporal workflow describe` answers: one moment of a run, with what is pending in it. */
export interface Describe {
  readonly workflowId: string | null
  readonly runId: string | null
  readonly firstRunId: string | null
  readonly type: string | null
  readonly taskQueue: string | null
  /** RUNNING, COMPLETED, …; null where it does not say */
  readonly status: string | null
  readonly startedAt: number | null
  readonly closedAt: number | null
  readonly historyLength: number | null
  readonly activities: readonly PendingActivity[]
  readonly children: readonly PendingChild[]
  readonly nexus: readonly PendingNexus[]
  readonly workflowTask: PendingWorkflowTask | null
}

export interface PendingActivity {
  readonly activityId: string
  readonly type: string | null
  /** SCHEDULED, STARTED, CANCEL_REQUESTED, PAUSED, PAUSE_REQUESTED */
  readonly state: string | null
  readonly attempt: number
  readonly scheduledAt: number | null
  readonly startedAt: number | null
  readonly heartbeatAt: number | null
  readonly heartbeat: JsonValue | null
  readonly lastFailure: Failure | null
  readonly worker: string | null
  readonly expiresAt: number | null
  readonly nextAttemptAt: number | null
  readonly maximumAttempts: number | null
  readonly heartbeatTimeoutMs: number | null
  readonly startToCloseMs: number | null
}

export interface PendingChild {
  readonly workflowId: string | null
  readonly runId: string | null
  readonly initiatedId: number | null
}

export interface PendingNexus {
  readonly scheduledEventId: number | null
  readonly state: string | null
  readonly token: string | null
  readonly lastFailure: Failure | null
}

export interface PendingWorkflowTask {
  readonly state: string | null
  readonly attempt: number
  readonly scheduledAt: number | null
}

/** Null where the value is no such answer. */
export function describeOf(value: JsonValue): Describe | null {
  if (!isFields(value)) return null
  const info = fieldsOf(value, 'workflowExecutionInfo') ?? undefined
  if (info === undefined && !Array.isArray(field(value, 'pendingActivities'))) return null
  const execution = fieldsOf(info, 'execution') ?? undefined
  const task = fieldsOf(value, 'pendingWorkflowTask')
  return {
    workflowId: textOf(execution, 'workflowId'),
    runId: textOf(execution, 'runId'),
    firstRunId: textOf(info, 'firstRunId'),
    type: textOf(fieldsOf(info, 'type') ?? undefined, 'name'),
    taskQueue: textOf(info, 'taskQueue') ?? textOf(fieldsOf(info, 'taskQueue') ?? undefined, 'name'),
    status: enumOf(info, 'status', 'workflowStatus'),
    startedAt: timeOf(info, 'startTime'),
    closedAt: timeOf(info, 'closeTime'),
    historyLength: countOf(info, 'historyLength'),
    activities: listOf(value, 'pendingActivities').flatMap(item => pendingActivity(item) ?? []),
    children: listOf(value, 'pendingChildren').map(item => ({
      workflowId: textOf(item, 'workflowId'),
      runId: textOf(item, 'runId'),
      initiatedId: countOf(item, 'initiatedId'),
    })),
    nexus: listOf(value, 'pendingNexusOperations').map(item => ({
      scheduledEventId: countOf(item, 'scheduledEventId'),
      state: textOf(item, 'state'),
      token: textOf(item, 'operationToken') ?? textOf(item, 'operationId'),
      lastFailure: failureOf(item, 'lastAttemptFailure'),
    })),
    workflowTask:
      task === null
        ? null
        : {
            state: enumOf(task, 'state', 'workflowTaskState'),
            attempt: countOf(task, 'attempt') ?? 1,
            scheduledAt: timeOf(task, 'scheduledTime'),
          },
  }
}

function pendingActivity(item: JsonValue): PendingActivity | null {
  const activityId = textOf(item, 'activityId')
  if (activityId === null) return null
  const options = fieldsOf(item, 'activityOptions') ?? undefined
  const heartbeat = payloadsOf(item, 'heartbeatDetails')
  const startedAt = timeOf(item, 'lastStartedTime')
  const heartbeatAt = timeOf(item, 'lastHeartbeatTime')
  return {
    activityId,
    type: textOf(fieldsOf(item, 'activityType') ?? undefined, 'name'),
    state: enumOf(item, 'state', 'activityState'),
    attempt: countOf(item, 'attempt') ?? 1,
    scheduledAt: timeOf(item, 'scheduledTime'),
    startedAt,
    // Older servers write the start of the attempt here when there was no heartbeat, and leave out the start between attempts.
    heartbeatAt: heartbeat === null && (startedAt === null || heartbeatAt === startedAt) ? null : heartbeatAt,
    heartbeat,
    lastFailure: failureOf(item, 'lastFailure'),
    worker: textOf(item, 'lastWorkerIdentity'),
    expiresAt: timeOf(item, 'expirationTime'),
    nextAttemptAt: timeOf(item, 'nextAttemptScheduleTime'),
    maximumAttempts: countOf(item, 'maximumAttempts'),
    heartbeatTimeoutMs: durationOf(options, 'heartbeatTimeout'),
    startToCloseMs: durationOf(options, 'startToCloseTimeout'),
  }
}
