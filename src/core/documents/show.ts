import type { Attempt } from '../attempt.js'
import type { Evidence } from '../evidence.js'
import type { JsonObject, JsonValue } from '../json.js'
import type {
  Contract,
  Effect,
  ExternalId,
  Flags,
  OperationStatus,
  Provenance,
  Repeat,
  SettledBy,
} from '../operation.js'
import type { RiskClass } from '../risk.js'
import type { TaskStatus } from '../task.js'
import type { PauseItem } from '../task-pauses.js'
import type { Verification } from '../verification.js'
import type { EventItem } from './log.js'
import type { ErrorItem, LookHere, NextActionItem, StallItem } from './parts.js'
import type { ApprovalItem, NoteItem } from './report.js'

/** The body of `show@1`: one operation, whole. */
export interface ShowDocument {
  readonly operation_id: string
  readonly task: {
    readonly task_id: string
    readonly goal: string | null
    readonly status: TaskStatus
    readonly pause: PauseItem | null
    readonly taken_over_by: string | null
  }
  readonly status: OperationStatus
  readonly in_doubt: boolean
  readonly may_have_applied: boolean
  readonly stalled_by: readonly StallItem[]
  readonly risk: RiskClass
  readonly cause: string | null
  readonly age_ms: number
  readonly version: number
  readonly next_action: NextActionItem
  /** to type where a dangerous decision asks for it; changes with the version */
  readonly code: string
  /** may the same write be made under another idempotency key */
  readonly new_key_allowed: boolean
  readonly new_key_reason: string
  readonly intent: ShownIntent
  readonly state: ShownState
  readonly attempts: readonly AttemptItem[]
  /** what the attempts say of each other; null where no two ran at once */
  readonly overlap: string | null
  /** attempts whose bytes may still leave */
  readonly still_sending: readonly { readonly attempt: number; readonly send_by: string }[]
  /** until then what was sent may still take effect; null = no bound is known, or nothing is in doubt */
  readonly may_arrive_until: string | null
  readonly evidence: readonly EvidenceItem[]
  /** what stands behind a settlement by hand; null where no person settled it as it is now */
  readonly verification: Verification | null
  readonly external_ids: readonly ExternalId[]
  /** over what a person would approve; null where it needs no approval */
  readonly approval_digest: string | null
  readonly approvals: readonly ApprovalItem[]
  /** operations that undo it, or are to, oldest first */
  readonly compensations: readonly { readonly operation_id: string; readonly status: OperationStatus }[]
  /** it took effect, and this operation undid it */
  readonly undone_by: string | null
  readonly notes: readonly NoteItem[]
  /** what of it was blanked, by whom and why; digests of it stay */
  readonly redactions: readonly RedactionItem[]
  readonly history: readonly EventItem[]
  readonly look_here: LookHere | null
  /** every decision a person can take on it, with why not where it would be refused */
  readonly actions: readonly ActionItem[]
  readonly claimed_by: { readonly by: string; readonly until: string } | null
}

export interface RedactionItem {
  readonly at: string
  readonly by: string
  readonly reason: string
  /** `input`, `result`, `event 2`, `evidence 1` */
  readonly parts: readonly string[]
}

export interface ShownIntent {
  readonly phase: string | null
  readonly step: string | null
  readonly tool: string
  readonly effect: Effect | null
  readonly target: string | null
  readonly amount: number | null
  readonly input: JsonValue
  readonly input_digest: string
  readonly idempotency_key: string
  readonly key_scope: string
  readonly repeat: Repeat | null
  readonly contract: Contract
  readonly max_attempts: number
  readonly deadline_at: string | null
  readonly timeout_ms: number | null
  readonly compensates: string | null
  readonly supersedes: string | null
  readonly same_as: string | null
  readonly provenance: Provenance
  readonly links: readonly string[]
  readonly checkpoint: JsonObject | null
}

export interface ShownState {
  readonly created_at: string
  readonly updated_at: string
  readonly settled_at: string | null
  readonly settled_by: SettledBy | null
  readonly by_hand: { readonly by: string; readonly at: string } | null
  readonly result: JsonValue
  readonly last_error: ErrorItem | null
  readonly flags: Flags
  /** `owner_gone`: it is proven that its process runs no more; false where nobody here can tell */
  readonly lease: {
    readonly owner: string
    readonly expires_at: string | null
    readonly owner_gone: boolean
  } | null
  readonly heartbeat_at: string | null
  readonly activity_at: string | null
  readonly progress_at: string | null
  readonly progress: JsonValue
  readonly next_attempt_at: string | null
  readonly retry_reason: string | null
  readonly cancel_requested_at: string | null
  readonly defer_until: string | null
  readonly next_look_at: string | null
}

export interface AttemptItem {
  readonly n: number
  readonly owner: string
  readonly sent_at: string
  readonly send_by: string
  readonly ended_at: string | null
  readonly end: Attempt['end']
  readonly error: ErrorItem | null
  readonly heartbeat_at: string | null
  readonly activity_at: string | null
  readonly progress_at: string | null
  readonly progress: JsonValue
}

export interface EvidenceItem {
  readonly n: number
  readonly kind: Evidence['kind']
  readonly origin: Evidence['origin']
  readonly attempt: number | null
  readonly at: string
  readonly actor: string
  readonly body: JsonValue
  readonly hash: string
}

export interface ActionItem {
  readonly action: string
  readonly title: string
  readonly allowed: boolean
  /** a line to type and complete; null where there is no command for it */
  readonly command: string | null
  /** why not, by which rule, and what would satisfy it; null where it is allowed */
  readonly refusal: { readonly rule: string; readonly reason: string; readonly satisfy: string } | null
  /** where it would lead */
  readonly to: OperationStatus | null
  /** what to know before taking it */
  readonly note: string | null
}

export const SHOW_FIELDS = [
  'operation_id',
  'task',
  'status',
  'in_doubt',
  'may_have_applied',
  'stalled_by',
  'risk',
  'cause',
  'age_ms',
  'version',
  'next_action',
  'code',
  'new_key_allowed',
  'new_key_reason',
  'intent',
  'state',
  'attempts',
  'overlap',
  'still_sending',
  'may_arrive_until',
  'evidence',
  'verification',
  'external_ids',
  'approval_digest',
  'approvals',
  'compensations',
  'undone_by',
  'notes',
  'redactions',
  'history',
  'look_here',
  'actions',
  'claimed_by',
] as const satisfies readonly (keyof ShowDocument)[]
