import type { LedgerConfig } from '../config/config.js'
import { createRedactor } from '../core/redact/redact.js'
import { isOwnerGone, signalGroup, stateFolder, surroundings, systemClock } from '../host.js'
import type { ExportLine } from '../store/export.js'
import { openStoreForReading } from '../store/open-for-reading.js'
import type { Verified, VerifyOptions } from '../store/verify.js'
import type { ForetellingSession } from './asked-decision.js'
import { configGiven } from './config-given.js'
import { type ExportOptions, exported } from './exporting.js'
import type { Foretelling } from './foretelling.js'
import type { Keeping } from './keeping.js'
import { type Looking, looking } from './looking.js'
import type { Outside } from './outside.js'
import type { PlanningSession } from './reconcile/plan.js'
import type { ReconcileForetelling } from './reconciling.js'

/** A ledger that is open for reading: it is never made, migrated, checkpointed or written. */
export type LedgerForReading = Looking &
  Foretelling &
  ReconcileForetelling & {
    readonly ledgerId: string
    /** what a person types to name it */
    readonly location: string
    /** compares what is stored with what its history says. @throws LedgerError not_found */
    verify(options?: VerifyOptions): Promise<Verified>
    /** what stands in it as lines of JSON values, in constant memory. @throws LedgerError not_found for the task */
    exportLines(options: ExportOptions): AsyncIterable<ExportLine>
    /** what `prune` would archive, and what stays by which rule */
    readonly prunable: Keeping['prunable']
    close(): Promise<void>
  }

export interface ReadingOptions {
  /** path of an agent-ledger.yaml, or what was read from one; default: none */
  readonly config?: string | LedgerConfig
  /** who looks, or how to find out when it matters; default: `agent` */
  readonly actor?: string | (() => Promise<string>)
  /** how long to wait for a lock, milliseconds; default 10 s */
  readonly waitMs?: number
  /**
   * look as of this moment, milliseconds since 1970 UTC, instead of now. The answer is then the same on every machine
   * and at every time: processes that run now say nothing about that moment, so only leases and ages count.
   */
  readonly asOf?: number
  /** what probes would be given of this machine, found out when it matters; default: as for a ledger that is written */
  readonly outside?: () => Promise<Partial<Outside>>
}

/**
 * Opens a ledger to look at it: live, killed, copied or read-only, without a trace.
 * @throws LedgerError ledger_missing, not_a_ledger, ledger_damaged, ledger_newer, ledger_unreadable, unsafe_filesystem
 */
export async function openLedgerForReading(
  location: string,
  options: ReadingOptions = {},
): Promise<LedgerForReading> {
  const { actor = 'agent', waitMs, asOf, outside } = options
  const config = await configGiven(options.config)
  const store = await openStoreForReading({
    url: location,
    stateFolder: stateFolder(),
    ...(waitMs === undefined ? {} : { waitMs }),
  })
  const session = {
    store,
    clock:
      asOf === undefined ? await store.clockOn(systemClock()) : () => ({ at: asOf, boot_id: '', boot_ms: 0 }),
    isOwnerGone: asOf === undefined ? isOwnerGone : () => false,
    config,
  }
  const foretold = async () => ({
    ...session,
    actor: typeof actor === 'string' ? actor : await actor(),
    mask: createRedactor(config.redact),
  })
  return {
    ...looking(session),
    ...foretellingLater(foretold),
    ...reconcilingLater(async () => ({
      ...session,
      mask: createRedactor(config.redact),
      outside: { ...surroundings(), signalGroup, trust: () => ({ trusted: true }), ...(await outside?.()) },
    })),
    ledgerId: store.ledgerId,
    location: store.location,
    verify: options => store.verify(options),
    exportLines: options => exported(session, options),
    prunable: async options => (await import('./pruning.js')).prunable(session, options),
    close: () => store.close(),
  }
}

// A list must start quickly, and needs nothing of the table of moves: it is loaded when a decision is foretold.
function foretellingLater(session: () => Promise<ForetellingSession>): Foretelling {
  // once: who looks is found by asking git, and thousands of decisions may be foretold
  let foretelling: Promise<Foretelling> | undefined
  const loaded = () => {
    foretelling ??= import('./foretelling.js').then(async module => module.foretelling(await session()))
    return foretelling
  }
  return {
    subject: async (id, as) => (await loaded()).subject(id, as),
    preview: async (operationId, ask) => (await loaded()).preview(operationId, ask),
    approvable: async operationId => (await loaded()).approvable(operationId),
    compensable: async operationId => (await loaded()).compensable(operationId),
    redactable: async (operationId, parts) => (await loaded()).redactable(operationId, parts),
    carriedOut: async decisionId => (await loaded()).carriedOut(decisionId),
    planHead: async () => (await loaded()).planHead(),
    planned: async (operationId, ask) => (await loaded()).planned(operationId, ask),
    foretell: async item => (await loaded()).foretell(item),
  }
}

function reconcilingLater(session: () => Promise<PlanningSession>): ReconcileForetelling {
  const loaded = async () => (await import('./reconciling.js')).reconcileForetelling(await session())
  return {
    reconcilable: async filter => (await loaded()).reconcilable(filter),
    async *wouldAsk(ids, options) {
      yield* (await loaded()).wouldAsk(ids, options)
    },
  }
}
