import { digestOf, sha256 } from '../core/digest.js'
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
  /** see `intentDigest`; in the first event only */
  readonly intent?: string
  /** digest of the result in the row, where it came without one */
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
  const { set = {}, attempt, ...rest } = body
  const said = body.from === null ? withoutIntent(set, stating.row) : set
  const kept = Object.entries(said).filter(
    ([name, value]) => !isEqual(value, Reflect.get(stating.before, name)),
  )
  const isSaid = typeof set.result_digest === 'string'
  const stored_result =
    isSaid || large.result === undefined || large.result === null ? null : digestOf(large.result)
  return {
    ...rest,
    ...(kept.length === 0 ? {} : { set: Object.fromEntries(kept) }),
    ...(attempt === undefined ? {} : { attempt: without(attempt, sameAs(set, stating.stamp)) }),
    ...(body.from === null ? { intent: intentDigest(stating.row, JSON.stringify(stating.row.input)) } : {}),
    ...(stored_result === null ? {} : { stored_result }),
  }
}

function withoutIntent(set: Settable, row: Operation): Settable {
  const intent = intentOf(row)
  return Object.fromEntries(Object.entries(set).filter(([name]) => !(name in intent)))
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
 * in by the digest of its text as stored, so that one that was erased can still be held to it.
 */
export function intentDigest(row: Operation, inputText: string): string {
  const { checkpoint, ...plain } = intentOf(row)
  const members = { ...plain, operation_id: row.operation_id, stored_input: sha256(inputText) }
  if (checkpoint !== null) return digestOf({ ...members, checkpoint })
  // What digestOf would say, at a fifth of its price: all that is left has one JSON form.
  return sha256(JSON.stringify({ ...members, checkpoint }, INTENT_MEMBERS))
}

type Kept = Exclude<keyof Intent, 'operation_id' | 'input' | 'repeat' | 'contract' | 'contract_digest'>

/** Says again what the intent is, so that the compiler sees a field that was forgotten. */
function intentOf(row: Operation): { readonly [K in Kept]: Operation[K] } {
  return {
    task_id: row.task_id,
    phase: row.phase,
    step: row.step,
    tool: row.tool,
    effect: row.effect,
    target: row.target,
    input_digest: row.input_digest,
    idempotency_key: row.idempotency_key,
    key_scope: row.key_scope,
    amount: row.amount,
    max_attempts: row.max_attempts,
    deadline_at: row.deadline_at,
    timeout_ms: row.timeout_ms,
    compensates: row.compensates,
    supersedes: row.supersedes,
    checkpoint: row.checkpoint,
    provenance: row.provenance,
    links: row.links,
  }
}

/** In the order of RFC 8785; as a list for JSON.stringify it also leaves nothing else in. */
const INTENT_MEMBERS: string[] = [
  'amount',
  'checkpoint',
  'compensates',
  'deadline_at',
  'effect',
  'idempotency_key',
  'input_digest',
  'key_scope',
  'links',
  'max_attempts',
  'operation_id',
  'phase',
  'provenance',
  'step',
  'stored_input',
  'supersedes',
  'target',
  'task_id',
  'timeout_ms',
  'tool',
]

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

function isEqual(a: unknown, b: unknown): boolean {
  return Object.is(a, b) || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b))
}
