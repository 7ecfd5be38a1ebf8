import { digestOf } from '../digest.js'
import type { JsonObject, JsonValue } from '../json.js'
import type { Operation, OperationStatus } from '../operation.js'

// A plan is JSONL: a head, one decision a line, and a last line that closes it. Each decision carries the digest of
// itself, the last line the digest over all of them in their order: a line changed, left out, added or moved is seen.

export const PLAN_SCHEMA = 'agent-ledger/plan@1'

/** The first line. */
export interface PlanHead extends JsonObject {
  readonly schema: typeof PLAN_SCHEMA
  /** the ledger it was made of; applied to no other */
  readonly ledger_id: string
  readonly made_at: string
  readonly made_by: string
}

/** One decision, frozen with what was seen when it was taken. */
export interface PlanItem extends JsonObject {
  /** names the decision for ever: carried out again, it changes nothing */
  readonly decision_id: string
  readonly operation_id: string
  readonly decision: PlannedDecision
  readonly seen: Seen
  /** for whoever reviews it */
  readonly about: { readonly task_id: string; readonly tool: string; readonly target: string | null }
  /** over all the rest of this line */
  readonly digest: string
}

/** In the words of the files that people write. */
export interface PlannedDecision extends JsonObject {
  readonly type:
    | 'resolve'
    | 'allow_retry'
    | 'reopen'
    | 'abandon'
    | 'cancel'
    | 'deny'
    | 'withdraw'
    | 'acknowledge'
  readonly reason: string
  readonly [name: string]: JsonValue
}

/** How the operation stood. */
export interface Seen extends JsonObject {
  readonly status: OperationStatus
  readonly version: number
  /** over what it is and how it stood */
  readonly digest: string
}

/** The last line. */
export interface PlanEnd extends JsonObject {
  readonly decisions: number
  /** over the head and every decision, in their order */
  readonly digest: string
}

/** What an operation is and how it stands, as one digest: the same version of another history has another. */
export function seenOf(operation: Operation): Seen {
  const { operation_id, task_id, tool, target, input_digest, idempotency_key } = operation
  const { status, version, attempt, may_have_applied, cancel_requested_at, created_at } = operation
  const digest = digestOf({
    operation_id,
    task_id,
    tool,
    target,
    input_digest,
    idempotency_key,
    status,
    version,
    attempt,
    may_have_applied,
    cancel_requested_at,
    created_at,
  })
  return { status, version, digest }
}

interface NewItem extends Pick<PlanItem, 'operation_id' | 'decision' | 'seen' | 'about'> {
  readonly decision_id?: string
}

/** A decision with the id that its content makes, unless it has one, and its digest. */
export function planItem(item: NewItem): PlanItem {
  const { operation_id, decision, seen, about } = item
  const made = digestOf({ operation_id, decision, seen }).slice('sha256:'.length, 'sha256:'.length + 24)
  const { decision_id = `plan-${made}` } = item
  const whole = { decision_id, operation_id, decision, seen, about }
  return { ...whole, digest: itemDigest(whole) }
}

/** The digest that a line must carry. */
export function itemDigest(item: JsonObject): string {
  const { digest: _, ...rest } = item
  return digestOf(rest)
}

/** The digest over a plan, grown line by line so that one of any length is made and checked in constant memory. */
export function planDigest(head: JsonObject): { add(itemDigest: string): void; end(): PlanEnd } {
  let digest = digestOf(head)
  let decisions = 0
  return {
    add: one => {
      digest = digestOf([digest, one])
      decisions++
    },
    end: () => ({ decisions, digest: digestOf([digest, decisions]) }),
  }
}
