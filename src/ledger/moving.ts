import { LedgerError } from '../core/errors.js'
import { pendingReceipts } from '../execute/spool.js'
import { stateFolder, systemClock } from '../host.js'
import { hasNoPartitions, parseLocation } from '../store/location.js'
import { type Moved, moveLedger, type Progress, takeBack } from '../store/moving/move.js'
import { openStoreForReading } from '../store/open-for-reading.js'
import type { Split, Splitting } from '../store/splitting/split.js'
import { VERSION } from '../version.js'

export type { Moved, Progress } from '../store/moving/move.js'

export interface MoveOptions {
  /** a path, a `file:` URL or a `postgresql://` URL where no ledger is */
  readonly to: string
  /** PostgreSQL: how many partitions the large tables of the new place are split into; none unless named */
  readonly partitions?: number
  /** who moves it, for the record */
  readonly actor: string
  readonly waitMs?: number
  /** leases that have not lapsed are no reason to wait */
  readonly assumeStopped?: boolean
  /** looks whether it can be done, and writes nothing */
  readonly dryRun?: boolean
  /** gives an unfinished move up: the ledger is written again where it was */
  readonly takeBack?: boolean
  readonly onProgress?: (done: Progress) => void
  readonly signal?: AbortSignal
}

const DEFAULT_WAIT_MS = 10_000

/**
 * Moves a ledger between a file and PostgreSQL, or from one of either to another. Run again after a kill it goes on.
 * @throws LedgerError refused, conflict, ledger_moved, ledger_damaged, and as openLedger
 */
export async function moveTo(location: string, options: MoveOptions): Promise<Moved> {
  const { to, actor, waitMs = DEFAULT_WAIT_MS, onProgress, signal } = options
  const moving = {
    from: location,
    to,
    waitMs,
    clock: systemClock(),
    program: `agent-ledger ${VERSION}`,
    actor,
    partitions: options.partitions ?? null,
    assumeStopped: options.assumeStopped ?? false,
    dryRun: options.dryRun ?? false,
    ...(onProgress === undefined ? {} : { onProgress }),
    ...(signal === undefined ? {} : { signal }),
  }
  if (options.takeBack === true) return takeBack(moving)
  await refuseWithReceipts(location, waitMs)
  return moveLedger(moving)
}

/** Outcomes that wait beside the ledger would stay behind. Nothing waits beside one that was fenced already. */
async function refuseWithReceipts(location: string, waitMs: number): Promise<void> {
  let receipts: readonly string[]
  try {
    const store = await openStoreForReading({ url: location, waitMs, stateFolder: stateFolder() })
    receipts = pendingReceipts(store.location, store.spoolFolder)
    await store.close()
  } catch (error) {
    if (error instanceof LedgerError && error.code === 'ledger_moved') return
    throw error
  }
  if (receipts.length === 0) return
  throw new LedgerError('refused', `${receipts.length} outcomes wait beside the ledger to be taken in`, {
    path: receipts[0] ?? location,
    rule: 'no_receipts_behind',
    hint: 'Open the ledger to write it once, which takes them in: agent-ledger reconcile, or any agent.',
  })
}

type SplitOptions = Omit<MoveOptions, 'to' | 'assumeStopped' | 'partitions' | 'onProgress'> & {
  readonly partitions: number
  readonly onProgress?: Splitting['onProgress']
}

/**
 * Splits the large tables of a ledger in PostgreSQL into partitions while it is in use. Run again after a kill it goes on.
 * @throws LedgerError usage for a file; refused, conflict, busy, ledger_damaged, and as openLedger
 */
export async function splitInto(location: string, options: SplitOptions): Promise<Split> {
  const { partitions, actor, waitMs = DEFAULT_WAIT_MS, onProgress, signal } = options
  const parsed = parseLocation(location)
  if (parsed.engine !== 'postgresql') throw hasNoPartitions(parsed.path)
  const { giveSplitUp, splitLedger } = await import('../store/splitting/split.js')
  if (options.takeBack === true) return giveSplitUp({ url: location, waitMs })
  return splitLedger({
    url: location,
    partitions,
    waitMs,
    clock: systemClock(),
    actor,
    dryRun: options.dryRun ?? false,
    ...(onProgress === undefined ? {} : { onProgress }),
    ...(signal === undefined ? {} : { signal }),
  })
}
