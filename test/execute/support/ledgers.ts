import { onTestFinished } from 'vitest'
import { NO_CONFIG } from '../../../src/config/config.js'
import type { JsonValue } from '../../../src/core/json.js'
import { createRedactor } from '../../../src/core/redact/redact.js'
import { isOwnerGone, monotonicMs, ownerOf, systemClock } from '../../../src/host.js'
import type { Call } from '../../../src/ledger/call.js'
import type { LedgerWarning, Session } from '../../../src/ledger/session.js'
import { type Ledger, ledgerOn } from '../../../src/ledger.js'
import { createStore, openStore } from '../../../src/store/open.js'
import type { OperationRecord, Store } from '../../../src/store/store.js'
import { aDirectory } from '../../store/support/places.js'

export interface Opened {
  readonly ledger: Ledger
  readonly store: Store
  readonly path: string
  readonly warnings: LedgerWarning[]
}

interface Opening extends Partial<Omit<Session, 'store'>> {
  readonly path?: string
  readonly waitMs?: number
  /** puts something between the ledger's verbs and its store */
  readonly around?: (store: Store) => Store
}

/** A real ledger file, open for writing, with what the test wants to be otherwise. */
export async function aLedger({
  path = aPath(),
  waitMs = 5_000,
  around,
  ...over
}: Opening = {}): Promise<Opened> {
  const clock = over.clock ?? systemClock()
  const asked = { url: path, clock, program: 'a test', waitMs }
  await createStore(asked)
  const store = await openStore(asked)
  onTestFinished(() => store.close())
  const warnings: LedgerWarning[] = []
  const session: Session = {
    store: around === undefined ? store : around(store),
    clock,
    monotonicMs,
    actor: 'agent',
    owner: ownerOf(),
    isOwnerGone,
    config: NO_CONFIG,
    mask: createRedactor(),
    warn: warning => warnings.push(warning),
    ...over,
  }
  return { ledger: ledgerOn(session), store, path, warnings }
}

export function aPath(): string {
  return `${aDirectory()}/ledger.db`
}

export function aCall(over: Partial<Call> = {}): Call {
  const { id = 'ticket-1' } = over
  // the same tool and input under another id would be the same write
  const input = { title: id === 'ticket-1' ? 'Disk full' : id }
  return { id, task: 'task-1', tool: 'tickets.create', input, ...over }
}

/** The record of an operation, which must be there. */
export async function recordOf(store: Pick<Store, 'operation'>, id = 'ticket-1'): Promise<OperationRecord> {
  const record = await store.operation(id)
  if (record === null) throw new Error(`${id} is not in the ledger`)
  return record
}

/** A handler that counts its runs, and what it was given. */
export function counting<T extends JsonValue | undefined>(result: T) {
  const calls: number[] = []
  const handler = ({ attempt }: { attempt: number }) => {
    calls.push(attempt)
    return result
  }
  return { calls, handler }
}

/** A promise with its ends in the test's hands. */
export function held<T>() {
  let resolve: (value: T) => void = () => {}
  let reject: (error: unknown) => void = () => {}
  const promise = new Promise<T>((ok, bad) => {
    resolve = ok
    reject = bad
  })
  return { promise, resolve, reject }
}
