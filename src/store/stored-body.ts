import { digestOf, sha256 } from '../core/digest.js'
import type { Intent, Operation } from '../core/operation.js'
import type { Stamp } from '../core/time.js'
import type { EventBody, NewEvent, Settable } from '../core/transitions/events.js'

/**
 * An operation's event as the ledger holds it: the body that core made, without what can be had elsewhere.
 * `set` leaves out what was so before, and of an announced attempt what its event says anyway; the first event
 * names the intent by its digest, for it stands in the row and never changes. Halves the history.
 */
export interface StoredBody extends Omit<EventBody, 'attempt'> {
  readonly attempt?: Partial<AttemptBody>
  /** see `intentDigest`; in the first event only */
  readonly intent?: string
  /** digest of the result in the row, where it came without one */
  readonly stored_result?: string
  /** its texts were blanked: the digest of the body as it was */
  readonly redacted?: { readonly digest: string }
}

type AttemptBody = NonNullable<EventBody['attempt']>

export interface Stating {
  /** the row before the event, or as the first event finds it */
  readonly before: Operation
  /** the row with its intent */
  readonly row: Operation
  readonly stamp: Stamp
}

/** What to store of a body, with the evidence that came beside it. `restoredBody` gives it back. */
export function storedBody(
  { body, large }: NewEvent,
  stating: Stating,
  evidence: EventBody['evidence'] = body.evidence,
): StoredBody {
  const { from, to, set = {}, attempt } = body
  const said = attempt === undefined ? set : Object.assign(announced(stating.before), set)
  const kept = withoutSame(said, usual(body, stating), stating.before)
  const stored: { -readonly [K in keyof StoredBody]: StoredBody[K] } = { from, to }
  if (Object.keys(kept).length > 0) stored.set = kept
  if (attempt !== undefined) stored.attempt = withoutSame(attempt, sameAs(said, stating.stamp))
  const keep = <K extends keyof typeof UNCHANGED>(name: K, value: EventBody[K] = body[name]) => {
    if (value !== undefined) stored[name] = value
  }
  for (const name of AS_THEY_ARE)
    if (name === 'evidence') keep(name, evidence)
    else keep(name)
  if (from === null) stored.intent = intentDigest(stating.row, JSON.stringify(stating.row.input))
  if (isResultUnsaid(set, large)) stored.stored_result = digestOf(large.result)
  return stored
}

/** As keys, so that the compiler sees one that was forgotten. */
const UNCHANGED: { readonly [K in Exclude<keyof EventBody, 'from' | 'to' | 'set' | 'attempt'>]-?: K } = {
  attempts: 'attempts',
  ends: 'ends',
  evidence: 'evidence',
  external_ids: 'external_ids',
  reason: 'reason',
  facts: 'facts',
  quota: 'quota',
}
const AS_THEY_ARE = Object.values(UNCHANGED)

function isResultUnsaid({ result_digest }: Settable, { result = null }: NewEvent['large']): boolean {
  return result !== null && typeof result_digest !== 'string'
}

/** The body that core made, for a replay. */
export function restoredBody(stored: StoredBody, stating: Stating): EventBody {
  const { attempt, intent: _, stored_result: __, redacted: ___, ...rest } = stored
  const set: Settable = { ...usual(stored, stating), ...stored.set }
  if (attempt === undefined) return { ...rest, set }
  const { send_by } = attempt
  if (send_by === undefined) throw new Error('an announced attempt has a time to be sent by')
  return {
    ...rest,
    set,
    attempt: { latest_arrival: null, ...sameAs(set, stating.stamp), ...attempt, send_by },
  }
}

/** What an event sets without saying so; all else stays as it was. */
function usual({ from, attempt }: Pick<StoredBody, 'from' | 'attempt'>, stating: Stating): Settable {
  if (from === null) return intentOf(stating.row)
  return attempt === undefined ? {} : announcing(attempt.send_by, stating)
}

/** The columns that `announcing` speaks of. */
type Announced = Pick<
  Operation,
  'attempt' | 'lease_fence' | 'key_first_used_at' | 'lease_expires_at' | 'lease_boot_id' | 'lease_boot_ms'
>

/** As they would stay if the event set none of them. */
function announced(before: Operation): Announced {
  const { attempt, lease_fence, key_first_used_at, lease_expires_at, lease_boot_id, lease_boot_ms } = before
  return { attempt, lease_fence, key_first_used_at, lease_expires_at, lease_boot_id, lease_boot_ms }
}

/** As an announced attempt usually sets them: the next attempt, under a new fence and a lease that ends with `send_by`. */
function announcing(send_by = 0, { before, stamp: { at, boot_id, boot_ms } }: Stating): Announced {
  return {
    attempt: before.attempt + 1,
    lease_fence: before.lease_fence + 1,
    key_first_used_at: before.key_first_used_at ?? at,
    lease_expires_at: send_by,
    lease_boot_id: boot_id === '' ? null : boot_id,
    lease_boot_ms: boot_id === '' ? null : boot_ms + send_by - at,
  }
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

/** The members of `said` that are otherwise in `known`, or where it has none of that name, in `before`. */
function withoutSame<T extends object>(said: T, known: Partial<T>, before: Partial<T> = {}): Partial<T> {
  const kept: Partial<T> = {}
  for (const name in said) {
    const there = name in known ? known[name] : before[name]
    if (!isEqual(said[name], there)) kept[name] = said[name]
  }
  return kept
}

function isEqual(a: unknown, b: unknown): boolean {
  return Object.is(a, b) || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b))
}

/**
 * The digest over what an operation is. The input goes in by the digest of its text as stored (`stored_input`), so that one that was
 * erased can still be held to it; `repeat` and `contract` by that of the contract.
 */
export function intentDigest(row: Operation, inputText: string, stored_input = sha256(inputText)): string {
  const { operation_id, checkpoint } = row
  const whole = { intent: intentOf(row), operation_id, stored_input }
  // The members stand in the order of RFC 8785, and all but a checkpoint has one JSON form: a fifth of the price.
  return checkpoint === null ? sha256(JSON.stringify(whole)) : digestOf(whole)
}

type Kept = Exclude<keyof Intent, 'operation_id' | 'input' | 'repeat' | 'contract'>

/** In the order of RFC 8785. Says again what the intent is, so that the compiler sees a field that was forgotten. */
function intentOf(row: Operation): { readonly [K in Kept]: Operation[K] } {
  return {
    amount: row.amount,
    checkpoint: row.checkpoint,
    compensates: row.compensates,
    contract_digest: row.contract_digest,
    deadline_at: row.deadline_at,
    effect: row.effect,
    idempotency_key: row.idempotency_key,
    input_digest: row.input_digest,
    key_scope: row.key_scope,
    links: row.links,
    max_attempts: row.max_attempts,
    phase: row.phase,
    provenance: row.provenance,
    step: row.step,
    supersedes: row.supersedes,
    target: row.target,
    task_id: row.task_id,
    timeout_ms: row.timeout_ms,
    tool: row.tool,
  }
}
