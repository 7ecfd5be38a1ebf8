import type { JsonObject, JsonValue } from '../../core/json.js'
import { foreignTime } from '../foreign-time.js'
import { idOf, numberOf, textOf } from '../json-parts.js'

/** The names under which programs write one thing; the first that is there counts. */
export const FIELDS = {
  id: ['operation_id', 'operationId', 'op_id', 'effect_id', 'action_id'],
  /** an id only beside a status and a tool, for everything has an `id` */
  plainId: ['id'],
  task: ['task_id', 'taskId', 'run_id', 'runId', 'run', 'workflow_id', 'session_id', 'job_id'],
  tool: ['tool', 'tool_name', 'toolName', 'action', 'effect_name', 'function', 'name', 'kind'],
  status: ['status', 'state', 'outcome'],
  input: ['input', 'args', 'arguments', 'params', 'parameters', 'request', 'payload'],
  digest: ['input_hash', 'input_digest', 'args_hash', 'request_hash', 'fingerprint', 'input_fingerprint'],
  key: ['idempotency_key', 'idempotencyKey', 'idem_key', 'provider_key'],
  externalId: [
    'external_resource_id',
    'external_id',
    'externalId',
    'resource_id',
    'remote_id',
    'provider_id',
  ],
  externalIds: ['external_ids', 'externalIds'],
  attempt: ['attempt', 'attempts', 'attempt_no', 'attempt_number', 'attempt_count', 'tries'],
  error: ['error', 'last_error', 'error_message', 'failure', 'reason'],
  code: ['error_code', 'errorCode', 'code'],
  result: ['result', 'output', 'response', 'receipt'],
  at: ['timestamp', 'ts', 'time', 'at', 'updated_at', 'updatedAt', 'date'],
  startedAt: ['started_at', 'startedAt', 'sent_at', 'attempted_at', 'created_at', 'createdAt'],
  endedAt: ['ended_at', 'endedAt', 'finished_at', 'finishedAt', 'completed_at', 'settled_at'],
  effect: ['effect'],
  target: ['target', 'resource', 'url', 'path'],
  phase: ['phase'],
  step: ['step', 'node', 'step_id'],
  owner: ['owner', 'executor', 'worker', 'lease_owner', 'agent'],
  heartbeat: ['heartbeat_at', 'last_heartbeat', 'heartbeat'],
  progress: ['progress'],
  replayOf: ['replay_of', 'replayOf', 'retry_of'],
  notSent: ['not_sent', 'never_sent'],
  sent: ['sent', 'executed', 'may_have_applied', 'was_sent'],
  revision: ['input_revision', 'revision'],
  artifact: ['artifact', 'artifact_path'],
  artifactDigest: ['artifact_digest', 'artifact_hash'],
  goal: ['goal'],
} as const satisfies Record<string, readonly string[]>

export type FieldName = keyof typeof FIELDS

const KNOWN: ReadonlySet<string> = new Set([...Object.values(FIELDS).flat(), 'record', 'schema'])

/** Names of fields that mean nothing here. */
export function unknownFields(record: JsonObject): string[] {
  return Object.keys(record).filter(name => !KNOWN.has(name))
}

export function field(record: JsonObject, name: FieldName): JsonValue {
  for (const one of FIELDS[name])
    if (Object.hasOwn(record, one) && record[one] !== null && record[one] !== undefined) return record[one]
  return null
}

export function textField(record: JsonObject, name: FieldName): string | null {
  return textOf(field(record, name))
}

export function idField(record: JsonObject, name: FieldName): string | null {
  return idOf(field(record, name))
}

/** A count: a number, or digits. */
export function countField(record: JsonObject, name: FieldName): number | null {
  const value = field(record, name)
  const count = typeof value === 'string' && /^\d{1,6}$/.test(value) ? Number(value) : numberOf(value)
  return count !== null && Number.isInteger(count) && count >= 0 && count <= 1_000_000 ? count : null
}

const TIMES = ['at', 'startedAt', 'endedAt', 'heartbeat'] as const

/** Names of fields that should hold a time and do not. */
export function unreadableTimes(record: JsonObject): string[] {
  return TIMES.flatMap(time => {
    const given = field(record, time)
    if (given === null || foreignTime(given) !== null) return []
    return FIELDS[time].filter(name => record[name] === given)
  })
}
