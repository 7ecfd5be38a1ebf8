import type { Attempt } from '../attempt.js'
import type { Evidence } from '../evidence.js'
import { isInDoubt } from '../in-doubt.js'
import { isoTime } from '../iso-time.js'
import type { Operation, OperationStatus } from '../operation.js'
import { isoOrNull } from './parts.js'
import type { AttemptItem, EvidenceItem } from './show.js'
import { attemptItem, evidenceItem } from './showing.js'
import type { Sight } from './sight.js'

/** What happened to the operations of a task, on one time axis: the picture of a report. */
export interface Timeline {
  /** in the order in which they were written down */
  readonly rows: readonly TimelineRow[]
  /** operations that have no row, for they would make the picture unreadable */
  readonly left_out: number
}

export interface TimelineRow {
  readonly operation_id: string
  readonly tool: string
  readonly status: OperationStatus
  readonly in_doubt: boolean
  readonly created_at: string
  readonly settled_at: string | null
  /** until when its executor may hold it; null where nobody does, or without a lease */
  readonly lease_ends_at: string | null
  readonly attempts: readonly AttemptItem[]
  readonly evidence: readonly EvidenceItem[]
}

export interface TimelineRecord {
  readonly operation: Operation
  readonly attempts: readonly Attempt[]
  readonly evidence: readonly Evidence[]
}

export function timelineRow(
  { operation, attempts, evidence }: TimelineRecord,
  { look }: Pick<Sight, 'look'>,
): TimelineRow {
  return {
    operation_id: operation.operation_id,
    tool: operation.tool,
    status: operation.status,
    in_doubt: isInDoubt(operation, look),
    created_at: isoTime(operation.created_at),
    settled_at: isoOrNull(operation.settled_at),
    lease_ends_at: isoOrNull(operation.lease_expires_at),
    attempts: attempts.map(attemptItem),
    evidence: evidence.map(evidenceItem),
  }
}
