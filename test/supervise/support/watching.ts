import { NO_CONFIG } from '../../../src/config/config.js'
import { newAction } from '../../../src/core/action.js'
import { createRedactor } from '../../../src/core/redact/redact.js'
import type { Executor } from '../../../src/execute/executor.js'
import { executing } from '../../../src/ledger/executing.js'
import { fetching } from '../../../src/ledger/fetching.js'
import type { Session } from '../../../src/ledger/session.js'
import { type Watched, type WatchOptions, watchLedger } from '../../../src/ledger/watch.js'
import { MINUTE, SECOND } from '../../core/stall/subjects.js'
import { aLedger, OWNER, type TestLedger } from '../../ledger/support/a-ledger.js'

export const POLL = newAction({ tool: 'log', input: {}, result: 'nothing', outcome: 'ok' }, value => value)

export const GRACE = 10 * MINUTE

/** One look of a supervisor, as `watch --once` takes it. */
export async function looked(
  ledger: TestLedger,
  options: WatchOptions = {},
  owner = OWNER,
): Promise<Watched[]> {
  const session = sessionOf(ledger, owner)
  const executor: Executor = { ...session, epochs: new Map() }
  const executes = executing(session)
  const notifying = { ...executes, ...fetching(session, executes) }
  const found: Watched[] = []
  const watching = watchLedger(session, executor, {
    options: { once: true, graceMs: GRACE, ...options },
    notifying,
  })
  for await (const one of watching) if (one.event !== 'leading') found.push(one)
  return found
}

export function sessionOf({ store, clock, gone }: TestLedger, owner: string): Session {
  return {
    store,
    clock,
    monotonicMs: () => clock().boot_ms,
    actor: 'watch',
    owner,
    isOwnerGone: one => gone.has(one),
    config: NO_CONFIG,
    mask: createRedactor(),
    warn: () => undefined,
  }
}

export async function aLoop(): Promise<TestLedger> {
  const ledger = await aLedger()
  await ledger.prepared({ task_id: 'run-7', operation_id: 'op-1' })
  for (let i = 0; i < 4; i++) await poll(ledger)
  return ledger
}

export async function poll(ledger: TestLedger, action = POLL) {
  ledger.clock.advance(5 * SECOND)
  await ledger.store.signal({
    kind: 'activity',
    subject: { task_id: 'run-7' },
    action,
    clock: ledger.clock,
  })
}

export const eventsOf = (events: readonly Watched[]) => events.map(({ event }) => event)
