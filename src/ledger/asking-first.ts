import { fieldOf } from '../core/field.js'
import type { Executor } from '../execute/executor.js'
import type { OperationRecord } from '../store/store.js'
import type { Session } from './session.js'

/**
 * Before what is in doubt is sent again, the service is asked whether it happened: a task of it that still works must
 * not get a twin, and what is found there needs no repeat. Where the answer says nothing, the contract of the tool
 * decides as before.
 */
export function askingFirst(session: Session): NonNullable<Executor['askFirst']> {
  return async ({ operation_id, tool }) => {
    const { config, store } = session
    // A tool that declares no probe, which is most of them, costs nothing here.
    if (!Object.hasOwn(config.tools, tool) || config.tools[tool]?.probe === undefined) return 'go'
    const record = await store.operation(operation_id)
    if (record === null || record.operation.attempt === 0) return 'go'
    const { status, may_have_applied } = record.operation
    if (status !== 'unknown' && status !== 'in_flight' && !(status === 'prepared' && may_have_applied))
      return 'go'
    if (isAtWork(record, session.clock().at)) return 'hold'
    const { reconcileOne } = await import('./reconcile/one.js')
    const asked = await reconcileOne(session, operation_id, {
      early: false,
      dryRun: false,
      signal: new AbortController().signal,
    })
    return asked?.waits_for === 'service' ? 'hold' : 'go'
  }
}

/** The last look found the service at work, and the time of the next one has not come. */
function isAtWork({ operation, evidence }: OperationRecord, now: number): boolean {
  if (operation.next_look_at === null || operation.next_look_at <= now) return false
  const last = evidence.findLast(({ kind }) => kind === 'probe')
  return fieldOf(fieldOf(last?.body, 'verdict'), 'waits_for') === 'service'
}
