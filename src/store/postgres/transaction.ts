import { hash } from 'node:crypto'
import type { Lockable, Query, Row, Sql, Step } from '../engine.js'
import { batch } from './batch.js'
import { type Statement, statementOf } from './cells.js'
import type { Session } from './pool.js'

/** How statements reach the server: all of them in one journey, answered each. */
export type Send = (statements: readonly Statement[]) => Promise<(readonly Row[])[]>

/** What a transaction needs to know of the ledger and the connection. */
export interface Within {
  readonly schema: string
  /** statements that recur may be kept by the server under a name */
  readonly keeps: boolean
}

/**
 * Runs SQL step by step, awaiting each answer. What nobody waits for (locks, what is to be done later, the beginning of
 * the transaction) travels with the next query that is answered; the rest is handed back, to travel with the COMMIT.
 */
export async function driveOver<T>(
  sql: Sql<T>,
  {
    send,
    opening,
    within,
  }: { readonly send: Send; readonly opening: readonly Statement[]; readonly within: Within },
): Promise<{ readonly value: T; readonly unsent: readonly Statement[] }> {
  let unsent = [...opening]
  let step = sql.next()
  while (!step.done) {
    const { later, asked } = sorted(step.value, within)
    unsent.push(...later)
    if (asked.length === 0) {
      step = sql.next([])
      continue
    }
    const statements = [...unsent, ...asked]
    unsent = []
    let rows: readonly Row[] = []
    try {
      rows = (await send(statements)).at(-1) ?? []
    } catch (error) {
      step = sql.throw(error)
      continue
    }
    step = sql.next(rows)
  }
  return { value: step.value, unsent }
}

function sorted(step: Step, within: Within): { readonly later: Statement[]; readonly asked: Statement[] } {
  const written = (query: Query) => statementOf(query, within.schema, within.keeps)
  if ('locks' in step) return { later: step.locks.map(one => lockOf(one, within)), asked: [] }
  if ('later' in step) return { later: step.later.map(written), asked: [] }
  // each answer is awaited, and that is turn enough
  if ('turn' in step) return { later: [], asked: [] }
  return { later: [], asked: 'text' in step ? [written(step)] : step.map(written) }
}

/** Locks last until the transaction ends, however it ends: then nothing of it can follow any more. */
function lockOf(wanted: Lockable, { schema, keeps }: Within): Statement {
  if (wanted.kind !== 'task')
    return {
      text: 'select pg_advisory_xact_lock($1::bigint)',
      values: [lockKey(schema, wanted.kind, wanted.name)],
      isKept: keeps,
    }
  const { task_id, operation_id, as } = wanted
  // The row itself: whoever changes a task, in whatever language, waits for this commit.
  return statementOf(
    {
      text: `select 1 as one
from ledger_task
where task_id = coalesce((select task_id from ledger_operation where operation_id = $1), $2)
for ${as}`,
      params: [operation_id, task_id],
    },
    schema,
    keeps,
  )
}

/** The key of an advisory lock, which all ledgers of a database share: docs/schema.md says it for other languages. */
export function lockKey(schema: string, kind: string, name: string): string {
  return String(hash('sha256', JSON.stringify([schema, kind, name]), 'buffer').readBigInt64BE(0))
}

/** Sends over a connection, which is given up where nothing comes back for `limitMs`; null = no limit. */
export function sender(session: Session, limitMs: number | null): Send {
  return async statements => {
    // A server that is gone without a word leaves the connection open; ended, it fails what waits on it.
    const timer =
      limitMs === null
        ? undefined
        : setTimeout(() => void session.client.end().catch(() => undefined), limitMs)
    try {
      return await batch(session.client, statements)
    } finally {
      clearTimeout(timer)
    }
  }
}

/** A statement without parameters. */
export function plain(text: string, isKept = false): Statement {
  return { text, values: [], isKept }
}
