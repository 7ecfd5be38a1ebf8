import { awaitsApproval } from '../../core/approval.js'
import type { Attempt } from '../../core/attempt.js'
import { leftToPerson } from '../../core/last-look.js'
import { isSettled, type OperationOutline } from '../../core/operation.js'
import type { Task } from '../../core/task.js'
import { number, text } from '../cells.js'
import { ATTEMPTS, outlineList, TASKS } from '../columns.js'
import { query, type Row, type Sql } from '../engine.js'
import { attemptOf, claimOf, evidenceOf, outlineOf, taskOf } from '../rows.js'
import type { Beside, Claim } from '../store.js'
import { permits } from './approvals.js'
import { undoneBy } from './compensations.js'
import { dependsOnTarget, isTargetTouched } from './context.js'
import { externalIdsOf } from './external-ids.js'

/** What stands beside the rows of a list. A kind of which no row can have any is not asked for. */
export function* beside(operations: readonly OperationOutline[], now: number): Sql<Beside> {
  const open = operations.filter(({ status }) => !isSettled(status))
  const sent = open.filter(({ status, attempt }) => status === 'in_flight' || attempt > 1)
  return {
    attempts: yield* attemptsOf(idsOf(sent)),
    external_ids: yield* externalIdsOf(idsOf(operations)),
    claims: yield* claimsOn(idsOf(operations), now),
    tasks: yield* tasksOf([...new Set(open.map(({ task_id }) => task_id))]),
    twins: yield* twinsOf(operations.flatMap(({ same_as }) => same_as ?? [])),
    target_touched: yield* touched(open),
    approved: yield* approvedOf(
      open.filter(one => awaitsApproval(one, false)),
      now,
    ),
    of_earlier: yield* ofEarlier(open.filter(({ status }) => status === 'prepared')),
    left_to_person: yield* leftToPeople(open.filter(mayHaveBeenAskedAbout)),
    undone_by: yield* undoneBy(idsOf(operations.filter(({ status }) => status === 'confirmed'))),
  }
}

function idsOf(operations: readonly OperationOutline[]): string[] {
  return operations.map(({ operation_id }) => operation_id)
}

function* attemptsOf(ids: readonly string[]): Sql<ReadonlyMap<string, readonly Attempt[]>> {
  const rows = yield* rowsOf(
    `select ${ATTEMPTS.list}
     from ledger_attempt
     where operation_id in (select value from json_each($1))
     order by operation_id, n`,
    ids,
  )
  const found = new Map<string, Attempt[]>()
  for (const row of rows) {
    const attempt = attemptOf(row)
    const attempts = found.get(attempt.operation_id)
    if (attempts === undefined) found.set(attempt.operation_id, [attempt])
    else attempts.push(attempt)
  }
  return found
}

function* claimsOn(ids: readonly string[], now: number): Sql<ReadonlyMap<string, Claim>> {
  // Claims are few: they are read whole and then looked up, whatever the length of the list.
  const rows = yield* query(
    `select subject, subject_id, actor, at, until
     from ledger_claim
     where subject = 'operation' and until > $1
     order by subject_id`,
    [now],
  )
  const wanted = new Set(rows.length === 0 ? [] : ids)
  return new Map(
    rows.map(row => [text(row, 'subject_id'), claimOf(row)] as const).filter(([id]) => wanted.has(id)),
  )
}

function* tasksOf(ids: readonly string[]): Sql<ReadonlyMap<string, Task>> {
  const rows = yield* rowsOf(
    `select ${TASKS.list}
     from ledger_task
     where task_id in (select value from json_each($1))
     order by task_id`,
    ids,
  )
  return new Map(rows.map(row => [text(row, 'task_id'), taskOf(row)]))
}

function* twinsOf(ids: readonly string[]): Sql<ReadonlyMap<string, OperationOutline>> {
  const rows = yield* rowsOf(
    `select ${outlineList('o')}
     from ledger_operation as o
     where operation_id in (select value from json_each($1))
     order by operation_id`,
    ids,
  )
  return new Map(rows.map(row => [text(row, 'operation_id'), outlineOf(row)]))
}

function* touched(open: readonly OperationOutline[]): Sql<ReadonlyMap<string, boolean | null>> {
  const found = new Map<string, boolean | null>()
  for (const operation of open.filter(dependsOnTarget)) {
    found.set(operation.operation_id, yield* isTargetTouched(operation))
  }
  return found
}

function* approvedOf(awaiting: readonly OperationOutline[], now: number): Sql<ReadonlyMap<string, number>> {
  if (awaiting.length === 0) return new Map()
  const rows = yield* query(
    `select operation_id, granted_at
     from ledger_approval
     where operation_id in (select value from json_each($1)) and ${permits('ledger_approval', '$2')}
     order by granted_at`,
    [JSON.stringify(idsOf(awaiting)), now],
  )
  return new Map(rows.map(row => [text(row, 'operation_id'), number(row, 'granted_at')]))
}

function* ofEarlier(prepared: readonly OperationOutline[]): Sql<ReadonlySet<string>> {
  const rows = yield* rowsOf(
    `select operation_id
     from ledger_operation
     where operation_id in (select value from json_each($1))
       and incarnation < (select incarnation from ledger_meta where one = 1)
     order by operation_id`,
    idsOf(prepared),
  )
  return new Set(rows.map(row => text(row, 'operation_id')))
}

function mayHaveBeenAskedAbout({ status, may_have_applied, evidence_count }: OperationOutline): boolean {
  return evidence_count > 0 && (status !== 'prepared' || may_have_applied)
}

function* leftToPeople(asked: readonly OperationOutline[]): Sql<ReadonlyMap<string, string>> {
  const rows = yield* rowsOf(
    `select operation_id, n, kind, origin, attempt, body, at, actor, hash
     from ledger_evidence as e
     where operation_id in (select value from json_each($1))
       and kind = 'probe'
       and origin = 'looked_up'
       and not exists (
         select 1
         from ledger_evidence as later
         where later.operation_id = e.operation_id
           and later.n > e.n
           and later.kind = 'probe'
           and later.origin = 'looked_up'
       )
     order by operation_id`,
    idsOf(asked),
  )
  const looks = new Map(rows.map(row => [text(row, 'operation_id'), evidenceOf(row)]))
  const found = new Map<string, string>()
  for (const operation of asked) {
    const look = looks.get(operation.operation_id)
    const reason = look === undefined ? null : leftToPerson([look], operation)
    if (reason !== null) found.set(operation.operation_id, reason)
  }
  return found
}

function* rowsOf(sql: string, ids: readonly string[]): Sql<readonly Row[]> {
  return ids.length === 0 ? [] : yield* query(sql, [JSON.stringify(ids)])
}
