import type { Context } from '../../src/core/transitions/requests.js'
import { aContext, aTask, RECEIPT, TICKET } from '../core/builders.js'
import type { LedgerState } from './ledger-state.js'
import { stampAtNow } from './setup.js'

/** What the guards are told beside the operation, as a store would read it in the same commit. */
export function contextOf(ledger: LedgerState, over: Partial<Context> = {}): Context {
  return aContext({
    now: stampAtNow,
    evidence: [RECEIPT],
    task: aTask({ taken_over_by: ledger.isHeld ? 'ben' : null }),
    known_external_ids: ledger.hasIds ? [TICKET] : [],
    approval: ledger.approval,
    approval_digest: ledger.isPolicyChanged ? 'as it is now' : 'as approved',
    ...over,
  })
}
