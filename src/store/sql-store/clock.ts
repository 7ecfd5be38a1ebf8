import { isClockDoubtful, type Stamp } from '../../core/time.js'
import { number, text } from '../cells.js'
import { query, type Row, type Sql } from '../engine.js'

/** When the ledger was last written, by both clocks; null before its first event. */
export function* lastStamp(): Sql<Stamp | null> {
  const [row] = yield* query(
    `select at, boot_id, boot_ms
     from ledger_event
     order by seq desc
     limit 1`,
  )
  return row ? stampOf(row, '') : null
}

export function stampOf(row: Row, prefix: '' | 'last_'): Stamp {
  return {
    at: number(row, `${prefix}at`),
    boot_id: text(row, `${prefix}boot_id`),
    boot_ms: number(row, `${prefix}boot_ms`),
  }
}

export interface Time {
  /** the time of this commit: never below that of the last one */
  readonly stamp: Stamp
  /** the clocks disagree since the last commit */
  readonly isDoubtful: boolean
}

/** The writer's clock, held to what is written already. It is asked when the locks before it were answered for. */
export function* timeOfCommit(clock: () => Stamp): Sql<Time> {
  const last = yield* lastStamp()
  return timeAfter(last, clock())
}

export function timeAfter(last: Stamp | null, now: Stamp): Time {
  if (last === null) return { stamp: now, isDoubtful: false }
  const held = now.at >= last.at ? now : { ...now, at: last.at }
  return {
    stamp: held,
    isDoubtful: isClockDoubtful(last, last.at - now.at <= BETWEEN_MACHINES_MS ? held : now),
  }
}

/** Two machines that carry on the clock of one database differ by what a look at it takes. */
const BETWEEN_MACHINES_MS = 1_000

/** Where many commit at the same time, the last event of all need not be the last of this row. */
export function notBefore({ stamp, isDoubtful }: Time, ...times: readonly number[]): Time {
  const at = Math.max(stamp.at, ...times)
  return at === stamp.at ? { stamp, isDoubtful } : { stamp: { ...stamp, at }, isDoubtful }
}
