import { externalIdOf } from '../../core/external-id.js'
import type { ImportedAction, ImportedOperation } from '../../core/imported.js'
import type { JsonValue } from '../../core/json.js'
import type { ExternalId } from '../../core/operation.js'
import { clipText } from '../bounded-json.js'
import { type Call, keyOf, toolOf } from './call.js'
import { failureText } from './failure.js'
import { isFields } from './fields.js'
import { namespaceOf, operationIdOf, safeText, taskIdOf, threadIdOf } from './identity.js'
import type { Outcome } from './outcome.js'
import { isUnreadable } from './payload.js'
import type { Run } from './run.js'

export function operationRecord(run: Run, call: Call, outcome: Outcome): ImportedOperation {
  const { opened, end, pendingActivity } = call
  const { rule, why, attempts, foreign } = outcome
  const tool = safeText(toolOf(call), 300)
  return {
    record: 'operation',
    operation_id: operationIdOf(run, call),
    task_id: taskIdOf(run),
    tool,
    phase: null,
    step: safeText(stepOf(call), 300),
    effect: null,
    target: opened?.target == null ? null : safeText(opened.target, 1000),
    input: opened?.input ?? null,
    foreign_digest: null,
    idempotency_key: opened?.requestId ?? null,
    status: rule.status,
    foreign_status: clipText(foreign),
    rule: rule.id,
    why: clipText(why, 2000),
    attempts,
    external_ids: externalIdsOf(call),
    result: end?.how === 'COMPLETED' && end.hasResult ? end.result : null,
    heartbeat_at: pendingActivity?.heartbeatAt ?? null,
    progress: progressOf(call),
    checkpoint: {
      source: 'temporal',
      thread_id: threadIdOf(run),
      namespace: namespaceOf(tool, call),
      node: tool,
      task_id: keyOf(call),
    },
    without_leases: true,
    created_at: opened?.at ?? end?.at ?? null,
    updated_at: end?.at ?? pendingActivity?.heartbeatAt ?? call.started?.at ?? opened?.at ?? null,
  }
}

/** The call as one thing an agent did, for the rules that look for loops. */
export function actionRecord(run: Run, call: Call, { rule }: Outcome): ImportedAction {
  const { opened, end } = call
  const isOk = rule.status === 'confirmed'
  return {
    record: 'action',
    task_id: taskIdOf(run),
    kind: 'tool',
    tool: safeText(toolOf(call), 300),
    input: opened?.input ?? null,
    result:
      end === null ? null : isOk ? end.result : end.failure === null ? end.how : failureText(end.failure),
    outcome: end === null ? null : isOk ? 'ok' : 'error',
    at: opened?.at ?? end?.at ?? null,
  }
}

/** Does it hold values that only the workers can read? */
export function hasUnreadable({ opened, end, pendingActivity }: Call): boolean {
  return [opened?.input, end?.result, end?.details, pendingActivity?.heartbeat].some(
    value => value !== undefined && isUnreadable(value),
  )
}

function stepOf({ openId, opened, kind }: Call): string {
  const event = openId === 0 ? 'described' : `event ${openId}`
  return kind === 'activity' && opened?.activityId != null ? `${event}, activity ${opened.activityId}` : event
}

/** What a heartbeat, a time-out, a cancel or a reset told of how far it had come. */
function progressOf({ end, pendingActivity }: Call): JsonValue | null {
  for (let failure = end?.failure ?? null; failure !== null; failure = failure.cause)
    if (failure.heartbeat !== null) return failure.heartbeat
  return pendingActivity?.heartbeat ?? (end?.how === 'CANCELED' ? end.details : null)
}

const MOST_IDS = 20
const ID_NAMES = /^(?:id|url|uri)$|(?:_id|Id|ID|_url|Url)$/

/** The ids that a readable result names at its outermost level, and those by which the server knows the other side. */
function externalIdsOf({ kind, opened, started, end }: Call): ExternalId[] {
  const found: (ExternalId | null)[] = []
  if (kind === 'child' && opened?.target != null)
    found.push(externalIdOf('workflow_id', opened.target.slice('workflow '.length)))
  if (started?.handle != null)
    found.push(externalIdOf(kind === 'child' ? 'run_id' : 'operation_token', started.handle))
  const results = Array.isArray(end?.result) ? end.result : [end?.result ?? null]
  for (const result of results.slice(0, MOST_IDS))
    if (isFields(result))
      for (const [name, value] of Object.entries(result))
        if (ID_NAMES.test(name)) found.push(externalIdOf(name, value))
  return found.filter(id => id !== null).slice(0, MOST_IDS)
}
