import { number, text } from '../cells.js'
import { query, type Sql } from '../engine.js'
import type { DueOperation, DueQuery } from '../store.js'
import { isOrphaned } from './list-branches.js'
import { Params } from './params.js'

/**
 * What a dispatcher looks at, a page at a time. Each branch reads one index of what is open and stops at the limit;
 * the outbox itself is the first: rows without a time of their own, in the order of the index.
 */
export function* due(asked: DueQuery): Sql<DueOperation[]> {
  const params = new Params()
  const after = `seq > ${params.add(asked.afterSeq)}`
  const now = params.add(asked.now.at)
  const limit = params.add(asked.limit)
  const branches = [
    branch('operation_due', ["status = 'prepared'", 'next_attempt_at is null']),
    branch('operation_due', ["status = 'prepared'", `next_attempt_at <= ${now}`]),
    branch('operation_unknown', ["status = 'unknown'", 'repeat is not null', 'cancel_requested_at is null']),
    branch('operation_in_flight', ["status = 'in_flight'", isOrphaned(asked, params)]),
  ]
  const rows = yield* query(
    `select found.seq, found.operation_id, found.task_id, found.tool
     from (${branches.join('\nunion all\n')}) as found
     order by found.seq
     limit ${limit}`,
    params.values,
  )
  return rows.map(row => ({
    seq: number(row, 'seq'),
    operation_id: text(row, 'operation_id'),
    task_id: text(row, 'task_id'),
    tool: text(row, 'tool'),
  }))

  function branch(index: string, where: readonly string[]): string {
    return `select * from (
      select seq, operation_id, task_id, tool
      from ledger_operation indexed by ${index}
      where ${[...where, after, TASK_RUNS].join('\n        and ')}
      order by seq
      limit ${limit}
    ) as branch`
  }
}

/** What cleans up after a cancelled task is sent as well. */
const TASK_RUNS = `exists (
          select 1
          from ledger_task
          where ledger_task.task_id = ledger_operation.task_id
            and taken_over_by is null
            and ledger_task.status in ('running', 'cancel_requested', 'cancelled')
        )`
