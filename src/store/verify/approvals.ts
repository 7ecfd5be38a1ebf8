import type { Approval } from '../../core/approval.js'
import type { JsonValue } from '../../core/json.js'

/** What the ledger's own chain says about the leave to send an operation. */
export interface ApprovalEvent {
  readonly type: string
  readonly at: number
  readonly actor: string
  readonly body: string
}

export interface ApprovalsToCheck {
  readonly operation_id: string
  readonly approvals: readonly Approval[]
  /** `approve` and `revoke` events about the operation, oldest first */
  readonly told: readonly ApprovalEvent[]
  /** the approval that each send took a use of, in order */
  readonly taken: readonly string[]
}

/** Approvals that are not what was given, used and taken back, each in words; empty where all are. */
export function wrongApprovals({ operation_id, approvals, told, taken }: ApprovalsToCheck): string[] {
  const expected = new Map<string, Approval>()
  for (const event of told) {
    const said = bodyOf(event)
    const id = String(said.approval_id)
    const before = expected.get(id)
    if (event.type === 'approve') expected.set(id, given(operation_id, event, said))
    else if (before !== undefined) expected.set(id, { ...before, revoked_at: event.at })
  }
  const ids = new Set([...expected.keys(), ...approvals.map(({ approval_id }) => approval_id)])
  return [...ids].flatMap(id => {
    const wanted = expected.get(id)
    const there = approvals.find(({ approval_id }) => approval_id === id)
    if (wanted === undefined) return [`no event gave approval ${id}`]
    if (there === undefined) return [`approval ${id} is missing`]
    const used = taken.filter(one => one === id).length
    return JSON.stringify(there) === JSON.stringify({ ...wanted, used }) ? [] : [`approval ${id} was changed`]
  })
}

function given(operation_id: string, { at, actor }: ApprovalEvent, said: Said): Approval {
  return {
    approval_id: String(said.approval_id),
    operation_id,
    digest: String(said.digest),
    approver: actor,
    reason: String(said.reason),
    granted_at: at,
    expires_at: typeof said.expires_at === 'number' ? said.expires_at : null,
    uses: Number(said.uses),
    used: 0,
    revoked_at: null,
  }
}

type Said = Readonly<Record<string, JsonValue>>

/** Nothing from a body that was made unreadable: the ledger's own chain names that one. */
function bodyOf({ body }: ApprovalEvent): Said {
  try {
    return JSON.parse(body)
  } catch {
    return {}
  }
}
