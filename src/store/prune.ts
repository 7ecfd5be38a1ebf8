import { KEEP_RULES, type KeepRuleId, keptBy } from '../core/retention.js'
import type { Stamp } from '../core/time.js'
import type { Engine } from './engine.js'
import { type Archived, candidatesAfter, type Removed, removeArchived } from './sql-store/prune.js'

export interface Choosing {
  /** milliseconds since 1970 UTC */
  readonly settledBefore: number
  readonly now: number
}

export interface Chosen {
  readonly operations: number
  /** how many stay, by the rule that keeps them, in the order of the rules */
  readonly kept: readonly { readonly rule: KeepRuleId; readonly title: string; readonly operations: number }[]
}

const PAGE = 200

/** Ids of the operations that may be archived, in pages, and at the end how many of all stay and why. Reads all of history. */
export async function* chosenPages(
  engine: Pick<Engine, 'read'>,
  times: Choosing,
): AsyncGenerator<readonly string[], Chosen> {
  const kept = new Map<KeepRuleId, number>()
  let operations = 0
  for (let after = 0; ; ) {
    const from = after
    const page = await engine.read(() => candidatesAfter(from, times.now, PAGE))
    const last = page.at(-1)
    if (last === undefined) break
    const free: string[] = []
    for (const candidate of page) {
      const rule = keptBy(candidate, times)
      if (rule === null) free.push(candidate.operation.operation_id)
      else kept.set(rule, (kept.get(rule) ?? 0) + 1)
    }
    operations += free.length
    if (free.length > 0) yield free
    after = last.seq
  }
  return {
    operations,
    kept: KEEP_RULES.flatMap(({ id, title }) => {
      const count = kept.get(id) ?? 0
      return count === 0 ? [] : [{ rule: id, title, operations: count }]
    }),
  }
}

export interface RemovingAll {
  readonly ledger_id: string
  readonly actor: string
  readonly clock: () => Stamp
  readonly settledBefore: number
  /** name of the file, and the digest of all of it */
  readonly archive: string
  readonly archive_digest: string
  readonly operations: AsyncIterable<Archived>
  readonly onProgress?: (operations: number) => void
  readonly signal?: AbortSignal
}

/** Operations of one commit. */
const BATCH = 100

/** Removes what an archive holds, a batch in each commit: after a kill the rest is removed by the same call again. */
export async function removeAll(engine: Pick<Engine, 'write'>, asked: RemovingAll): Promise<Removed> {
  const { operations, onProgress, signal, ...removing } = asked
  let all: Removed = { operations: 0, events: 0, before: 0, left: [] }
  const remove = async (batch: readonly Archived[]) => {
    signal?.throwIfAborted()
    const one = await engine.write(() => removeArchived(removing, batch))
    all = {
      operations: all.operations + one.operations,
      events: all.events + one.events,
      before: all.before + one.before,
      left: [...all.left, ...one.left],
    }
    onProgress?.(all.operations + all.before)
  }
  let batch: Archived[] = []
  for await (const one of operations) {
    batch.push(one)
    if (batch.length < BATCH) continue
    await remove(batch)
    batch = []
  }
  if (batch.length > 0) await remove(batch)
  return all
}
