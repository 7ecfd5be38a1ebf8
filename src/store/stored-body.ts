import { digestOf } from '../core/digest.js'
import type { Intent, Operation } from '../core/operation.js'
import type { Stamp } from '../core/time.js'
import type { EventBody, NewEvent, Settable } from '../core/transitions/events.js'

/**
 * An operation's event as the ledger holds it: the body that core made, without what can be had elsewhere.
 * `set` leaves out what was so before; the first event names the intent by its digest, for it stands in the
 * row and never changes; the announced attempt leaves out what its event says anyway. Halves the history.
 */
export interface StoredBody extends Omit<EventBody, 'attempt'> {
  readonly attempt?: Partial<AttemptBody>
  /** `sha256:<hex>` over the intent columns of the row, canonical JSON; in the first event only */
  readonly intent?: string
  /** digest of the result in the row, where `result_digest` is not just that */
  readonly stored_result?: string
}

type AttemptBody = NonNullable<EventBody['attempt']>

export interface Stating {
  /** the row before the event, or as the first event finds it */
  readonly before: Operation
  /** the row with its intent */
  readonly row: Operation
  readonly stamp: Stamp
}

/** What to store of a body. `restoredBody` gives it back. */
export function storedBody({ body, large }: NewEvent, stating: Stating): StoredBody {
  const { set, attempt, ...rest } = body
  const kept = Object.entries(set ?? {}).filter(
    ([name, value]) =>
      !(body.from === null && isOfIntent(name)) && !isEqual(value, Reflect.get(stating.before, name)),
  )
  const stored_result = digestUnlessSaid(large.result, set?.result_digest)
  return {
    ...rest,
    ...(kept.length === 0 ? {} : { set: Object.fromEntries(kept) }),
    ...(attempt === undefined ? {} : { attempt: without(attempt, sameAs(set ?? {}, stating.stamp)) }),
    ...(body.from === null ? { intent: intentDigest(stating.row) } : {}),
    ...(stored_result === null ? {} : { stored_result }),
  }
}

/** The body that core made, for a replay. */
export function restoredBody(stored: StoredBody, stating: Stating): EventBody {
  const { attempt, intent: _, stored_result: __, ...rest } = stored
  const set: Settable =
    stored.from === null ? { ...intentOf(stating.row), ...stored.set } : (stored.set ?? {})
  if (attempt === undefined) return { ...rest, set }
  const filled = { ...sameAs(set, stating.stamp), ...attempt }
  const { send_by } = filled
  if (send_by === undefined) throw new Error('an announced attempt has a time to be sent by')
  return { ...rest, set, attempt: { latest_arrival: null, ...filled, send_by } }
}

/**
 * The digest over what an operation is: its intent but the contract, which has a digest of its own. The input goes
 * in by its digest, so that one that was erased can still be held to it.
 */
export function intentDigest(row: Operation): string {
  return digestOf({ operation_id: row.operation_id, input: digestOf(row.input), ...intentOf(row) })
}

type Kept = Exclude<keyof Intent, 'operation_id' | 'input' | 'repeat' | 'contract' | 'contract_digest'>

const INTENT: { readonly [K in Kept]: true } = {
  task_id: true,
  phase: true,
  step: true,
  tool: true,
  effect: true,
  target: true,
  input_digest: true,
  idempotency_key: true,
  key_scope: true,
  amount: true,
  max_attempts: true,
  deadline_at: true,
  timeout_ms: true,
  compensates: true,
  supersedes: true,
  checkpoint: true,
  provenance: true,
  links: true,
}

function isOfIntent(name: string): boolean {
  return Object.hasOwn(INTENT, name)
}

function intentOf(row: Operation): Settable {
  return Object.fromEntries(Object.entries(row).filter(([name]) => isOfIntent(name)))
}

/** What an attempt has from the event that announces it. */
function sameAs(set: Settable, stamp: Stamp) {
  return {
    n: set.attempt ?? 0,
    fence: set.lease_fence ?? 0,
    owner: set.lease_owner ?? '',
    sent_at: stamp.at,
    sent_boot_id: stamp.boot_id,
    sent_boot_ms: stamp.boot_ms,
  }
}

function without(attempt: AttemptBody, known: Partial<AttemptBody>): Partial<AttemptBody> {
  return Object.fromEntries(
    Object.entries(attempt).filter(([name, value]) => Reflect.get(known, name) !== value),
  )
}

function digestUnlessSaid(value: unknown, said: string | null | undefined): string | null {
  if (value === undefined || value === null) return null
  const digest = digestOf(value)
  return digest === said ? null : digest
}

function isEqual(a: unknown, b: unknown): boolean {
  return Object.is(a, b) || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b))
}
