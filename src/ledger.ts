import type { LedgerConfig } from './config/config.js'
import { createRedactor } from './core/redact/redact.js'
import type { Stamp } from './core/time.js'
import { takeInReceipts } from './execute/take-in.js'
import {
  isOwnerGone,
  monotonicMs,
  ownerOf,
  signalGroup,
  stateFolder,
  surroundings,
  systemClock,
} from './host.js'
import { configGiven } from './ledger/config-given.js'
import { type Deciding, deciding } from './ledger/deciding.js'
import { type Executing, executing } from './ledger/executing.js'
import { type ExportOptions, exported } from './ledger/exporting.js'
import { type Fetching, fetching } from './ledger/fetching.js'
import type { ImportedFrom, ImportOptions } from './ledger/importing.js'
import { type Keeping, keeping } from './ledger/keeping.js'
import { type Looking, looking } from './ledger/looking.js'
import type { NotifyingLedger } from './ledger/notify.js'
import type { Outside } from './ledger/outside.js'
import { type Reconciling, reconciling } from './ledger/reconciling.js'
import type { LedgerWarning, Session } from './ledger/session.js'
import type { Watched, WatchOptions } from './ledger/watch.js'
import { type Listening, listenedTo } from './ledger/watching.js'
import type { ExportLine } from './store/export.js'
import { type CreateStore, createStore, grantRoles, type OpenStore, openStore } from './store/open.js'
import type { GivenRole } from './store/postgres/roles.js'
import type { Store } from './store/store.js'
import type { Verified, VerifyOptions } from './store/verify.js'
import { VERSION } from './version.js'

/** An open ledger: everything agent-ledger can do, one method each. */
export type Ledger = Executing &
  Fetching &
  Deciding &
  Reconciling &
  Looking &
  Keeping & {
    readonly ledgerId: string
    /** what a person types to name it */
    readonly location: string
    /** who is written into the record */
    readonly actor: string
    /**
     * Supervises the ledger: stalls, lapsed leases, notices, and tasks fenced off after their grace. Ends when it is
     * told to. @throws LedgerError invalid_input
     */
    watch(options?: WatchOptions): AsyncGenerator<Watched>
    /** takes another system's records in, in one commit. @throws LedgerError as importFrom in ledger/importing.ts */
    importFrom(path: string, options?: ImportOptions): Promise<ImportedFrom>
    /** what stands in it as lines of JSON values, in constant memory. @throws LedgerError not_found for the task */
    exportLines(options: ExportOptions): AsyncIterable<ExportLine>
    /** recomputes chains, evidence and rows, and names what does not fit; a ledger may be written meanwhile */
    verify(options?: VerifyOptions): Promise<Verified>
    /** Finishes what is being written. A handler that ends later leaves its outcome in the receipt spool. */
    close(): Promise<void>
  }

export interface OpenOptions extends Listening {
  /** make the ledger where there is none; default true */
  readonly create?: boolean
  /** who is written into the record; default: `agent` */
  readonly actor?: string
  /** path of an agent-ledger.yaml with the contracts of the tools, or what was read from one; default: none */
  readonly config?: string | LedgerConfig
  /** how long to wait for a ledger that another process has locked, milliseconds; default 10 s */
  readonly waitMs?: number
  /**
   * what probes are given of this machine. Default: the environment of this process, and trust in the configuration,
   * which the program that opens the ledger has chosen itself
   */
  readonly outside?: Partial<Outside>
  /** told what needs a look and stops nothing: an id that looks random, a receipt that had to be spooled */
  readonly onWarning?: (warning: LedgerWarning) => void
}

/**
 * Opens a ledger to write it, and makes it where there is none: a path, a `file:` URL or a `postgresql:` URL. Receipts that an earlier
 * process could not record are taken in first.
 * @throws LedgerError not_a_ledger, ledger_damaged, ledger_newer, ledger_older, ledger_unwritable,
 * unsafe_filesystem, busy, invalid_config; ledger_missing with `create: false`
 */
export async function openLedger(location: string, options: OpenOptions = {}): Promise<Ledger> {
  const config = await configGiven(options.config)
  const asked = storeAsked(location, options)
  if (options.create ?? true) await createStore(asked)
  const store = await openStore(asked)
  try {
    const clock = await store.clockOn(asked.clock)
    const session = await listenedTo(sessionOn(store, clock, { ...options, config }), options)
    await takeInReceipts({ ...session, epochs: new Map() })
    return ledgerOn(session)
  } catch (error) {
    await store.close()
    throw error
  }
}

type MakeLedger = Pick<CreateStore, 'partitions'>

/** Makes an empty ledger. False: there is one already, and it was left as it is. @throws LedgerError as openLedger */
export function makeLedger(location: string, options: MakeLedger = {}): Promise<boolean> {
  return createStore({ ...storeAsked(location, {}), ...options })
}

/** Lets the roles of a PostgreSQL server use a ledger that is there. @throws LedgerError usage for a file */
export function makeRoles(location: string): Promise<readonly GivenRole[]> {
  return grantRoles(storeAsked(location, {}))
}

export { type LedgerForReading, openLedgerForReading } from './ledger/open-for-reading.js'

/** The ledger's verbs on an open store. */
export function ledgerOn(session: Session): Ledger {
  const { store, watch } = session
  const executes = executing(session)
  const fetches = fetching(session, executes)
  return {
    ...executes,
    ...fetches,
    ...deciding(session),
    ...reconciling(session),
    ...looking(session),
    ...keeping(session),
    ledgerId: store.ledgerId,
    location: store.location,
    actor: session.actor,
    watch: options => watching(session, { ...executes, ...fetches }, options ?? {}),
    importFrom: async (path, options) =>
      (await import('./ledger/importing.js')).importFrom(session, path, options),
    exportLines: options => exported(session, options),
    verify: options => store.verify(options),
    close: async () => {
      await store.close()
      watch?.close()
    },
  }
}

// Supervising is for one process of many: what it needs is loaded when it begins.
async function* watching(session: Session, notifying: NotifyingLedger, options: WatchOptions) {
  const { watchLedger } = await import('./ledger/watch.js')
  yield* watchLedger(session, { ...session, epochs: new Map() }, { options, notifying })
}

function storeAsked(location: string, { waitMs }: OpenOptions): OpenStore {
  const program = `agent-ledger ${VERSION}`
  return {
    url: location,
    clock: systemClock(),
    isMachineClock: true,
    stateFolder: stateFolder(),
    program,
    ...(waitMs === undefined ? {} : { waitMs }),
  }
}

function sessionOn(
  store: Store,
  clock: () => Stamp,
  options: OpenOptions & { readonly config: LedgerConfig },
): Session {
  const { actor = 'agent', config, onWarning } = options
  return {
    store,
    clock,
    monotonicMs,
    actor,
    owner: ownerOf(),
    isOwnerGone,
    config,
    outside: { ...surroundings(), signalGroup, trust: () => ({ trusted: true }), ...options.outside },
    mask: createRedactor(config.redact),
    warn: warning => tell(onWarning, warning),
  }
}

// A fault in the listener must not decide over an operation that is being carried out.
function tell(listener: OpenOptions['onWarning'], warning: LedgerWarning): void {
  try {
    listener?.(warning)
  } catch {
    // its own affair
  }
}
