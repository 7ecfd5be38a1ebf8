import { UNANNOUNCED } from '../core/transitions/guards/sending.js'
import type { Step } from '../core/transitions/requests.js'
import { change } from './change.js'
import type { Executor } from './executor.js'
import type { Held } from './tell.js'

/**
 * A sign of life from an attempt that nobody announced is news: somebody may be sending what the ledger takes for
 * waiting. It is kept as evidence, once an attempt, and from then on only a person lets the operation be sent.
 */
export async function keepSignOfStranger(
  executor: Executor,
  { operation_id, attempt, fence }: Held,
): Promise<void> {
  const { at } = executor.clock()
  const message = `a sign of life came from attempt ${attempt}, which nobody announced`
  const seen = await change(executor, { operation_id }, (state): { steps: Step[] } => {
    const isWaiting = state?.operation.status === 'prepared' && attempt > state.operation.attempt
    const known = state?.operation.last_error
    if (!isWaiting || (known?.rule === UNANNOUNCED && known.attempt === attempt)) return { steps: [] }
    const error = { rule: UNANNOUNCED, message, at, attempt }
    const told = { external_ids: [], result: null, result_digest: null, error }
    return {
      steps: [
        {
          request: { type: 'late_result', attempt, fence, end: 'ambiguous', ...told },
          evidence: [
            { kind: 'late_result', origin: 'observed', attempt, body: { rule: UNANNOUNCED, message } },
          ],
        },
      ],
    }
  })
  if (seen === null || seen.changed.events.length === 0) return
  executor.warn({
    code: 'unannounced_attempt',
    message: `${operation_id}: ${message}; it is not sent until a person decides`,
    operation_id,
  })
}
