import { contractDigest, deriveIdempotencyKey, inputDigest } from '../../src/core/digest.js'
import type { NewEvidence } from '../../src/core/evidence.js'
import type { Intent } from '../../src/core/operation.js'
import type { Task } from '../../src/core/task.js'
import type { Stamp } from '../../src/core/time.js'
import { decide } from '../../src/core/transitions/decide.js'
import { evolve } from '../../src/core/transitions/evolve.js'
import type { Context, Refusal, Request, State } from '../../src/core/transitions/requests.js'

/** Sunday noon; every test counts from here. */
export const NOON = Date.UTC(2026, 2, 10, 12)

export function stampAt(at: number): Stamp {
  return { at, boot_id: 'boot-1', boot_ms: at - NOON + 1_000_000 }
}

export function anIntent(over: Partial<Intent> = {}): Intent {
  const operation_id = over.operation_id ?? 'ticket-1'
  const input = over.input ?? { title: 'Disk full' }
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
    same_write: null,
    known_external_ids: [],
    new_incarnation: false,
    ...over,
  }
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
    request.type === 'prepare' ? request.intent.operation_id : (state?.operation.operation_id ?? '')
  return evolve(state, { operation_id, at: ctx.now.at, body, large })
}

/** The refusal of a request that must be refused. */
export function refusalOf(state: State | null, request: Request, context: Partial<Context> = {}): Refusal {
  const decided = decide(state, request, aContext(context))
  if (decided.ok) throw new Error(`${request.type} was allowed`)
  return decided.refusal
}

export const asked = {
  prepare: (over: Partial<Intent> = {}): Request => ({ type: 'prepare', intent: anIntent(over) }),
  send: (over: object = {}): Request => ({
    type: 'send',
    owner: 'host/boot-1/42',
    lease_ms: 60_000,
    epoch: 1,
    fence: null,
    ...over,
  }),
  confirm: (over: object = {}): Request => ({
    type: 'confirm',
    attempt: 1,
    fence: 2,
    by: 'receipt',
    external_ids: [{ kind: 'ticket', value: 'T-1' }],
    result: { id: 'T-1' },
    result_digest: null,
    duplicates: false,
    ...over,
  }),
  lose: (over: object = {}): Request => ({
    type: 'lose',
    attempt: 1,
    fence: 2,
    error: { rule: 'thrown', message: 'socket hang up', at: NOON, attempt: 1 },
    ...over,
  }),
  reject: (over: object = {}): Request => ({
    type: 'reject',
    attempt: 1,
    fence: 2,
    error: { rule: 'connect_refused', message: 'ECONNREFUSED', at: NOON, attempt: 1 },
    ...over,
  }),
}
