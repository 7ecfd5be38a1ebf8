import type { Engine } from '../engine.js'
import { leavesOf, type Pruned, prunedBeside, stubsOf } from '../sql-store/pruned.js'
import type { Finding } from './finding.js'

/** A batch of archived operations as the ledger's own chain tells of it. */
export interface PrunedBatch {
  /** the number of its event there */
  readonly n: number
  readonly said: Pruned
}

/** What stays of archived operations, held against the digests of their batches. */
export async function checkPruned(
  engine: Engine,
  ledger_id: string,
  batches: readonly PrunedBatch[],
): Promise<{ readonly findings: Finding[]; readonly operations: number }> {
  const findings: Finding[] = []
  const found = (message: string, n: number | null) =>
    findings.push({ rule: 'archive_differs', subject: 'ledger', id: ledger_id, n, message })
  let operations = 0
  for (const { n, said } of batches) {
    const [stubs, leaves] = [await engine.read(() => stubsOf(n)), await engine.read(() => leavesOf(n))]
    operations += stubs.count
    if (stubs.digest !== said.stubs_digest)
      found(
        `${stubs.count} of ${said.operations} ids and keys that went to ${said.archive} are here, or others`,
        n,
      )
    if (leaves.digest !== said.events_digest)
      found(`the hashes of ${said.events} events that went to ${said.archive} are not those kept`, n)
  }
  for (const { batch, id } of await engine.read(() => prunedBeside(batches.map(({ n }) => n))))
    found(`${id} counts as archived in batch ${batch}, which nobody wrote`, batch)
  return { findings, operations }
}
