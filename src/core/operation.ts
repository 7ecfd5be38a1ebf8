import type { IdPlace, ServiceRule } from './classify/service-rule.js'
import type { JsonObject, JsonValue } from './json.js'

/** What is known of an operation. The meaning of each stands in docs/states.md, the moves in transitions/table.ts. */
export const OPERATION_STATUSES = [
  'prepared',
  'in_flight',
  'confirmed',
  'not_executed',
  'unknown',
  'cancelled',
  'abandoned',
] as const
export type OperationStatus = (typeof OPERATION_STATUSES)[number]

export const SETTLED_STATUSES = ['confirmed', 'not_executed', 'cancelled', 'abandoned'] as const

export function isSettled(status: OperationStatus): boolean {
  return (SETTLED_STATUSES as readonly OperationStatus[]).includes(status)
}

/** What undoing would take; from harmless to final. */
export const EFFECTS = ['read', 'reversible', 'compensable', 'mitigable', 'irreversible'] as const
export type Effect = (typeof EFFECTS)[number]

/** What a repeat of the same request does at this service; `null` on the row means nobody declared it. */
export type Repeat =
  | {
      readonly kind: 'idempotency_key'
      /** how long the service remembers the key, in milliseconds; null = unpublished, so a repeat is not safe */
      readonly retention_ms: number | null
      /** account, endpoint or region inside which the key is known */
      readonly scope?: string
    }
  | { readonly kind: 'idempotent' }
  | { readonly kind: 'conditional'; readonly names: 'permanent' | 'reusable' }
  | { readonly kind: 'none' }

/** How a write is sent again. Durations in milliseconds; what is left out has a default, see retry.ts. */
export interface RetryPolicy {
  /** the longest wait before the second attempt; doubled for each one after */
  readonly base_ms?: number
  /** no wait is longer */
  readonly cap_ms?: number
  /** from the first sending on; after it no retry is scheduled by itself */
  readonly max_elapsed_ms?: number
  /** retries that the destination is spared from, counted over all processes of the ledger */
  readonly quota?: {
    /** `retries` in each `per_ms` */
    readonly retries: number
    readonly per_ms: number
    /** what shares the quota, `api.example.com`; default: the tool's name */
    readonly destination?: string
  }
}

/** What the person on call needs from the tool's configuration, copied when the operation is prepared. */
export interface Contract {
  /** how long after `send_by` a request may still arrive; 'unbounded' = absence can never be proven */
  readonly arrival_bound_ms?: number | 'unbounded'
  /** how long the service's own records may lag behind its effects */
  readonly settle_ms?: number
  /** how long the service keeps what can tell, from the first sending on; after it no look-up says anything */
  readonly keeps_ms?: number
  /** how long an accepted (202) operation may work remotely before it counts as lost */
  readonly patience_ms?: number
  /** what this service's answers mean where the common rules do not hold for it; the first that fits counts */
  readonly classify?: readonly ServiceRule[]
  /** where external ids stand in results and errors */
  readonly ids?: readonly IdPlace[]
  /** it takes requests into a queue before it looks at them: what it refuses may still take effect */
  readonly queues?: true
  /** an approval is needed before the first send */
  readonly approval?: 'required'
  /** the probe that answers "did it happen?", as configured */
  readonly probe?: JsonObject
  /** the declared compensation, as configured */
  readonly compensate?: JsonObject
  /** a link and a check for a person, with {placeholders} of this operation filled in */
  readonly look_here?: { readonly url?: string; readonly check?: string }
  /** how it is sent again, where that was declared */
  readonly retry?: RetryPolicy
  /** thresholds of the stall rules for this tool, in milliseconds */
  readonly stall?: Readonly<Record<string, number>>
}

export interface ExternalId {
  readonly kind: string
  readonly value: string
  readonly url?: string
  readonly scope?: string
}

/** Where in a framework's checkpoint this operation was made. */
export interface CheckpointRef {
  readonly source: string
  readonly uri?: string
  readonly thread_id?: string
  readonly namespace?: string
  readonly checkpoint_id?: string
  readonly node?: string
  readonly task_id?: string
  readonly step?: number
}

/** The end of the last attempt that did not succeed, masked. `rule` names the rule that classified it. */
export interface LastError {
  readonly rule: string
  readonly message: string
  readonly at: number
  readonly attempt: number | null
  readonly code?: string
  readonly host?: string
}

/** Marks that outlive a status. Each is set by the event named and read by the rules named. */
export interface Flags {
  /** more than one external object carries this operation's id; stays until acknowledged */
  readonly duplicates?: true
  /** a person knows of the objects that carry its id, and why that may stay */
  readonly acknowledged_duplicates?: string
  /** evidence of the opposite came after it was settled: never re-sent by itself again */
  readonly contradicted?: true
  /** a person opened it again: never re-sent by itself again */
  readonly reopened?: true
  /** a person denied it: final */
  readonly denied?: true
  /** an edit replaced it: this operation is sent in its place */
  readonly superseded_by?: string
  /** a person said "not executed" before every attempt had run out of time to arrive */
  readonly early?: true
  /** the risk a person accepted when a duplicate was allowed */
  readonly accepted_duplicate?: string
  /** that risk is accepted for the attempt now granted; without a grant it licenses nothing */
  readonly duplicate_allowed?: true
  /** evidence names another target than was asked for */
  readonly target_differs?: string
  /** the other target that a person accepted when they confirmed it */
  readonly accepted_target?: string
  /** no retry followed because attempts or time were used up; gone with the next attempt */
  readonly budget_spent?: string
  /** why it was asked for although the same tool and input stand under another id of the task */
  readonly again?: string
  /** it was asked for to clean up: a cancel of the task does not hold it back */
  readonly cleanup?: true
  /** a person settled it and said that they have no evidence */
  readonly without_evidence?: true
  /** it left `confirmed` after it was compensated, or the other way round */
  readonly compensation_in_question?: true
}

/** `imported`: another system’s record says so */
export type SettledBy = 'receipt' | 'probe' | 'person' | 'imported'

/** Who wrote the record: only `library` and `exec` guard a replay. */
export type Provenance = 'library' | 'exec' | 'record' | 'imported'

/** What an operation is, from its first record on; never changes afterwards. */
export interface Intent {
  /** 1 to 512 bytes, well-formed, no control characters; opaque */
  readonly operation_id: string
  readonly task_id: string
  readonly phase: string | null
  readonly step: string | null
  readonly tool: string
  readonly effect: Effect | null
  readonly target: string | null
  readonly input: JsonValue
  /** `sha256:<hex>` over the canonical, unmasked input */
  readonly input_digest: string
  readonly idempotency_key: string
  /** the key is unique inside this scope */
  readonly key_scope: string
  readonly repeat: Repeat | null
  readonly contract: Contract
  /** digest over effect, repeat and contract */
  readonly contract_digest: string
  /** declared amount at stake, for the order of risk */
  readonly amount: number | null
  readonly max_attempts: number
  readonly deadline_at: number | null
  readonly timeout_ms: number | null
  /** the operation that this one undoes */
  readonly compensates: string | null
  /** the operation that this one replaces after an edit */
  readonly supersedes: string | null
  readonly checkpoint: CheckpointRef | null
  readonly provenance: Provenance
  readonly links: readonly string[]
}

/** One row of `ledger_operation`. Times are milliseconds since 1970 UTC. */
export interface Operation extends Intent {
  readonly status: OperationStatus
  /** derived from the attempts in `evolve`, never set by an event */
  readonly may_have_applied: boolean
  /** attempts announced so far; also the number of the newest attempt */
  readonly attempt: number
  /** attempts a person granted beyond the budget and not yet spent */
  readonly extra_attempts: number
  readonly next_attempt_at: number | null
  readonly retry_reason: string | null
  /** first announced send under this key; never moved */
  readonly key_first_used_at: number | null
  readonly key_retention_ms: number | null
  readonly lease_owner: string | null
  /** raised by every decision and change of hands; a writer must name the current one */
  readonly lease_fence: number
  readonly lease_expires_at: number | null
  /** the same expiry on the boot clock of the machine that took the lease */
  readonly lease_boot_id: string | null
  readonly lease_boot_ms: number | null
  readonly heartbeat_at: number | null
  readonly activity_at: number | null
  readonly progress_at: number | null
  readonly progress: JsonValue | null
  readonly last_error: LastError | null
  readonly result: JsonValue | null
  readonly result_digest: string | null
  readonly settled_by: SettledBy | null
  /** set for ever once a person settled it */
  readonly by_hand: { readonly by: string; readonly at: number } | null
  readonly approval_id: string | null
  readonly cancel_requested_at: number | null
  readonly defer_until: number | null
  readonly next_look_at: number | null
  readonly flags: Flags
  /** an earlier operation of this task with the same tool and input, under another id and key */
  readonly same_as: string | null
  readonly evidence_count: number
  /** number of events; what a person names when deciding */
  readonly version: number
  readonly created_at: number
  readonly updated_at: number
  readonly settled_at: number | null
}

/** An operation without the values that may be large or cost much to read: enough for lists and all derived rules. */
export type OperationOutline = Omit<
  Operation,
  | 'input'
  | 'input_digest'
  | 'contract_digest'
  | 'result'
  | 'result_digest'
  | 'progress'
  | 'checkpoint'
  | 'links'
  | 'supersedes'
>
