import { isAttemptInDoubt } from '../../../src/core/attempt.js'
import type { LoggedEvent, OperationRecord } from '../../../src/store/store.js'
import { KINDS } from './outside.js'
import type { Scene } from './play.js'

/** The records of all operations, before an action and after it. */
export type Records = ReadonlyMap<string, OperationRecord>

export async function recordsOf({ machine }: Scene): Promise<Map<string, OperationRecord>> {
  const records = new Map<string, OperationRecord>()
  for (const { id } of KINDS) {
    const record = await machine.store().operation(id)
    if (record !== null) records.set(id, record)
  }
  return records
}

/** Every invariant of the model that does not hold now, in words. Numbers are those of docs/states.md. */
export async function brokenLaws(scene: Scene, before: Records, now: Records): Promise<string[]> {
  const store = scene.machine.store()
  const broken: string[] = []
  for (const { id } of KINDS) {
    const record = now.get(id)
    if (record === undefined) {
      if (scene.outside.effects(id).length > 0) broken.push(`${id}: 1: it happened and is not on record`)
      continue
    }
    const events = await store.events({ about: { operation_id: id }, limit: 1_000 })
    const own = events.filter(({ subject }) => subject === 'operation')
    for (const law of [
      ...lawsOf(record, scene),
      ...historyLaws(record, own),
      ...sendLaws(record, before.get(id)),
    ])
      broken.push(`${id}: ${law}`)
  }
  for (const finding of (await store.verify()).findings) broken.push(`7: verify: ${JSON.stringify(finding)}`)
  return broken
}

function lawsOf({ operation, attempts, evidence }: OperationRecord, { outside, accepted }: Scene): string[] {
  const { operation_id: id, status, flags } = operation
  const effects = outside.effects(id)
  const doubted = attempts.filter(isAttemptInDoubt)
  const open = attempts.filter(({ end }) => end === null)
  const isSettledYesOrNo = status === 'confirmed' || status === 'not_executed'
  return said({
    '1: an effect of an attempt that was never announced': effects.some(
      ({ attempt }) => !attempts.some(({ n }) => n === attempt),
    ),
    '2: settled without evidence': isSettledYesOrNo && evidence.length === 0,
    '2: confirmed, and it did not happen': status === 'confirmed' && effects.length === 0,
    '4: not executed, and it happened':
      status === 'not_executed' && flags.early !== true && effects.length > 0,
    '4: not executed, and an attempt is in doubt':
      status === 'not_executed' && flags.early !== true && doubted.length > 0,
    '4: cancelled, and something was sent': status === 'cancelled' && attempts.length > 0,
    '6: two attempts are live': open.length > 1,
    '6: a live attempt of an operation that is not in flight': open.length > 0 && status !== 'in_flight',
    '6: in flight, and held by another': status === 'in_flight' && open[0]?.owner !== operation.lease_owner,
    'done again, and nobody accepted it': effects.length > 1 + (accepted.get(id) ?? 0),
  })
}

function historyLaws({ operation }: OperationRecord, events: readonly LoggedEvent[]): string[] {
  const to = (event: LoggedEvent): unknown => Reflect.get(Object(event.body), 'to')
  return said({
    '3: an orphan that did not become unknown': events.some(
      event => event.type === 'orphan' && to(event) !== 'unknown',
    ),
    '7: the version is not the number of events': operation.version !== events.length,
    '7: the last event says another status': to(events.at(-1) ?? NO_EVENT) !== operation.status,
  })
}

const NO_EVENT = { body: null } as LoggedEvent

/** What must have been so, in the ledger and by its clock, for the sending that came since. */
function sendLaws({ operation, attempts }: OperationRecord, before: OperationRecord | undefined): string[] {
  if (before === undefined || attempts.length <= before.attempts.length) return []
  const was = before.operation
  return said({
    '9: sent after a cancel': was.cancel_requested_at !== null && operation.cancel_requested_at !== null,
    '9: sent while a person holds the task': before.task.taken_over_by !== null,
    '9: sent for a task that does not run': before.task.status !== 'running',
    'sent from a status that nothing is sent from': was.status === 'confirmed' || was.status === 'abandoned',
    'sent again after a person opened it again': was.status === 'unknown' && was.flags.reopened === true,
  })
}

function said(laws: Readonly<Record<string, boolean>>): string[] {
  return Object.entries(laws).flatMap(([law, isBroken]) => (isBroken ? [law] : []))
}
