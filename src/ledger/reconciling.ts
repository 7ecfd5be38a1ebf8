import { setTimeout as sleep } from 'node:timers/promises'
import type { ReconcileBody } from '../core/documents/reconcile.js'
import { type Check, checkFields, isObject, isWhole } from '../core/given.js'
import { type ListQuery, listing } from './looking/list.js'
import { outlinesOf } from './looking/rows.js'
import type { LookingSession } from './looking/session.js'
import { lookNow } from './looking/view.js'
import type { AskingOptions } from './reconcile/one.js'
import type { PlanningSession } from './reconcile/plan.js'
import type { Session } from './session.js'
import { unknownOperation } from './unknown-id.js'

export type { ReconcileBody, ReconcileOutcome } from '../core/documents/reconcile.js'

export interface ReconcileOptions {
  /** ask although an earlier look said that one before its time says nothing new */
  readonly early?: boolean
  /** say what would be asked; nothing is sent and nothing is written */
  readonly dryRun?: boolean
  /** operations asked about at the same time; default 4 */
  readonly concurrency?: number
  /** at least so long between the beginnings of two, milliseconds; default 0 */
  readonly everyMs?: number
  /** aborted: nothing further is begun, and what is being asked is broken off and not written */
  readonly signal?: AbortSignal
}

/** All in doubt that the filters of a list choose, and what a service took in and works on. */
export type ReconcileFilter = Pick<
  ListQuery,
  'taskId' | 'tool' | 'cause' | 'externalId' | 'since' | 'before' | 'rule'
>

/** What reconciling would do: works on a ledger that is open for reading only. */
export interface ReconcileForetelling {
  /** ids of the operations that `reconcile` would ask about for a filter, riskiest first */
  reconcilable(filter: ReconcileFilter): Promise<readonly string[]>
  /** what `reconcile` would ask; nothing is sent and nothing is written. @throws LedgerError not_found */
  wouldAsk(
    operationIds: readonly string[],
    options?: Pick<ReconcileOptions, 'early'>,
  ): AsyncGenerator<ReconcileBody>
}

export interface Reconciling extends ReconcileForetelling {
  /**
   * Asks the outside systems whether operations took effect, by the probes their tools declare, and writes down what
   * that says; nothing is ever sent again by it. Each result comes as soon as it is there. Begun again after a stop it
   * goes on: what is settled is not asked about.
   * @throws LedgerError not_found, invalid_input, or the ledger's own failure
   */
  reconcile(
    which: string | readonly string[] | ReconcileFilter,
    options?: ReconcileOptions,
  ): AsyncGenerator<ReconcileBody>
}

const FIELDS: Readonly<Record<keyof ReconcileOptions, Check>> = {
  early: isBoolean,
  dryRun: isBoolean,
  concurrency: isWhole(1, 100),
  everyMs: isWhole(0, 3_600_000),
  signal: isObject,
}

export function reconciling(session: Session): Reconciling {
  return {
    async *reconcile(which, options = {}) {
      checkFields(options, { fields: FIELDS, what: 'reconcile' })
      const ids = typeof which === 'string' ? [which] : isIds(which) ? which : await chosen(session, which)
      // A mistyped one is said before anything is asked.
      if (typeof which === 'string' || isIds(which)) for (const id of ids) await known(session, id)
      yield* reconcileMany(session, [...new Set(ids)], options)
    },
    ...reconcileForetelling(session),
  }
}

export function reconcileForetelling(session: PlanningSession): ReconcileForetelling {
  return {
    reconcilable: filter => chosen(session, filter),
    async *wouldAsk(ids, { early = false } = {}) {
      // A mistyped one is said before anything else.
      for (const id of ids) await known(session, id)
      const { wouldAsk } = await import('./reconcile/plan.js')
      const { signal } = new AbortController()
      for (const id of new Set(ids)) yield await wouldAsk(session, id, { early, signal })
    },
  }
}

async function known({ store }: Pick<LookingSession, 'store'>, id: string): Promise<void> {
  if ((await store.operation(id)) === null) throw await unknownOperation(store, id)
}

async function* reconcileMany(
  session: Session,
  ids: readonly string[],
  options: ReconcileOptions,
): AsyncGenerator<ReconcileBody> {
  const { early = false, dryRun = false, concurrency = 4, everyMs = 0 } = options
  const signal = options.signal ?? new AbortController().signal
  // Probes and their rules are loaded when something is asked: a run that asks nothing does not pay for them.
  const { reconcileOne } = await import('./reconcile/one.js')
  const asking: AskingOptions = { early, dryRun, signal }
  const running = new Map<string, Promise<{ readonly id: string; readonly done: ReconcileBody | null }>>()
  let lastAt = Number.NEGATIVE_INFINITY
  try {
    for (const id of ids) {
      while (running.size >= concurrency) yield* settled(running)
      const waitMs = lastAt + everyMs - session.monotonicMs()
      if (waitMs > 0) await sleep(waitMs, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) break
      lastAt = session.monotonicMs()
      running.set(
        id,
        reconcileOne(session, id, asking).then(done => ({ id, done })),
      )
    }
    while (running.size > 0) yield* settled(running)
  } finally {
    // Whoever stopped reading, or an error, leaves nothing behind that still writes.
    await Promise.allSettled(running.values())
  }
}

async function* settled(
  running: Map<string, Promise<{ readonly id: string; readonly done: ReconcileBody | null }>>,
): AsyncGenerator<ReconcileBody> {
  const { id, done } = await Promise.race(running.values())
  running.delete(id)
  if (done !== null) yield done
}

async function chosen(session: LookingSession, filter: ReconcileFilter): Promise<readonly string[]> {
  const ids: string[] = []
  const show = filter.rule === undefined ? 'unknown' : 'stalled'
  for await (const { operation_id, in_doubt } of listing(session, { ...filter, show }).rows)
    if (in_doubt) ids.push(operation_id)
  if (filter.rule !== undefined || filter.cause !== undefined) return ids
  return [...ids, ...(await atWorkRemotely(session, filter))]
}

/** What a service took in is nobody's doubt yet, and the service can tell. */
async function atWorkRemotely(session: LookingSession, filter: ReconcileFilter): Promise<readonly string[]> {
  const { taskId, tool, externalId, since, before } = filter
  const wanted = {
    scope: 'open' as const,
    sort: 'risk' as const,
    statuses: ['in_flight' as const],
    ...(taskId === undefined ? {} : { task_id: taskId }),
    ...(tool === undefined ? {} : { tool }),
    ...(externalId === undefined ? {} : { external_id: externalId }),
    ...(since === undefined ? {} : { since }),
    ...(before === undefined ? {} : { before }),
  }
  const look = await lookNow(session)
  const ids: string[] = []
  for await (const { operation_id, lease_owner, lease_expires_at } of outlinesOf(
    session.store,
    wanted,
    look,
  )) {
    const isLapsed = lease_expires_at !== null && lease_expires_at <= look.look.now.at
    if (lease_owner === 'remote' && !isLapsed) ids.push(operation_id)
  }
  return ids
}

function isIds(which: readonly string[] | ReconcileFilter): which is readonly string[] {
  return Array.isArray(which)
}

function isBoolean(value: unknown): string | null {
  return typeof value === 'boolean' ? null : 'must be true or false'
}
