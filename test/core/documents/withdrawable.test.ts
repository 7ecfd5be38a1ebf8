import { expect, it } from 'vitest'
import type { Approval } from '../../../src/core/approval.js'
import { hasLeave, isApprovalThere } from '../../../src/core/documents/withdrawable.js'
import { anApproval, asked, following, NOON, stampAt } from '../builders.js'

const { operation } = following([asked.prepare({ contract: { approval: 'required' } })])

function given(over: Partial<Approval>) {
  return { operation, approvals: [anApproval(over)], now: stampAt(NOON) }
}

it('an approval can be taken back until it expires: then it permits nothing any more', () => {
  expect(isApprovalThere(given({ expires_at: NOON + 1 }))).toBe(true)
  expect(isApprovalThere(given({ expires_at: NOON }))).toBe(false)
  expect(hasLeave(given({ expires_at: NOON + 1 }))).toBe(true)
  expect(hasLeave(given({ expires_at: NOON }))).toBe(false)
})
