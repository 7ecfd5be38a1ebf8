import type { Approval } from '../approval.js'
import { isoTime } from '../iso-time.js'
import type { JsonObject } from '../json.js'
import type { StillSending } from '../still-sending.js'
import { isoOrNull } from './parts.js'

/** decision@1: what a command that decides about one operation or task prints with `--json`. */
export interface DecisionBody extends JsonObject {
  readonly decision: string
  readonly operation_id: string | null
  readonly task_id: string | null
  readonly actor: string
  readonly before: Standing | null
  readonly after: Standing | null
  /** operations that a decision about a task moved */
  readonly moved: readonly Moved[]
  readonly still_sending: readonly Sending[]
  /** given or taken back by this decision */
  readonly approvals: readonly ApprovalGiven[]
  /** end of a claim or a deferral */
  readonly until: string | null
  readonly undo: string | null
}

/** How an operation or a task stands. */
export interface Standing extends JsonObject {
  readonly status: string
  readonly version: number
}

export interface Moved extends Standing {
  readonly operation_id: string
}

interface ApprovalGiven extends JsonObject {
  readonly approval_id: string
  readonly digest: string
  readonly uses: number
  readonly used: number
  readonly expires_at: string | null
}

interface Sending extends JsonObject {
  readonly operation_id: string
  readonly attempt: number
  readonly owner: string
  /** bytes of it may leave until then */
  readonly send_by: string
}

export const DECISION_FIELDS = [
  'decision',
  'operation_id',
  'task_id',
  'actor',
  'before',
  'after',
  'moved',
  'still_sending',
  'approvals',
  'until',
  'undo',
] as const satisfies readonly (keyof DecisionBody)[]

export function sendingBody(still: readonly StillSending[]): Sending[] {
  return still.map(({ operation_id, attempt, owner, send_by }) => ({
    operation_id,
    attempt,
    owner,
    send_by: isoTime(send_by),
  }))
}

export function approvalsBody(approvals: readonly Approval[]): ApprovalGiven[] {
  return approvals.map(({ approval_id, digest, uses, used, expires_at }) => ({
    approval_id,
    digest,
    uses,
    used,
    expires_at: isoOrNull(expires_at),
  }))
}

export function standing({
  status,
  version,
}: {
  readonly status: string
  readonly version: number
}): Standing {
  return { status, version }
}
