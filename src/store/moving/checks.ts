import { LedgerError } from '../../core/errors.js'
import { numberOrNull, text } from '../cells.js'
import { type Engine, query, type Sql } from '../engine.js'
import { verify } from '../verify.js'
import type { End } from './place.js'

/** Who may still be at work on a ledger: an operation under a lease, or a supervisor. */
interface AtWork {
  readonly what: string
  readonly until: number
}

const MOST_NAMED = 5

/** @throws LedgerError refused while somebody holds a lease that has not lapsed */
export async function refuseWhileAtWork(engine: Engine, { shown }: End, now: number): Promise<void> {
  const found = await engine.read(() => atWork(now))
  if (found.length === 0) return
  const named = found.slice(0, MOST_NAMED).map(({ what }) => what)
  const more = found.length > MOST_NAMED ? ', and more' : ''
  throw new LedgerError('refused', `${shown} is at work: ${named.join(', ')}${more}`, {
    path: shown,
    rule: 'live_leases',
    hint: 'Stop the agents and wait until their leases end, or give --assume-workers-stopped: what is in flight then ends in doubt.',
    facts: { at_work: named },
  })
}

function* atWork(now: number): Sql<AtWork[]> {
  const held = yield* query(
    `select operation_id, lease_expires_at
     from ledger_operation
     where status in ('prepared', 'in_flight') and lease_expires_at > $1
     order by operation_id
     limit $2`,
    [now, MOST_NAMED + 1],
  )
  const leading = yield* query('select role, until from ledger_leader where until > $1', [now])
  return [
    ...held.map(row => ({
      what: `operation ${text(row, 'operation_id')}`,
      until: numberOrNull(row, 'lease_expires_at') ?? 0,
    })),
    ...leading.map(row => ({
      what: `a supervisor (${text(row, 'role')})`,
      until: numberOrNull(row, 'until') ?? 0,
    })),
  ]
}

/** @throws LedgerError ledger_damaged for the first thing that does not fit */
export async function refuseUnsound(engine: Engine, { shown }: End, isFromPostgres = false): Promise<void> {
  const { findings } = await verify(engine, { most: 1, isFromPostgres })
  const [first] = findings
  if (first === undefined) return
  throw new LedgerError('ledger_damaged', `${shown} does not verify: ${first.message}`, {
    path: shown,
    hint: 'See `agent-ledger verify` for all that does not fit. Only a ledger that fits is moved.',
    facts: { rule: first.rule },
  })
}
