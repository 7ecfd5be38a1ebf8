import { NO_CONFIG } from '../config/config.js'
import { contractDigest, deriveIdempotencyKey, digestOf, inputDigest } from '../core/digest.js'
import type { NewEvidence } from '../core/evidence.js'
import type { JsonValue } from '../core/json.js'
import type { ExternalId, Intent, LastError } from '../core/operation.js'
import { createRedactor } from '../core/redact/redact.js'
import type { TaskStatus } from '../core/task.js'
import type { Stamp } from '../core/time.js'
import type { OrphanReason, Request } from '../core/transitions/requests.js'
import type { NewTask } from '../core/transitions/task.js'
import { type Deciding, deciding } from '../ledger/deciding.js'
import type { Store } from '../store/store.js'

/** An intent with everything but what it is about left to defaults. */
export type Planned = Partial<Intent> & Pick<Intent, 'operation_id' | 'task_id' | 'tool'>

interface Received {
  readonly ids?: readonly ExternalId[]
  readonly result?: JsonValue
}

/** What the people and programs of the sample do, each as the verbs of the store let them. */
export interface World {
  readonly task: (task: NewTask) => Promise<void>
  readonly setStatus: (taskId: string, status: TaskStatus, reason?: string) => Promise<void>
  readonly prepare: (planned: Planned) => Promise<void>
  /** it stands in other records as confirmed */
  readonly bringIn: (
    planned: Planned,
    record: { readonly ids: readonly ExternalId[]; readonly why: string },
  ) => Promise<void>
  /** `leaseMs`: null for a writer that takes none */
  readonly send: (
    id: string,
    lease?: { readonly owner?: string; readonly leaseMs?: number | null },
  ) => Promise<void>
  readonly confirm: (id: string, received?: Received) => Promise<void>
  readonly reject: (id: string, rule: string, message: string) => Promise<void>
  readonly retryLater: (id: string, error: { rule: string; message: string }, inMs: number) => Promise<void>
  readonly lose: (id: string, rule: string, message: string) => Promise<void>
  readonly orphan: (id: string, why: Exclude<OrphanReason, 'person'>) => Promise<void>
  /** the result of an attempt that had lost its hold */
  readonly late: (
    id: string,
    attempt: number,
    end: 'applied' | 'ambiguous',
    received?: Received,
  ) => Promise<void>
  readonly contradict: (id: string, attempt: number, received: Received) => Promise<void>
  readonly progress: (id: string, progress: JsonValue) => Promise<void>
  readonly as: (person: string) => Deciding
  readonly now: () => number
}

/** A moment of the sample and what happens at it. */
export interface Moment {
  /** milliseconds since 1970 UTC */
  readonly at: number
  readonly happens: (world: World) => Promise<unknown>
}

const AGENT = 'agent'
const OWNER = 'worker-3/4f1d/2211/4026531836.4026531834/991201/5c1f00aa12de'
const MINUTE = 60_000

/** The verbs on an open store, by a clock that is set from outside. */
export function worldOf(store: Store, clock: () => Stamp): World {
  const change = async (operation_id: string, ask: Ask) => {
    const { request, evidence = [], task_id, gone = false } = ask
    const { state, refusal } = await store.change({
      operation_id,
      by: { actor: AGENT, clock },
      isOwnerGone: () => gone,
      onRefusal: 'undo',
      plan: () => [{ request, evidence }],
      ...(task_id === undefined ? {} : { task_id }),
    })
    if (refusal !== null || state === null)
      throw new Error(`the sample does not fit the rules: ${operation_id}: ${refusal?.reason ?? 'not there'}`)
    return state
  }
  const held = async (id: string) => {
    const record = await store.operation(id)
    if (record === null) throw new Error(`the sample names ${id} before it is prepared`)
    const { attempt, lease_fence } = record.operation
    return { attempt, fence: lease_fence }
  }
  const failed = async (id: string, { rule, message }: Failure) => {
    const { attempt, fence } = await held(id)
    const error: LastError = { rule, message, at: clock().at, attempt }
    const seen: NewEvidence = { kind: 'error', origin: 'observed', attempt, body: { rule, message } }
    return { attempt, fence, error, evidence: [seen] }
  }
  return {
    task: async task => {
      await setTask(store, clock, { task_id: task.task_id, request: { type: 'open', task } })
    },
    setStatus: async (task_id, status, reason) => {
      await setTask(store, clock, {
        task_id,
        request: { type: 'set_status', status, reason: reason ?? null },
      })
    },
    prepare: async planned => {
      const intent = intentOf(planned)
      await change(intent.operation_id, { request: { type: 'prepare', intent }, task_id: intent.task_id })
    },
    bringIn: async (planned, { ids, why }) => {
      const { at } = clock()
      const intent = { ...intentOf(planned), provenance: 'imported' as const }
      const said = { source: 'jsonl', foreign_status: 'succeeded', rule: 'jsonl.succeeded', why }
      const request: Request = {
        type: 'import',
        intent,
        status: 'confirmed',
        attempts: [theirAttempt(at)],
        ...received(ids, null),
        last_error: null,
        settled_by: 'imported',
        lease_expires_at: null,
        kept: {},
        heartbeat_at: null,
        progress: null,
        created_at: at,
        settled_at: at,
        said,
      }
      const evidence: NewEvidence = { kind: 'record', origin: 'imported', attempt: 1, body: said }
      await change(intent.operation_id, { request, evidence: [evidence], task_id: intent.task_id })
    },
    send: async (id, { owner = OWNER, leaseMs = MINUTE } = {}) => {
      await change(id, { request: { type: 'send', owner, lease_ms: leaseMs, epoch: null, fence: null } })
    },
    confirm: async (id, { ids = [], result = null } = {}) => {
      const at = await held(id)
      const request: Request = {
        type: 'confirm',
        by: 'receipt',
        duplicates: false,
        ...at,
        ...received(ids, result),
      }
      await change(id, { request, evidence: [receipt(at.attempt, ids, result)] })
    },
    reject: async (id, rule, message) => {
      const { evidence, ...rest } = await failed(id, { rule, message })
      await change(id, { request: { type: 'reject', ...rest }, evidence })
    },
    retryLater: async (id, failure, inMs) => {
      const { evidence, ...rest } = await failed(id, failure)
      const later = { next_attempt_at: clock().at + inMs, retry_reason: failure.message }
      await change(id, { request: { type: 'schedule_retry', ...rest, ...later }, evidence })
    },
    lose: async (id, rule, message) => {
      const { evidence, ...rest } = await failed(id, { rule, message })
      await change(id, { request: { type: 'lose', ...rest }, evidence })
    },
    orphan: async (id, why) => {
      await change(id, { request: { type: 'orphan', why, reason: null }, gone: why === 'owner_gone' })
    },
    late: async (id, attempt, end, { ids = [], result = null } = {}) => {
      const { fence } = await held(id)
      const error = end === 'applied' ? null : lateError(clock().at, attempt)
      const evidence: NewEvidence = { ...receipt(attempt, ids, result), kind: 'late_result' }
      const request: Request = { type: 'late_result', attempt, fence, end, error, ...received(ids, result) }
      await change(id, { request, evidence: [evidence] })
    },
    contradict: async (id, attempt, { ids = [], result = null }) => {
      const reason = `attempt ${attempt} reported a receipt after it was settled`
      const evidence: NewEvidence = { ...receipt(attempt, ids, result), kind: 'late_result' }
      await change(id, {
        request: { type: 'contradict', reason, attempt, external_ids: ids },
        evidence: [evidence],
      })
    },
    progress: async (id, progress) => {
      const { attempt, fence } = await held(id)
      const subject = { operation_id: id, attempt, fence }
      const answer = await store.signal({ kind: 'progress', subject, progress, clock })
      if (!answer.held) throw new Error(`the sample does not fit the rules: ${id}: ${answer.reason}`)
    },
    as: person =>
      deciding({
        store,
        clock,
        monotonicMs: () => 0,
        actor: person,
        owner: OWNER,
        isOwnerGone: () => false,
        config: NO_CONFIG,
        mask: createRedactor(),
        warn: () => undefined,
      }),
    now: () => clock().at,
  }
}

interface Ask {
  readonly request: Request
  readonly evidence?: readonly NewEvidence[]
  readonly task_id?: string
  readonly gone?: boolean
}

interface Failure {
  readonly rule: string
  readonly message: string
}

async function setTask(
  store: Store,
  clock: () => Stamp,
  asked: Pick<Parameters<Store['changeTask']>[0], 'task_id' | 'request'>,
): Promise<void> {
  const { refusal } = await store.changeTask({
    ...asked,
    by: { actor: AGENT, clock },
    isOwnerGone: () => false,
  })
  if (refusal !== null)
    throw new Error(`the sample does not fit the rules: ${asked.task_id}: ${refusal.reason}`)
}

function intentOf(planned: Planned): Intent {
  const { operation_id, tool, input = {}, effect = null, repeat = null, contract = {} } = planned
  return {
    phase: null,
    step: null,
    target: null,
    idempotency_key: deriveIdempotencyKey(operation_id),
    key_scope: tool,
    amount: null,
    max_attempts: 3,
    deadline_at: null,
    timeout_ms: null,
    compensates: null,
    supersedes: null,
    checkpoint: null,
    provenance: 'library',
    links: [],
    ...planned,
    effect,
    repeat,
    contract,
    input,
    input_digest: inputDigest(input),
    contract_digest: contractDigest(effect, repeat, contract),
  }
}

function theirAttempt(at: number) {
  const times = { sent_at: at, send_by: at, latest_arrival: at, ended_at: at }
  const nothing = { heartbeat_at: null, activity_at: null, progress_at: null, progress: null, error: null }
  return {
    n: 1,
    fence: 1,
    owner: '',
    sent_boot_id: '',
    sent_boot_ms: 0,
    end: 'applied',
    ...times,
    ...nothing,
  } as const
}

function received(external_ids: readonly ExternalId[], result: JsonValue) {
  return { external_ids, result, result_digest: result === null ? null : digestOf(result) }
}

function receipt(attempt: number, ids: readonly ExternalId[], result: JsonValue): NewEvidence {
  const named = ids.map(({ kind, value }) => ({ kind, value }))
  return { kind: 'receipt', origin: 'observed', attempt, body: { external_ids: named, result } }
}

function lateError(at: number, attempt: number): LastError {
  return { rule: 'timeout', message: 'no answer within 30 s', at, attempt }
}
