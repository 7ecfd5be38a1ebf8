import type { Attempt } from '../../core/attempt.js'
import type { Operation } from '../../core/operation.js'
import { text } from '../cells.js'
import { ATTEMPTS, OPERATIONS } from '../columns.js'
import { query, type Sql } from '../engine.js'
import { approvalOf, attemptOf, operationOf } from '../rows.js'
import type { OperationRecord, TaskRecord } from '../store.js'
import { approvalsOfOperation } from './approvals.js'
import { claimsOf, claimsOfTask } from './claims.js'
import { compensationsOf } from './compensations.js'
import { isTargetTouched } from './context.js'
import { evidenceOfOperation } from './evidence.js'
import { externalIdsOf, externalIdsOfOperation } from './external-ids.js'
import { notesOfOperation, notesOfTask } from './notes.js'
import { readStored } from './operations.js'
import { phasesOfTask } from './phases.js'
import { childrenOf } from './task-list.js'
import { readTask } from './tasks.js'

/** One operation with everything that belongs to it. */
export function* operationRecord(operation_id: string): Sql<OperationRecord | null> {
  const stored = yield* readStored(operation_id)
  if (stored === null) return null
  const { operation, attempts } = stored
  const task = yield* readTask(operation.task_id)
  if (task === null) throw new Error(`task ${operation.task_id} of ${operation_id} is not there`)
  const [claim] = yield* claimsOf([{ operation_id }], 0)
  return {
    operation,
    task,
    attempts,
    evidence: yield* evidenceOfOperation(operation_id),
    external_ids: yield* externalIdsOfOperation(operation_id),
    approvals: yield* approvalsOfOperation(operation_id),
    notes: yield* notesOfOperation(operation_id),
    claim: claim ?? null,
    target_touched: yield* isTargetTouched(operation),
    undone_by: yield* compensationsOf(operation_id),
  }
}

/** One task with all that a report needs: a fixed number of queries, however many operations it has. */
export function* taskRecord(task_id: string): Sql<TaskRecord | null> {
  const task = yield* readTask(task_id)
  if (task === null) return null
  const operations = yield* operationsOfTask(task_id)
  const ids = operations.map(({ operation_id }) => operation_id)
  return {
    task,
    operations,
    attempts: yield* attemptsOfTask(task_id),
    external_ids: yield* externalIdsOf(ids),
    approvals: yield* approvalsOfTask(task_id),
    notes: yield* notesOfTask(task_id),
    phases: yield* phasesOfTask(task_id),
    children: yield* childrenOf(task_id),
    claims: yield* claimsOfTask(task_id),
  }
}

function* operationsOfTask(task_id: string): Sql<Operation[]> {
  const rows = yield* query(
    `select ${OPERATIONS.list}
     from ledger_operation indexed by operation_of_task
     where task_id = $1
     order by seq`,
    [task_id],
  )
  return rows.map(operationOf)
}

function* attemptsOfTask(task_id: string): Sql<ReadonlyMap<string, Attempt[]>> {
  const rows = yield* query(
    `select ${ATTEMPTS.list}
     from ledger_attempt
     where operation_id in (
       select operation_id from ledger_operation indexed by operation_of_task where task_id = $1
     )
     order by operation_id, n`,
    [task_id],
  )
  const found = new Map<string, Attempt[]>()
  for (const row of rows) {
    const id = text(row, 'operation_id')
    const attempts = found.get(id) ?? []
    attempts.push(attemptOf(row))
    found.set(id, attempts)
  }
  return found
}

function* approvalsOfTask(task_id: string) {
  const rows = yield* query(
    `select approval_id, operation_id, digest, approver, reason, granted_at, expires_at, uses, used, revoked_at
     from ledger_approval
     where operation_id in (
       select operation_id from ledger_operation indexed by operation_of_task where task_id = $1
     )
     order by granted_at, approval_id`,
    [task_id],
  )
  return rows.map(approvalOf)
}
