/** One row of `ledger_approval`: a person's leave for one operation, bound to the digest of what was shown. */
export interface Approval {
  readonly approval_id: string
  readonly operation_id: string
  /** digest over operation id, tool, target, input, effect, repeat and policy */
  readonly digest: string
  readonly approver: string
  readonly reason: string
  readonly granted_at: number
  readonly expires_at: number | null
  readonly uses: number
  readonly used: number
  readonly revoked_at: number | null
}
