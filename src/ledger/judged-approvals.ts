import type { Approval } from '../core/approval.js'
import {
  approvalDifferences,
  approvalDigest,
  approvedOf,
  type JudgedApproval,
} from '../core/approval-digest.js'
import type { JsonObject, JsonValue } from '../core/json.js'
import type { Operation } from '../core/operation.js'
import type { StoreReader } from '../store/store.js'

interface Judging {
  readonly store: StoreReader
  /** masks as the approval's event was masked */
  readonly maskValue: (value: JsonValue) => JsonValue
}

/** What an operation's approvals are for, compared with what it is now. What was shown is read only where it differs. */
export async function judgedApprovals(
  { store, maskValue }: Judging,
  operation: Operation,
  approvals: readonly Approval[],
): Promise<JudgedApproval[]> {
  if (approvals.length === 0) return []
  const digest_now = approvalDigest(operation)
  const isOther = approvals.some(({ digest }) => digest !== digest_now)
  const shown = isOther ? await shownThen(store, operation.operation_id) : new Map<string, JsonObject>()
  const now = isOther ? objectOf(maskValue(approvedOf(operation))) : null
  return approvals.map(approval => {
    const then = approval.digest === digest_now ? undefined : shown.get(approval.approval_id)
    const differences = then === undefined || now === null ? [] : approvalDifferences(then, now)
    return { approval, digest_now, differences }
  })
}

/** By approval: what the person was shown who gave it. */
async function shownThen(store: StoreReader, operation_id: string): Promise<Map<string, JsonObject>> {
  const events = await store.events({ about: { operation_id }, type: 'approve', limit: MOST_APPROVALS })
  return new Map(
    events.flatMap(({ body }) => {
      const { approval_id, approved } = objectOf(body) ?? {}
      const then = objectOf(approved ?? null)
      return typeof approval_id === 'string' && then !== null ? [[approval_id, then] as const] : []
    }),
  )
}

/** Far more than anybody gives to one operation. */
const MOST_APPROVALS = 1_000

function objectOf(value: JsonValue): JsonObject | null {
  return isObject(value) ? value : null
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
