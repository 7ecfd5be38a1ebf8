import { type Timeline, timelineRow } from '../../core/documents/timeline.js'
import { LedgerError } from '../../core/errors.js'
import { isSettled, type Operation } from '../../core/operation.js'
import type { LookingSession } from './session.js'
import { lookNow } from './view.js'

/** More rows than a person looks through. */
const MOST = 60

/**
 * Attempts, leases, signs and evidence of a task's operations: what is open before what is settled, where there are
 * too many. @throws LedgerError not_found
 */
export async function timeline(session: LookingSession, taskId: string): Promise<Timeline> {
  const { store } = session
  const sight = await lookNow(session)
  const record = await store.taskRecord(taskId)
  if (record === null) throw new LedgerError('not_found', `there is no task ${taskId}`, { id: taskId })
  const shown = [...record.operations].sort(openFirst).slice(0, MOST).sort(byCreation)
  const rows = []
  for (const { operation_id } of shown) {
    const whole = await store.operation(operation_id)
    if (whole !== null) rows.push(timelineRow(whole, sight))
  }
  return { rows, left_out: record.operations.length - rows.length }
}

function openFirst(a: Operation, b: Operation): number {
  return Number(isSettled(a.status)) - Number(isSettled(b.status)) || byCreation(b, a)
}

function byCreation(a: Operation, b: Operation): number {
  return a.created_at - b.created_at
}
