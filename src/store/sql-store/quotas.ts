import type { Reservation } from '../../core/retry.js'
import { number } from '../cells.js'
import { query, type Sql } from '../engine.js'

// Retry quotas: one row a destination, read and raised in the commit that schedules a retry, so that processes and
// members of a shared commit see what the others took.

/** Until when the quota is used up, milliseconds since 1970 UTC; null where nothing was drawn yet. */
export function* quotaUsedUntil(destination: string): Sql<number | null> {
  const [row] = yield* query(
    `select used_until
     from ledger_quota
     where destination = $1`,
    [destination],
  )
  return row ? number(row, 'used_until') : null
}

export function* takeOfQuota({ destination, used_until }: Reservation): Sql<void> {
  yield* query(
    `insert into ledger_quota (destination, used_until)
     values ($1, $2)
     on conflict (destination) do update
     set used_until = excluded.used_until`,
    [destination, used_until],
  )
}
