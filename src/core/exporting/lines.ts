import type { Attempt } from '../attempt.js'
import type { Evidence } from '../evidence.js'
import type { ImportedNote, ImportedOperation, ImportedPhase, ImportedTask } from '../imported.js'
import type { JsonValue } from '../json.js'
import type { ExternalId, Operation } from '../operation.js'
import type { Phase } from '../phase.js'
import type { Task } from '../task.js'

// The lines of an export: the records that sources yield, with what only a ledger of this program knows under `own`.

export const EXPORT_SCHEMA = 'agent-ledger/export@1'

/** The first line. */
export interface ExportHead {
  readonly schema: typeof EXPORT_SCHEMA
  readonly ledger_id: string
  /** milliseconds since 1970 UTC, as all times of an export */
  readonly exported_at: number
  /** the program and its version */
  readonly program: string
  /** false: secrets stand in it as they were given, so that digests can be made again */
  readonly masked: boolean
  /** null: the whole ledger */
  readonly task_id: string | null
}

/** The last line: without it the export was cut off. */
export interface ExportEnd {
  readonly record: 'end'
  /** lines between the first and this one */
  readonly records: number
}

/** One operation with all that stands about it. */
export interface OperationParts {
  readonly operation: Operation
  readonly attempts: readonly Attempt[]
  readonly evidence: readonly Evidence[]
  readonly external_ids: readonly ExternalId[]
}

export function taskLine({ links, budget, ...task }: Task): ImportedTask {
  return {
    record: 'task',
    task_id: task.task_id,
    parent_task_id: task.parent_task_id,
    goal: task.goal,
    status: task.status,
    status_reason: task.status_reason,
    agent: task.agent,
    thread: task.thread,
    workspace: task.workspace,
    labels: task.labels,
    deadline_at: task.deadline_at,
    heartbeat_at: task.heartbeat_at,
    activity_at: task.activity_at,
    progress_at: task.progress_at,
    created_at: task.created_at,
    closed_at: task.closed_at,
    own: { links, budget },
  }
}

export function operationLine(ledger_id: string, parts: OperationParts): ImportedOperation {
  const { operation, attempts, evidence, external_ids } = parts
  return {
    record: 'operation',
    operation_id: operation.operation_id,
    task_id: operation.task_id,
    tool: operation.tool,
    phase: operation.phase,
    step: operation.step,
    effect: operation.effect,
    target: operation.target,
    input: operation.input,
    foreign_digest: null,
    idempotency_key: operation.idempotency_key,
    status: operation.status,
    foreign_status: operation.status,
    rule: 'agent_ledger.export',
    why: `It was ${operation.status} in the ledger ${ledger_id} at version ${operation.version}.`,
    attempts: attempts.map(({ n, owner, sent_at, ended_at, end, error }) => ({
      n,
      owner,
      sent_at,
      ended_at,
      end,
      error:
        error === null
          ? null
          : { message: error.message, ...(error.code === undefined ? {} : { code: error.code }) },
    })),
    external_ids,
    result: operation.result,
    heartbeat_at: operation.heartbeat_at,
    progress: operation.progress,
    checkpoint: operation.checkpoint,
    without_leases: operation.lease_expires_at === null,
    lease_expires_at: operation.lease_expires_at,
    created_at: operation.created_at,
    updated_at: operation.updated_at,
    own: {
      ledger_id,
      input_digest: operation.input_digest,
      key_scope: operation.key_scope,
      repeat: operation.repeat,
      contract: operation.contract,
      amount: operation.amount,
      max_attempts: operation.max_attempts,
      deadline_at: operation.deadline_at,
      timeout_ms: operation.timeout_ms,
      compensates: operation.compensates,
      supersedes: operation.supersedes,
      links: operation.links,
      provenance: operation.provenance,
      flags: operation.flags,
      last_error: operation.last_error,
      settled_by: operation.settled_by,
      by_hand: operation.by_hand,
      settled_at: operation.settled_at,
      result_digest: operation.result_digest,
      cancel_requested_at: operation.cancel_requested_at,
      next_attempt_at: operation.next_attempt_at,
      retry_reason: operation.retry_reason,
      defer_until: operation.defer_until,
      next_look_at: operation.next_look_at,
      activity_at: operation.activity_at,
      progress_at: operation.progress_at,
      version: operation.version,
      attempts: attempts.map(({ operation_id: _, ...attempt }) => attempt),
      evidence: evidence.map(({ operation_id: _, ...piece }) => piece),
    },
  }
}

export interface NoteParts {
  readonly task_id: string
  readonly operation_id: string | null
  readonly kind: ImportedNote['kind']
  readonly body: JsonValue
  readonly at: number
}

export function noteLine({ task_id, operation_id, kind, body, at }: NoteParts): ImportedNote {
  return { record: 'note', task_id, operation_id, kind, body, at }
}

export interface PhaseParts {
  readonly task_id: string
  readonly name: string
  readonly input_revision: string | null
  readonly status: string
  readonly artifact: string | null
  readonly artifact_digest: string | null
  readonly own: Pick<Phase, 'input' | 'based_on' | 'result' | 'evidence'>
  readonly updated_at: number
}

export function phaseLine({ updated_at, ...phase }: PhaseParts): ImportedPhase {
  return { record: 'phase', ...phase, at: updated_at }
}
