import { writeFileSync } from 'node:fs'
import type { ImportedOperation, ImportedRecord, ImportedTask } from '../../../src/core/imported.js'
import type { ReadOptions } from '../../../src/sources/source.js'
import { openSourceFile } from '../../../src/sources/source-file.js'
import { temporal } from '../../../src/sources/temporal/index.js'

export type Attributes = Readonly<Record<string, unknown>>

export interface BuiltEvent {
  readonly eventId: string
  readonly eventTime: string
  readonly eventType: string
  readonly taskId: string
  readonly [attributes: string]: unknown
}

export const T0 = Date.parse('2026-03-10T12:00:00.000Z')

/** An event as the command line writes it, one second after the one before. */
export function event(id: number, type: string, attributes: Attributes = {}): BuiltEvent {
  const words = type.toLowerCase().split('_')
  const camel = words
    .map((word, n) => (n === 0 ? word : `${word[0]?.toUpperCase()}${word.slice(1)}`))
    .join('')
  return {
    eventId: String(id),
    eventTime: new Date(T0 + id * 1000).toISOString(),
    eventType: `EVENT_TYPE_${type}`,
    taskId: String(1_048_000 + id),
    [`${camel}EventAttributes`]: attributes,
  }
}

export const payload = (value: unknown, encoding = 'json/plain') => ({
  metadata: { encoding: Buffer.from(encoding).toString('base64') },
  data: Buffer.from(
    typeof value === 'string' && encoding !== 'json/plain' ? value : JSON.stringify(value),
  ).toString('base64'),
})

export const payloads = (...values: unknown[]) => ({ payloads: values.map(value => payload(value)) })

export interface RunGiven {
  readonly runId?: string
  readonly workflowId?: string
  readonly started?: Attributes
}

/** A workflow that has decided once (events 1 to 4); the given events follow from 5 on. */
export function history(
  rest: readonly (readonly [string, Attributes?])[],
  { runId = 'run-1', workflowId = 'order-7', started = {} }: RunGiven = {},
): BuiltEvent[] {
  return [
    event(1, 'WORKFLOW_EXECUTION_STARTED', {
      workflowType: { name: 'Order' },
      taskQueue: { name: 'main' },
      originalExecutionRunId: runId,
      firstExecutionRunId: runId,
      workflowId,
      attempt: 1,
      ...started,
    }),
    event(2, 'WORKFLOW_TASK_SCHEDULED'),
    event(3, 'WORKFLOW_TASK_STARTED', { scheduledEventId: '2' }),
    event(4, 'WORKFLOW_TASK_COMPLETED', { scheduledEventId: '2', startedEventId: '3' }),
    ...rest.map(([type, attributes], n) => event(5 + n, type, attributes)),
  ]
}

export const scheduled = (more: Attributes = {}): [string, Attributes] => [
  'ACTIVITY_TASK_SCHEDULED',
  {
    activityId: '1',
    activityType: { name: 'charge' },
    taskQueue: { name: 'main' },
    input: payloads({ order: 7 }),
    workflowTaskCompletedEventId: '4',
    startToCloseTimeout: '10s',
    heartbeatTimeout: '0s',
    ...more,
  },
]

export const started = (more: Attributes = {}): [string, Attributes] => [
  'ACTIVITY_TASK_STARTED',
  { scheduledEventId: '5', identity: 'worker-1', attempt: 1, ...more },
]

export const completed = (more: Attributes = {}): [string, Attributes] => [
  'ACTIVITY_TASK_COMPLETED',
  {
    scheduledEventId: '5',
    startedEventId: '6',
    identity: 'worker-1',
    result: payloads({ id: 'ch-1' }),
    ...more,
  },
]

export const timedOut = (
  timeoutType: string,
  more: Attributes = {},
  cause?: Attributes,
): [string, Attributes] => [
  'ACTIVITY_TASK_TIMED_OUT',
  {
    scheduledEventId: '5',
    failure: {
      message: 'timed out',
      timeoutFailureInfo: { timeoutType },
      ...(cause === undefined ? {} : { cause }),
    },
    ...more,
  },
]

export const describeAnswer = (activities: readonly Attributes[], more: Attributes = {}) => ({
  workflowExecutionInfo: {
    execution: { workflowId: 'order-7', runId: 'run-1' },
    type: { name: 'Order' },
    status: 'WORKFLOW_EXECUTION_STATUS_RUNNING',
    ...more,
  },
  pendingActivities: activities.map(activity => ({
    activityId: '1',
    activityType: { name: 'charge' },
    ...activity,
  })),
})

export async function readRecords(path: string, options: ReadOptions = {}): Promise<ImportedRecord[]> {
  const file = openSourceFile(path)
  try {
    const found: ImportedRecord[] = []
    for await (const record of temporal.records?.(file, options) ?? []) found.push(record)
    return found
  } finally {
    file.close()
  }
}

/** Writes the documents one after the other and reads them. */
export function recordsOf(path: string, documents: readonly unknown[], options: ReadOptions = {}) {
  writeFileSync(path, documents.map(document => JSON.stringify(document)).join('\n'))
  return readRecords(path, options)
}

export function operationsIn(records: readonly ImportedRecord[]): ImportedOperation[] {
  return records.filter(record => record.record === 'operation')
}

export function tasksIn(records: readonly ImportedRecord[]): ImportedTask[] {
  return records.filter(record => record.record === 'task')
}

export function warningsIn(records: readonly ImportedRecord[]): string[] {
  return records.flatMap(record => (record.record === 'warning' ? [record.code] : []))
}
