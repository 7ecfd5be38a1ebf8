import { ACTION_KINDS, type Action } from '../core/action.js'
import type { Approval } from '../core/approval.js'
import { ATTEMPT_ENDS, type Attempt } from '../core/attempt.js'
import { EVIDENCE_KINDS, EVIDENCE_ORIGINS, type Evidence } from '../core/evidence.js'
import {
  type CheckpointRef,
  EFFECTS,
  type ExternalId,
  OPERATION_STATUSES,
  type Operation,
  type OperationOutline,
} from '../core/operation.js'
import { TASK_STATUSES, type Task } from '../core/task.js'
import {
  digest,
  digestOrNull,
  flag,
  json,
  jsonOr,
  jsonOrNull,
  number,
  numberOrNull,
  text,
  textOrNull,
  word,
  wordOrNull,
} from './cells.js'
import type { Row } from './engine.js'
import type { Claim, LoggedEvent, Note, SubjectRef } from './store.js'

// Rows become records by hand, column by column: a schema library would cost its start-up time in every command.

const NO_CONTRACT: Operation['contract'] = {}
const NO_FLAGS: Operation['flags'] = {}
const NO_LINKS: readonly string[] = []
const NO_LABELS: Task['labels'] = {}

export function operationOf(row: Row): Operation {
  // not a spread: members beyond those that were spread make a new hidden class each time
  return Object.assign(outlineOf(row), {
    input: json(row, 'input'),
    input_digest: digest(row, 'input_digest'),
    contract_digest: digest(row, 'contract_digest'),
    result_digest: digestOrNull(row, 'result_digest'),
    supersedes: textOrNull(row, 'supersedes'),
    checkpoint: jsonOrNull<CheckpointRef>(row, 'checkpoint'),
    links: jsonOr(row, 'links', NO_LINKS, '[]'),
    progress: jsonOrNull(row, 'progress'),
    result: jsonOrNull(row, 'result'),
  })
}

export function outlineOf(row: Row): OperationOutline {
  return {
    operation_id: text(row, 'operation_id'),
    task_id: text(row, 'task_id'),
    phase: textOrNull(row, 'phase'),
    step: textOrNull(row, 'step'),
    tool: text(row, 'tool'),
    effect: wordOrNull(row, 'effect', EFFECTS),
    target: textOrNull(row, 'target'),
    idempotency_key: text(row, 'idempotency_key'),
    key_scope: text(row, 'key_scope'),
    repeat: jsonOrNull(row, 'repeat'),
    contract: jsonOr(row, 'contract', NO_CONTRACT, '{}'),
    amount: numberOrNull(row, 'amount'),
    max_attempts: number(row, 'max_attempts'),
    deadline_at: numberOrNull(row, 'deadline_at'),
    timeout_ms: numberOrNull(row, 'timeout_ms'),
    compensates: textOrNull(row, 'compensates'),
    provenance: word(row, 'provenance', PROVENANCES),
    status: word(row, 'status', OPERATION_STATUSES),
    may_have_applied: flag(row, 'may_have_applied'),
    attempt: number(row, 'attempt'),
    extra_attempts: number(row, 'extra_attempts'),
    next_attempt_at: numberOrNull(row, 'next_attempt_at'),
    retry_reason: textOrNull(row, 'retry_reason'),
    key_first_used_at: numberOrNull(row, 'key_first_used_at'),
    key_retention_ms: numberOrNull(row, 'key_retention_ms'),
    lease_owner: textOrNull(row, 'lease_owner'),
    lease_fence: number(row, 'lease_fence'),
    lease_expires_at: numberOrNull(row, 'lease_expires_at'),
    lease_boot_id: textOrNull(row, 'lease_boot_id'),
    lease_boot_ms: numberOrNull(row, 'lease_boot_ms'),
    heartbeat_at: numberOrNull(row, 'heartbeat_at'),
    activity_at: numberOrNull(row, 'activity_at'),
    progress_at: numberOrNull(row, 'progress_at'),
    last_error: jsonOrNull(row, 'last_error'),
    settled_by: wordOrNull(row, 'settled_by', SETTLERS),
    by_hand: jsonOrNull(row, 'by_hand'),
    approval_id: textOrNull(row, 'approval_id'),
    cancel_requested_at: numberOrNull(row, 'cancel_requested_at'),
    defer_until: numberOrNull(row, 'defer_until'),
    next_look_at: numberOrNull(row, 'next_look_at'),
    flags: jsonOr(row, 'flags', NO_FLAGS, '{}'),
    same_as: textOrNull(row, 'same_as'),
    evidence_count: number(row, 'evidence_count'),
    version: number(row, 'version'),
    created_at: number(row, 'created_at'),
    updated_at: number(row, 'updated_at'),
    settled_at: numberOrNull(row, 'settled_at'),
  }
}

const PROVENANCES = ['library', 'exec', 'record', 'imported'] as const
const SETTLERS = ['receipt', 'probe', 'person', 'imported'] as const

export function attemptOf(row: Row): Attempt {
  return {
    operation_id: text(row, 'operation_id'),
    n: number(row, 'n'),
    fence: number(row, 'fence'),
    owner: text(row, 'owner'),
    sent_at: number(row, 'sent_at'),
    sent_boot_id: text(row, 'sent_boot_id'),
    sent_boot_ms: number(row, 'sent_boot_ms'),
    send_by: number(row, 'send_by'),
    latest_arrival: numberOrNull(row, 'latest_arrival'),
    ended_at: numberOrNull(row, 'ended_at'),
    end: wordOrNull(row, 'end', ATTEMPT_ENDS),
    error: jsonOrNull(row, 'error'),
    heartbeat_at: numberOrNull(row, 'heartbeat_at'),
    activity_at: numberOrNull(row, 'activity_at'),
    progress_at: numberOrNull(row, 'progress_at'),
    progress: jsonOrNull(row, 'progress'),
  }
}

export function evidenceOf(row: Row): Evidence {
  return {
    operation_id: text(row, 'operation_id'),
    n: number(row, 'n'),
    kind: word(row, 'kind', EVIDENCE_KINDS),
    origin: word(row, 'origin', EVIDENCE_ORIGINS),
    attempt: numberOrNull(row, 'attempt'),
    body: json(row, 'body'),
    at: number(row, 'at'),
    actor: text(row, 'actor'),
    hash: digest(row, 'hash'),
  }
}

export function taskOf(row: Row): Task {
  return {
    task_id: text(row, 'task_id'),
    parent_task_id: textOrNull(row, 'parent_task_id'),
    goal: textOrNull(row, 'goal'),
    status: word(row, 'status', TASK_STATUSES),
    status_reason: textOrNull(row, 'status_reason'),
    agent: textOrNull(row, 'agent'),
    thread: jsonOrNull(row, 'thread'),
    workspace: textOrNull(row, 'workspace'),
    links: jsonOr(row, 'links', NO_LINKS, '[]'),
    labels: jsonOr(row, 'labels', NO_LABELS, '{}'),
    deadline_at: numberOrNull(row, 'deadline_at'),
    budget: jsonOrNull(row, 'budget'),
    heartbeat_at: numberOrNull(row, 'heartbeat_at'),
    activity_at: numberOrNull(row, 'activity_at'),
    progress_at: numberOrNull(row, 'progress_at'),
    progress: jsonOrNull(row, 'progress'),
    steps: number(row, 'steps'),
    cost: number(row, 'cost'),
    grace_until: numberOrNull(row, 'grace_until'),
    grace_reason: textOrNull(row, 'grace_reason'),
    taken_over_by: textOrNull(row, 'taken_over_by'),
    taken_over_at: numberOrNull(row, 'taken_over_at'),
    epoch: number(row, 'epoch'),
    version: number(row, 'version'),
    created_at: number(row, 'created_at'),
    updated_at: number(row, 'updated_at'),
    closed_at: numberOrNull(row, 'closed_at'),
  }
}

export function actionOf(row: Row): Action {
  return {
    n: number(row, 'n'),
    kind: word(row, 'kind', ACTION_KINDS),
    tool: textOrNull(row, 'tool'),
    input_digest: digestOrNull(row, 'input_digest'),
    result_digest: digestOrNull(row, 'result_digest'),
    outcome: wordOrNull(row, 'outcome', ['ok', 'error'] as const),
    times: number(row, 'times'),
    first_at: number(row, 'first_at'),
    at: number(row, 'at'),
    wait_until: numberOrNull(row, 'wait_until'),
    stall: jsonOrNull(row, 'stall'),
    excerpt: text(row, 'excerpt'),
  }
}

export function approvalOf(row: Row): Approval {
  return {
    approval_id: text(row, 'approval_id'),
    operation_id: text(row, 'operation_id'),
    digest: digest(row, 'digest'),
    approver: text(row, 'approver'),
    reason: text(row, 'reason'),
    granted_at: number(row, 'granted_at'),
    expires_at: numberOrNull(row, 'expires_at'),
    uses: number(row, 'uses'),
    used: number(row, 'used'),
    revoked_at: numberOrNull(row, 'revoked_at'),
  }
}

export function externalIdOf(row: Row): ExternalId {
  const [url, scope] = [textOrNull(row, 'url'), text(row, 'scope')]
  return {
    kind: text(row, 'kind'),
    value: text(row, 'value'),
    ...(url === null ? {} : { url }),
    ...(scope === '' ? {} : { scope }),
  }
}

export function noteOf(row: Row): Note {
  return {
    note_id: number(row, 'note_id'),
    task_id: text(row, 'task_id'),
    operation_id: textOrNull(row, 'operation_id'),
    kind: word(row, 'kind', NOTE_KINDS),
    body: json(row, 'body'),
    at: number(row, 'at'),
    actor: text(row, 'actor'),
  }
}

const NOTE_KINDS = ['finding', 'open', 'hypothesis', 'workspace', 'remark', 'summary'] as const

export function claimOf(row: Row): Claim {
  return {
    subject: subjectOf(word(row, 'subject', ['operation', 'task']), text(row, 'subject_id')),
    actor: text(row, 'actor'),
    at: number(row, 'at'),
    until: number(row, 'until'),
  }
}

function subjectOf(subject: 'operation' | 'task', id: string): SubjectRef {
  return subject === 'operation' ? { operation_id: id } : { task_id: id }
}

export function eventOf(row: Row): LoggedEvent {
  return {
    seq: number(row, 'seq'),
    subject: word(row, 'subject', SUBJECTS),
    subject_id: text(row, 'subject_id'),
    n: number(row, 'n'),
    about: textOrNull(row, 'about'),
    type: text(row, 'type'),
    at: number(row, 'at'),
    actor: text(row, 'actor'),
    body: json(row, 'body'),
    hash: digest(row, 'hash'),
  }
}

export const SUBJECTS = ['operation', 'task', 'ledger'] as const
