import type { Approval } from '../../src/core/approval.js'
import type { AttemptEnd } from '../../src/core/attempt.js'
import { contractDigest, deriveIdempotencyKey, inputDigest } from '../../src/core/digest.js'
import type { NewEvidence } from '../../src/core/evidence.js'
import type { Intent, LastError } from '../../src/core/operation.js'
import type { Task } from '../../src/core/task.js'
import type { Stamp } from '../../src/core/time.js'
import { decide } from '../../src/core/transitions/decide.js'
import { evolve } from '../../src/core/transitions/evolve.js'
import type { Context, Refusal, Request, RequestOf, State } from '../../src/core/transitions/requests.js'

/** Sunday noon; every test counts from here. */
export const NOON = Date.UTC(2026, 2, 10, 12)

export function stampAt(at: number): Stamp {
  return { at, boot_id: 'boot-1', boot_ms: at - NOON + 1_000_000 }
}

export function anIntent(over: Partial<Intent> = {}): Intent {
  const operation_id = over.operation_id ?? 'ticket-1'
  // the same tool and input under another id would be the same write
  const input = over.input ?? {
    title: operation_id === 'ticket-1' ? 'Disk full' : operation_id.toWellFormed(),
  }
  const effect = over.effect === undefined ? 'irreversible' : over.effect
  const repeat = over.repeat ?? null
  const contract = over.contract ?? {}
  return {
    operation_id,
    task_id: 'task-1',
    phase: null,
    step: null,
    tool: 'tickets.create',
    effect,
    target: 'tickets.example',
    input,
    input_digest: inputDigest(input),
    idempotency_key: deriveIdempotencyKey(operation_id),
    key_scope: 'tickets.create',
    repeat,
    contract,
    contract_digest: contractDigest(effect, repeat, contract),
    amount: null,
    max_attempts: 3,
    deadline_at: null,
    timeout_ms: null,
    compensates: null,
    supersedes: null,
    checkpoint: null,
    provenance: 'library',
    links: [],
    ...over,
  }
}

export function aTask(over: Partial<Task> = {}): Task {
  return {
    task_id: 'task-1',
    parent_task_id: null,
    goal: 'Keep the disks free',
    status: 'running',
    status_reason: null,
    agent: null,
    thread: null,
    workspace: null,
    links: [],
    labels: {},
    deadline_at: null,
    budget: null,
    heartbeat_at: null,
    activity_at: null,
    progress_at: null,
    progress: null,
    steps: 0,
    cost: 0,
    grace_until: null,
    grace_reason: null,
    taken_over_by: null,
    taken_over_at: null,
    epoch: 1,
    version: 1,
    created_at: NOON,
    updated_at: NOON,
    closed_at: null,
    ...over,
  }
}

export const RECEIPT: NewEvidence = { kind: 'receipt', origin: 'observed', attempt: 1, body: { id: 'T-1' } }
export const SEEN: NewEvidence = {
  kind: 'attestation',
  origin: 'attested',
  attempt: null,
  body: 'https://tickets/T-1',
}

export function aContext(over: Partial<Context> = {}): Context {
  return {
    now: stampAt(NOON),
    actor: 'ana',
    evidence: [RECEIPT],
    task: aTask(),
    owner_gone: false,
    target_touched: null,
    clock_doubt: false,
    approval: null,
    approval_digest: null,
    compensated: null,
    undone_by: [],
    same_write: null,
    quota_used_until: null,
    known_external_ids: [],
    new_incarnation: false,
    ...over,
  }
}

export const TICKET = { kind: 'ticket', value: 'T-1' } as const
const HELD = { attempt: 1, fence: 2 }
const REFUSED = anError('connect_refused', 'ECONNREFUSED')

function anError(rule: string, message: string): LastError {
  return { rule, message, at: NOON, attempt: 1 }
}

/** The state after the requests, each of which must be allowed. */
export function following(
  requests: readonly Request[],
  context: Partial<Context> = {},
  from: State | null = null,
): State {
  let state = from
  for (const request of requests) state = moved(state, request, context)
  if (state === null) throw new Error('no request was given')
  return state
}

export function moved(state: State | null, request: Request, context: Partial<Context> = {}): State {
  const ctx = aContext(context)
  const decided = decide(state, request, ctx)
  if (!decided.ok)
    throw new Error(`${request.type} was refused by ${decided.refusal.rule}: ${decided.refusal.reason}`)
  const { body, large } = decided.event
  const operation_id =
    'intent' in request ? request.intent.operation_id : (state?.operation.operation_id ?? '')
  return evolve(state, { operation_id, at: ctx.now.at, body, large })
}

/** The refusal of a request that must be refused. */
export function refusalOf(state: State | null, request: Request, context: Partial<Context> = {}): Refusal {
  const decided = decide(state, request, aContext(context))
  if (decided.ok) throw new Error(`${request.type} was allowed`)
  return decided.refusal
}

const AT_ONCE = { reason: 'seen with my own eyes', expected_version: null }

/** Requests with defaults: those of an executor name attempt 1 and the fence of a first send. */
export const asked = {
  prepare: (over: Partial<Intent> = {}) => request({ type: 'prepare', intent: anIntent(over) }),
  send: (over: Over<'send'> = {}) =>
    request({ type: 'send', owner: 'host/boot-1/42', lease_ms: 60_000, epoch: 1, fence: null, ...over }),
  accept: (over: Over<'accept'> = {}) =>
    request({
      type: 'accept',
      ...HELD,
      remote: { kind: 'job', value: 'J-1' },
      patience_ms: 3_600_000,
      ...over,
    }),
  confirm: (over: Over<'confirm'> = {}) =>
    request({
      type: 'confirm',
      ...HELD,
      by: 'receipt',
      external_ids: [TICKET],
      result: { id: 'T-1' },
      result_digest: null,
      duplicates: false,
      ...over,
    }),
  match: (over: Over<'confirm'> = {}) =>
    asked.confirm({ by: 'probe', attempt: null, fence: null, result: null, ...over }),
  lose: (over: Over<'lose'> = {}) =>
    request({ type: 'lose', ...HELD, error: anError('thrown', 'socket hang up'), ...over }),
  reject: (over: Over<'lose'> = {}) => request({ type: 'reject', ...HELD, error: REFUSED, ...over }),
  rejectInDoubt: (over: Over<'lose'> = {}) =>
    request({ ...HELD, error: REFUSED, ...over, type: 'reject_in_doubt' }),
  scheduleRetry: (over: Over<'schedule_retry'> = {}) =>
    request({
      type: 'schedule_retry',
      ...HELD,
      error: REFUSED,
      next_attempt_at: NOON + 5_000,
      retry_reason: 'the service asked to wait',
      ...over,
    }),
  orphan: (over: Over<'orphan'> = {}) =>
    request({ type: 'orphan', why: 'lease_lapsed', reason: null, ...over }),
  takeover: () => request({ type: 'takeover', reason: 'it hangs' }),
  resend: () => request({ type: 'resend' }),
  rerun: () => request({ type: 'rerun' }),
  withdraw: () => request({ type: 'withdraw', reason: 'the key has expired' }),
  allowRetry: (over: Over<'allow_retry'> = {}) =>
    request({ type: 'allow_retry', ...AT_ONCE, accept_duplicate: null, ...over }),
  absent: (over: Over<'absent'> = {}) =>
    request({ type: 'absent', rules_version: 1, seen_attempts: 1, seen_version: 3, ...over }),
  resolveConfirmed: (over: Over<'resolve_confirmed'> = {}) =>
    request({
      type: 'resolve_confirmed',
      ...AT_ONCE,
      external_ids: [],
      result: null,
      result_digest: null,
      ...over,
    }),
  resolveNotExecuted: (over: Over<'resolve_not_executed'> = {}) =>
    request({ type: 'resolve_not_executed', ...AT_ONCE, early: false, ...over }),
  late: (end: 'applied' | 'not_applied' | 'ambiguous', over: Over<'late_result'> = {}) =>
    request({
      type: 'late_result',
      ...HELD,
      end,
      external_ids: [],
      result: null,
      result_digest: null,
      error: null,
      ...over,
    }),
  contradict: (over: Over<'contradict'> = {}) =>
    request({ type: 'contradict', reason: 'a receipt came late', attempt: null, external_ids: [], ...over }),
  reopen: () => request({ type: 'reopen', ...AT_ONCE }),
  cancel: () => request({ type: 'cancel', ...AT_ONCE }),
  deny: () => request({ type: 'deny', ...AT_ONCE }),
  abandon: () => request({ type: 'abandon', ...AT_ONCE }),
  acknowledge: () => request({ type: 'acknowledge', ...AT_ONCE }),
  /** by default it took effect in one attempt */
  imported: (over: Over<'import'> = {}) =>
    request({
      type: 'import',
      intent: anIntent({ provenance: 'imported' }),
      status: 'confirmed',
      attempts: [theirAttempt(1, 'applied')],
      external_ids: [],
      result: null,
      result_digest: null,
      last_error: null,
      settled_by: null,
      lease_expires_at: null,
      kept: {},
      heartbeat_at: null,
      progress: null,
      created_at: NOON,
      settled_at: null,
      said: { source: 'other', foreign_status: 'done', rule: 'other.done', why: 'It says so.' },
      ...(over.status === 'confirmed' || over.status === undefined
        ? { settled_by: 'imported' as const }
        : {}),
      ...over,
    }),
  question: () => request({ type: 'question', reason: 'ticket-0 is not confirmed any more' }),
}

/** An attempt of another system as the ledger keeps it; null: it may be under way. */
export function theirAttempt(n: number, end: AttemptEnd | null): RequestOf<'import'>['attempts'][number] {
  const times = { sent_at: NOON, send_by: NOON + 60_000, latest_arrival: NOON + 960_000 }
  const signs = { heartbeat_at: null, activity_at: null, progress_at: null, progress: null }
  const where = { fence: 1, owner: '', sent_boot_id: '', sent_boot_ms: 0 }
  return { n, ...where, ...times, ended_at: end === null ? null : NOON + 60_000, end, error: null, ...signs }
}

type Over<T extends Request['type']> = Partial<Omit<RequestOf<T>, 'type'>>

/** Holds each maker to the request it makes, without widening it. */
function request<T extends Request>(made: T): T {
  return made
}

/** Leave to send a ticket once. */
export function anApproval(over: Partial<Approval> = {}): Approval {
  return {
    approval_id: 'a-1',
    operation_id: 'ticket-1',
    digest: 'd',
    approver: 'ana',
    reason: 'fine',
    granted_at: NOON,
    expires_at: null,
    uses: 1,
    used: 0,
    revoked_at: null,
    ...over,
  }
}
