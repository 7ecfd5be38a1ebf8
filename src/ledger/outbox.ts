import { LedgerError } from '../core/errors.js'
import { type Check, checkFields, isObject, isOneOf, isWhole } from '../core/given.js'
import { type Dispatched, type DispatchHandler, dispatch } from '../execute/dispatch.js'
import type { Executor } from '../execute/executor.js'
import { prepareInside, prepareWithin } from '../execute/prepare-within.js'
import type { Standing } from '../execute/standing.js'
import type { GuestClient, GuestConnection } from '../store/store.js'
import { askingOf, type Call, intentOf } from './call.js'
import { warnOfRandomId } from './random-id.js'
import type { Session } from './session.js'

export interface DispatchOptions {
  /** by tool: makes the call, as the handler of `run` does */
  readonly handlers: Readonly<Record<string, DispatchHandler>>
  /** operations carried out at the same time; default 4 */
  readonly concurrency?: number
  /** `aborted` (default): until the signal says so · `idle`: until nothing can be sent now; retries due later are left */
  readonly until?: 'aborted' | 'idle'
  /** aborted: nothing further is begun, and what runs is waited for */
  readonly signal?: AbortSignal
  /** how often it looks when nothing was due, milliseconds; default 1,000 */
  readonly pollMs?: number
  /** how long a lease lasts between renewals; default 60 s */
  readonly leaseMs?: number
}

const FIELDS: Readonly<Record<keyof DispatchOptions, Check>> = {
  handlers: handlers =>
    isObject(handlers) ??
    (Object.values(Object(handlers)).every(one => typeof one === 'function') ? null : 'must hold functions'),
  concurrency: isWhole(1, 1_000),
  until: isOneOf(['aborted', 'idle']),
  signal: isObject,
  pollMs: isWhole(1, 3_600_000),
  leaseMs: isWhole(100, 86_400_000),
}

/** Sends what is due. @throws LedgerError invalid_input, or the ledger's own failure */
export function dispatchFrom(
  executor: Executor,
  options: DispatchOptions,
  defaultLeaseMs: number,
): Promise<Dispatched> {
  checkFields(options, { fields: FIELDS, required: ['handlers'], what: 'dispatch' })
  const { handlers, concurrency = 4, until = 'aborted', pollMs = 1_000, leaseMs, signal } = options
  return dispatch(executor, {
    handlers: new Map(Object.entries(handlers)),
    concurrency,
    until,
    pollMs,
    leaseMs: leaseMs ?? defaultLeaseMs,
    ...(signal === undefined ? {} : { signal }),
  })
}

/** Writes an intent down inside the caller's own transaction. */
export interface PrepareIn {
  (connection: GuestConnection, call: Call): Standing
  (client: GuestClient, call: Call): Promise<Standing>
}

export function prepareIn(session: Session, executor: Executor): PrepareIn {
  function prepare(connection: GuestConnection, call: Call): Standing
  function prepare(client: GuestClient, call: Call): Promise<Standing>
  function prepare(guest: GuestConnection | GuestClient, call: Call): Standing | Promise<Standing> {
    if (isObject(guest) !== null)
      throw new LedgerError('invalid_input', 'prepareIn: the connection is none', {
        path: 'connection',
        hint: 'Give the connection of better-sqlite3, or the client of pg, on which your transaction is open.',
      })
    const intent = intentOf(session, call)
    warnOfRandomId(session, intent.operation_id)
    const prepared = { intent, asking: askingOf(call) }
    // Both prepare statements; only a connection of better-sqlite3 says whether it is in a transaction.
    return 'inTransaction' in guest
      ? prepareWithin(executor, guest, prepared)
      : prepareInside(executor, guest, prepared)
  }
  return prepare
}
