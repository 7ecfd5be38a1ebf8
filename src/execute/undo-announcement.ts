import type { LastError } from '../core/operation.js'
import { settle } from '../core/transitions/settle.js'
import { change } from './change.js'
import type { Executor } from './executor.js'
import { neverSent } from './record-end.js'
import { spoolReceipt } from './spool.js'

/**
 * After the commit of an announcement failed without saying whether it was written: looks under the write lock,
 * so that no late commit can follow, and ends the attempt if it is there. The call is not made in any case.
 */
export async function undoAnnouncement(
  executor: Executor,
  { operation_id, owner }: { readonly operation_id: string; readonly owner: string },
): Promise<void> {
  const { at } = executor.clock()
  const error = (attempt: number | null): LastError => {
    const message = 'the ledger could not be written when the attempt was announced, so the call was not made'
    return { rule: 'announcement_failed', message, at, attempt }
  }
  try {
    await change(executor, { operation_id }, (state, context) => {
      const ours = state?.attempts.find(attempt => attempt.owner === owner && attempt.end === null)
      if (state === null || ours === undefined) return { steps: [] }
      return { steps: settle(state, neverSent(ours, error(ours.n)), context.known_external_ids) }
    })
  } catch {
    // The caller hears of the failed commit; what is known of the attempt waits in the spool for the next open.
    const { evidence, end, error: why } = neverSent({ n: 0, fence: 0 }, error(null))
    spoolReceipt(executor, {
      operation_id,
      owner,
      end,
      error: why,
      evidence,
      external_ids: [],
      result: null,
      result_digest: null,
    })
  }
}
