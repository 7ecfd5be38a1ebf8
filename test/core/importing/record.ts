import type { ImportedAttempt, ImportedOperation, OwnRecord } from '../../../src/core/imported.js'
import type { TakingIn } from '../../../src/core/importing/their-record.js'
import { NOON } from '../builders.js'

/** A record of another system; by default it took effect in one attempt. */
export function aRecord(over: Partial<ImportedOperation> = {}): ImportedOperation {
  return {
    record: 'operation',
    operation_id: 'other:t-1',
    task_id: 'other:run-1',
    tool: 'tickets.create',
    phase: null,
    step: null,
    effect: null,
    target: null,
    input: { title: 'Disk full' },
    foreign_digest: null,
    idempotency_key: null,
    status: 'confirmed',
    foreign_status: 'done',
    rule: 'other.done',
    why: 'It says so.',
    attempts: [anAttempt(1, 'applied')],
    external_ids: [],
    result: null,
    heartbeat_at: null,
    progress: null,
    checkpoint: null,
    without_leases: false,
    created_at: NOON - 10,
    updated_at: NOON - 1,
    ...over,
  }
}

export function anAttempt(
  n: number,
  end: ImportedAttempt['end'],
  over: Partial<ImportedAttempt> = {},
): ImportedAttempt {
  return {
    n,
    owner: 'worker-7',
    sent_at: NOON - 5,
    ended_at: end === null ? null : NOON - 2,
    end,
    error: null,
    ...over,
  }
}

/** What an export of this program adds. */
export function anOwnRecord(over: Partial<OwnRecord> = {}): OwnRecord {
  return {
    ledger_id: 'ledger-1',
    version: 4,
    input_digest: 'sha256:in',
    key_scope: 'tickets',
    repeat: { kind: 'idempotent' },
    contract: { settle_ms: 4 },
    amount: 7,
    max_attempts: 9,
    deadline_at: NOON + 1,
    timeout_ms: 5,
    compensates: 'other:t-0',
    supersedes: 'other:t-00',
    links: ['https://run/1'],
    provenance: 'library',
    flags: { again: 'two' },
    last_error: { rule: 'thrown', message: 'secret', at: NOON, attempt: 1 },
    settled_by: 'receipt',
    by_hand: null,
    settled_at: NOON - 2,
    result_digest: 'sha256:out',
    cancel_requested_at: null,
    next_attempt_at: null,
    retry_reason: null,
    defer_until: NOON + 2,
    next_look_at: null,
    activity_at: NOON - 3,
    progress_at: null,
    attempts: [],
    evidence: [],
    ...over,
  }
}

export const TAKING: TakingIn = {
  source: 'other',
  now: NOON,
  mask: {
    text: text => text.replaceAll('secret', '***'),
    value: value => JSON.parse(JSON.stringify(value).replaceAll('secret', '***')),
  },
  declared: () => null,
}
