import type { OperationView, Sight } from '../../core/documents/sight.js'
import type { OperationOutline } from '../../core/operation.js'
import { type Verification, verificationOf } from '../../core/verification.js'
import type { StoreReader } from '../../store/store.js'
import type { LookingSession } from './session.js'

/** One look at a ledger: a moment, and what can be told about processes at it. */
export interface Look extends Sight {
  /** owners of leases that are provably gone, for the store's queries */
  readonly goneOwners: readonly string[]
}

/** Each owner is asked about once, so that a list does not change its mind half-way. */
export async function lookNow({ store, clock, isOwnerGone, config }: LookingSession): Promise<Look> {
  const now = clock()
  const goneOwners = (await store.leaseOwners()).filter(isOwnerGone)
  const known = new Map(goneOwners.map(owner => [owner, true]))
  const isGone = (owner: string) => {
    const before = known.get(owner)
    if (before !== undefined) return before
    const found = isOwnerGone(owner)
    known.set(owner, found)
    return found
  }
  return {
    look: { now, isOwnerGone: isGone },
    stall: config.stall,
    lastEventAt: await store.lastCommitAt(),
    goneOwners,
  }
}

const NONE: readonly never[] = []

/** The rows of a list with what stands beside them. */
export async function viewsOf(
  store: StoreReader,
  operations: readonly OperationOutline[],
  now: number,
): Promise<OperationView[]> {
  if (operations.length === 0) return []
  const beside = await store.beside(operations, now)
  const verifications = await verificationsOf(store, operations)
  return operations.map(operation => {
    const { operation_id, task_id, same_as } = operation
    return {
      operation,
      attempts: beside.attempts.get(operation_id) ?? NONE,
      external_ids: beside.external_ids.get(operation_id) ?? NONE,
      task: beside.tasks.get(task_id) ?? null,
      twin: same_as === null ? null : (beside.twins.get(same_as) ?? null),
      claim: beside.claims.get(operation_id) ?? null,
      target_touched: beside.target_touched.get(operation_id) ?? null,
      approved_at: beside.approved.get(operation_id) ?? null,
      is_of_earlier: beside.of_earlier.has(operation_id),
      left_to_person: beside.left_to_person.get(operation_id) ?? null,
      undone_by: beside.undone_by.get(operation_id) ?? null,
      verification: verifications.get(operation_id) ?? null,
    }
  })
}

/** What backs a settlement by hand stands in its evidence: only those few are read whole. */
async function verificationsOf(
  store: StoreReader,
  operations: readonly OperationOutline[],
): Promise<ReadonlyMap<string, Verification>> {
  const found = new Map<string, Verification>()
  for (const { operation_id, settled_by } of operations) {
    const record = settled_by === 'person' ? await store.operation(operation_id) : null
    const state = record === null ? null : verificationOf(record)
    if (state !== null) found.set(operation_id, state)
  }
  return found
}
