import { isLedgerError, type Ledger } from '../../../src/index.js'
import { type Job, TASK } from './job.js'

const REASON = 'part of the proof'

/** Carries a decision out; carried out a second time, it changes nothing or is refused. */
export async function decide(
  ledger: Ledger,
  { kind, id, wasDone }: Required<Job>['decision'],
): Promise<void> {
  try {
    switch (kind) {
      case 'resolve':
        await ledger.resolve(id, { ...settling(wasDone), decisionId: `decision-on-${id}` })
        return
      case 'allow_retry':
        await ledger.allowRetry(id, { reason: REASON, acceptDuplicate: 'there may be two of them' })
        return
      case 'cancel':
        await ledger.cancel(id, { reason: REASON })
        return
      case 'abandon':
        await ledger.abandon(id, { reason: REASON })
        return
      case 'takeover':
        await ledger.takeover(TASK, REASON)
        return
    }
  } catch (error) {
    if (!isLedgerError(error) || !['conflict', 'refused', 'not_found'].includes(error.code)) throw error
  }
}

/** What a person settles who looked at the service and saw whether it was done. */
export function settling(wasDone: boolean) {
  return wasDone
    ? ({ as: 'confirmed', reason: REASON, evidence: ['seen in the log of the service'] } as const)
    : ({
        as: 'not_executed',
        reason: REASON,
        evidence: ['not in the log of the service'],
        early: true,
      } as const)
}
