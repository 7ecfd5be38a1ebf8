import type { OperationView, Sight } from '../../src/core/documents/sight.js'
import type { ExternalId, Intent } from '../../src/core/operation.js'
import type { Task } from '../../src/core/task.js'
import type { State } from '../../src/core/transitions/requests.js'
import type { TakeoverInput } from '../../src/report/takeover/input.js'
import { asked, aTask, following, moved, NOON, RECEIPT, SEEN, stampAt } from '../core/builders.js'

/** Operations of one task as they would stand in a ledger, without one. `at` counts in minutes from noon. */
export interface Told {
  readonly id: string
  readonly tool?: string
  readonly at?: number
  readonly becomes:
    | 'prepared'
    | 'in_flight'
    | 'confirmed'
    | 'not_executed'
    | 'unknown'
    | 'confirmed_by_hand'
    | 'cancelled'
    | 'abandoned'
  readonly by?: string
  readonly error?: string
  readonly ids?: readonly ExternalId[]
  readonly intent?: Partial<Intent>
}

export function viewOf(told: Told, task: Task): OperationView {
  // What it undoes is another record: the guard that asks for it is tested with the table.
  const { compensates = null, ...intent } = told.intent ?? {}
  const { operation: row, attempts } = stateOf({ ...told, intent })
  const operation = { ...row, compensates }
  const isDone = operation.status === 'confirmed'
  const external_ids = told.ids ?? (isDone ? [{ kind: 'ticket', value: `T-${told.id}` }] : [])
  return { operation, attempts, external_ids, task, twin: null, claim: null, target_touched: null }
}

function stateOf({
  id,
  tool = 'tickets.create',
  at = 0,
  becomes,
  by = 'lee',
  error = 'lost',
  intent,
}: Told): State {
  const when = (minute: number) => ({ now: stampAt(NOON + (at + minute) * 60_000), evidence: [RECEIPT] })
  const failed = { error: { rule: 'http_error', message: error, at: when(1).now.at, attempt: 1 } }
  const prepared = following(
    [asked.prepare({ operation_id: id, tool, idempotency_key: `key-of-${id}`, ...intent })],
    when(0),
  )
  if (becomes === 'prepared') return prepared
  if (becomes === 'cancelled')
    return moved(prepared, { type: 'cancel', reason: 'not wanted', expected_version: null }, when(1))
  const sent = moved(prepared, asked.send(), when(0))
  if (becomes === 'in_flight') return sent
  if (becomes === 'confirmed') return moved(sent, asked.confirm(), when(1))
  if (becomes === 'not_executed') return moved(sent, asked.reject(failed), when(1))
  const lost = moved(sent, asked.lose(failed), when(1))
  if (becomes === 'unknown') return lost
  const decision = { reason: 'seen in the console', expected_version: null }
  const decided = { ...when(2), actor: by, evidence: [SEEN] }
  if (becomes === 'abandoned') return moved(lost, { type: 'abandon', ...decision }, decided)
  const outcome = { external_ids: [], result: null, result_digest: null }
  return moved(lost, { type: 'resolve_confirmed', ...decision, ...outcome }, decided)
}

export function sightAt(at: number, over: Partial<Sight['look']> = {}): Sight {
  return { look: { now: stampAt(at), isOwnerGone: () => false, ...over }, stall: {}, lastEventAt: null }
}

interface Given extends Partial<Omit<TakeoverInput, 'task' | 'views'>> {
  readonly task?: Partial<Task>
  readonly told: readonly Told[]
}

/** What a report is made of; seen an hour after noon unless said otherwise. */
export function record({ task: over = {}, told, ...rest }: Given): TakeoverInput {
  const task = aTask(over)
  return {
    sight: sightAt(NOON + 3_600_000),
    task,
    recent: null,
    phases: [],
    views: told.map(one => viewOf(one, task)),
    approvals: [],
    notes: [],
    claimed_by: null,
    children: [],
    checkpoint: null,
    warnings: [],
    ...rest,
  }
}
