import type { Horizon } from '../../core/follow.js'
import { number, numberOrNull } from '../cells.js'
import { query, type Sql } from '../engine.js'
import { eventOf } from '../rows.js'
import type { EventQuery, LoggedEvent } from '../store.js'
import { Params } from './params.js'

const COLUMNS = 'seq, subject, subject_id, n, about, type, at, actor, body, hash'

/** Events in the order they were written. */
export function* events(asked: EventQuery): Sql<LoggedEvent[]> {
  const params = new Params()
  const first = asked.since === undefined ? 0 : yield* firstSeqSince(asked.since)
  const after = Math.max(asked.after_seq ?? 0, first - 1)
  const where = [
    `seq > ${params.add(after)}`,
    ...(asked.since === undefined ? [] : [`at >= ${params.add(asked.since)}`]),
    ...(asked.actors === undefined
      ? []
      : [`actor in (${asked.actors.map(one => params.add(one)).join(', ')})`]),
    ...(asked.type === undefined ? [] : [`type = ${params.add(asked.type)}`]),
  ]
  if (asked.about !== undefined) where.push(isAbout(asked.about, params))
  const rows = yield* query(
    `select ${COLUMNS}
     from ledger_event
     where ${where.join('\n       and ')}
     order by seq
     limit ${params.add(asked.limit)}`,
    params.values,
  )
  return rows.map(eventOf)
}

export function* decision(decision_id: string): Sql<LoggedEvent | null> {
  const [row] = yield* query(
    `select ${COLUMNS}
     from ledger_event
     where decision_id = $1`,
    [decision_id],
  )
  return row ? eventOf(row) : null
}

/** How far commits are. Of PostgreSQL alone: in a file they come one after the other. */
export function* commitHorizon(): Sql<Horizon> {
  const [row] = yield* query(
    `select
       coalesce((select max(seq) from ledger_event), 0) as last_seq,
       pg_snapshot_xmin(pg_current_snapshot())::text::bigint as running_from,
       pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next`,
  )
  if (row === undefined) throw new Error('a query without a table gives one row')
  return {
    last_seq: number(row, 'last_seq'),
    running_from: number(row, 'running_from'),
    next: number(row, 'next'),
  }
}

/** Of a task: its own events, those about it, and those of its operations. */
function isAbout(about: NonNullable<EventQuery['about']>, params: Params): string {
  if ('operation_id' in about) {
    const id = params.add(about.operation_id)
    return seqIn([
      `select seq from ledger_event where subject = 'operation' and subject_id = ${id}`,
      `select seq from ledger_event indexed by event_about where about = ${id}`,
    ])
  }
  const id = params.add(about.task_id)
  const operations = `select operation_id from ledger_operation indexed by operation_of_task where task_id = ${id}`
  return seqIn([
    `select seq from ledger_event where subject = 'task' and subject_id = ${id}`,
    `select seq from ledger_event indexed by event_about where about = ${id}`,
    `select seq from ledger_event where subject = 'operation' and subject_id in (${operations})`,
    `select seq from ledger_event indexed by event_about where about in (${operations})`,
  ])
}

function seqIn(selects: readonly string[]): string {
  return `seq in (\n${selects.join('\nunion all\n')}\n)`
}

/**
 * Where to begin to look for events at or after a time; one beyond the last where there is none. Time never runs below
 * the last commit, so events lie in the order of their times: halving finds it in 24 steps of 10,000,000. Commits
 * that ran at the same time may lie the other way round, so it begins a little earlier.
 */
export function* firstSeqSince(since: number): Sql<number> {
  const time = since - AT_THE_SAME_TIME_MS
  const [ends] = yield* query(
    `select (select min(seq) from ledger_event) as first, (select max(seq) from ledger_event) as last`,
  )
  const first = ends ? numberOrNull(ends, 'first') : null
  if (!ends || first === null) return 1
  let low = first
  let high = number(ends, 'last') + 1
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const [row] = yield* query(
      `select seq, at
       from ledger_event
       where seq >= $1
       order by seq
       limit 1`,
      [middle],
    )
    if (!row || number(row, 'at') >= time) high = middle
    else low = number(row, 'seq') + 1
  }
  return low
}

/**
 * PostgreSQL: how far the times of events may lie apart from the order of their numbers. A commit reads the time when it
 * has the locks of what it changes, and then writes; the server ends one that idles for a minute between the two, or
 * whose statement waits for two (settings.ts).
 */
export const AT_THE_SAME_TIME_MS = 5 * 60_000
