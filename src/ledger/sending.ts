import { checkFields, isWhole } from '../core/given.js'
import type { JsonValue } from '../core/json.js'
import { checkId } from '../core/operation-id.js'
import type { RunOutcome } from '../core/run-outcome.js'
import { announce, type Previous } from '../execute/announce.js'
import type { Executor } from '../execute/executor.js'
import { keepSignOfStranger } from '../execute/stranger.js'
import type { Held } from '../execute/tell.js'
import type { Signal, Signalled } from '../store/store.js'
import { isLeaseMs } from './call.js'

export interface SendOptions {
  /** how long the lease lasts, milliseconds; default 60 s; null: none is taken, and only a person can call it dead */
  readonly leaseMs?: number | null
  /** the task's epoch as this executor claimed it; default: as this ledger handle did */
  readonly epoch?: number
}

/** An announced sending: what the call is made with, and what the later verbs name. Times in milliseconds since 1970 UTC. */
export interface Sending extends Held {
  readonly idempotency_key: string
  /** after this moment nothing of it may leave any more */
  readonly send_by: number
  readonly epoch: number
  readonly previous: Previous
}

export type Sent =
  | { readonly sent: true; readonly sending: Sending }
  /** nothing may be sent; the outcome says how it stands */
  | { readonly sent: false; readonly outcome: RunOutcome<JsonValue> }

const SEND_FIELDS = {
  leaseMs: (value: unknown) => (value === null ? null : isLeaseMs(value)),
  epoch: isWhole(0, Number.MAX_SAFE_INTEGER),
}

/** Announces an attempt of an operation that was prepared. */
export async function send(
  executor: Executor,
  { operationId, options, leaseMs }: { operationId: string; options: SendOptions; leaseMs: number },
): Promise<Sent> {
  checkFields(options, { fields: SEND_FIELDS, what: 'send' })
  const announced = await announce(executor, {
    operation_id: checkId(operationId, 'operation id'),
    intent: null,
    lease_ms: options.leaseMs === undefined ? leaseMs : options.leaseMs,
    ...(options.epoch === undefined ? {} : { epoch: options.epoch }),
  })
  if (!announced.sent) return { sent: false, outcome: announced.outcome }
  const { operation, attempt, epoch, previous } = announced.live
  return {
    sent: true,
    sending: {
      operation_id: operation.operation_id,
      attempt: attempt.n,
      fence: attempt.fence,
      idempotency_key: operation.idempotency_key,
      send_by: attempt.send_by,
      epoch,
      previous,
    },
  }
}

/** A sign of life of a sending. */
export async function signal(
  executor: Executor,
  { operation_id, attempt, fence }: Held,
  told: Pick<Signal, 'kind' | 'progress' | 'lease_ms' | 'action'>,
): Promise<Signalled> {
  const subject = { operation_id, attempt, fence }
  const answer = await executor.store.signal({ ...told, subject, clock: executor.clock })
  if (!answer.held) await keepSignOfStranger(executor, subject)
  return answer
}
