import { isoOrNull } from '../core/documents/parts.js'
import type { RecordReply } from '../core/documents/record.js'
import type { RecordInput } from '../core/documents/record-input-schema.js'
import { LedgerError } from '../core/errors.js'
import type { JsonValue } from '../core/json.js'
import type { Task } from '../core/task.js'
import { checkEvidence, toldOf } from '../execute/activity.js'
import { refusedBy } from '../execute/refused.js'
import type { Held } from '../execute/tell.js'
import type { Signal } from '../store/store.js'
import { recordDrain } from './drains.js'
import { noteOf } from './handoff.js'
import type { Recorder } from './recorder.js'
import { signal } from './sending.js'
import { byOf } from './session.js'
import { unknownOperation, unknownTask } from './unknown-id.js'

/** Opens a task, or says more of it and how it stands. */
export async function recordTask(recorder: Recorder, given: RecordInput['task']): Promise<RecordReply> {
  const { status, reason, epoch, ...about } = given
  await refuseOtherEpoch(recorder, about.task_id, epoch)
  const opened = await changeTask(recorder, about.task_id, {
    type: 'open',
    task: about,
    ...(status === undefined || reason !== undefined ? {} : { status }),
  })
  const task =
    status === undefined || reason === undefined
      ? opened
      : await changeTask(recorder, about.task_id, { type: 'set_status', status, reason })
  return { ok: true, task_id: task.task_id, status: task.status, version: task.version, epoch: task.epoch }
}

async function changeTask(
  { session }: Recorder,
  task_id: string,
  request: Parameters<typeof session.store.changeTask>[0]['request'],
): Promise<Task> {
  const { store, isOwnerGone } = session
  const { task, refusal } = await store.changeTask({ task_id, request, by: byOf(session), isOwnerGone })
  if (refusal !== null) throw refusedBy(refusal, task_id)
  if (task === null) throw new LedgerError('not_found', `there is no task ${task_id}`, { id: task_id })
  return task
}

async function refuseOtherEpoch({ session }: Recorder, id: string, epoch: number | undefined): Promise<void> {
  if (epoch === undefined) return
  const task = await session.store.task(id)
  if (task === null || task.epoch === epoch) return
  throw new LedgerError(
    'conflict',
    `task ${id} is at epoch ${task.epoch}, the caller claimed epoch ${epoch}`,
    {
      id,
      rule: 'epoch_as_claimed',
      hint: 'It was fenced off by a takeover: end this executor, and start a new one that opens the task again.',
    },
  )
}

type Beat = RecordInput['heartbeat'] & Pick<Signal, 'action' | 'progress'>

/** A sign of life: of a sending, by its attempt and fence, or of a task. */
export async function recordSignal(
  recorder: Recorder,
  kind: Signal['kind'],
  given: Beat,
): Promise<RecordReply> {
  const { operation_id, task_id, attempt, fence } = given
  return operation_id === undefined || attempt === undefined || fence === undefined
    ? signalTask(recorder, kind, { ...given, task_id: task_id ?? '' })
    : signalOperation(recorder, kind, { ...given, operation_id, attempt, fence })
}

async function signalTask(
  { session }: Recorder,
  kind: Signal['kind'],
  { task_id, progress, action }: Beat & { readonly task_id: string },
): Promise<RecordReply> {
  const { store, clock } = session
  const told = { ...evidenceOf(progress), ...(action === undefined ? {} : { action }) }
  const answer = await store.signal({ kind, subject: { task_id }, ...told, clock })
  if (answer.held) return { ok: true, task_id, cancel_requested: answer.cancel_requested }
  throw (await store.task(task_id)) === null
    ? await unknownTask(store, task_id)
    : notHeld(task_id, answer.reason)
}

async function signalOperation(
  { session, executor }: Recorder,
  kind: Signal['kind'],
  { operation_id, attempt, fence, progress, action, lease_ms }: Beat & Held,
): Promise<RecordReply> {
  const { store, config } = session
  const record = await store.operation(operation_id)
  if (record === null) throw await unknownOperation(store, operation_id)
  // A writer that takes no leases gets none by a heartbeat.
  const renews =
    kind === 'heartbeat' && (lease_ms !== undefined || record.operation.lease_expires_at !== null)
  const told = {
    kind,
    ...evidenceOf(progress),
    ...(action === undefined ? {} : { action }),
    ...(renews ? { lease_ms: lease_ms ?? config.lease_ms } : {}),
  }
  const answer = await signal(executor, { operation_id, attempt, fence }, told)
  if (!answer.held) throw notHeld(operation_id, answer.reason)
  return {
    ok: true,
    operation_id,
    status: 'in_flight',
    lease_expires_at: isoOrNull(answer.lease_expires_at),
    cancel_requested: answer.cancel_requested,
  }
}

function evidenceOf(progress: JsonValue | undefined) {
  return progress === undefined ? {} : { progress: checkEvidence(progress) }
}

/** What it did, where that was told. */
export async function recordActivity(
  recorder: Recorder,
  given: RecordInput['activity'],
): Promise<RecordReply> {
  const { operation_id, task_id, attempt, fence, wait_until, ...about } = given
  const subject = {
    ...(operation_id === undefined ? {} : { operation_id }),
    ...(task_id === undefined ? {} : { task_id }),
    ...(attempt === undefined ? {} : { attempt }),
    ...(fence === undefined ? {} : { fence }),
  }
  const told = { ...about, ...(wait_until === undefined ? {} : { waitUntil: wait_until }) }
  return recordSignal(recorder, 'activity', { ...subject, ...toldOf(recorder.executor, told) })
}

function notHeld(id: string, reason: string): LedgerError {
  return new LedgerError('conflict', reason, {
    id,
    rule: 'attempt_is_live',
    hint: 'Stop sending: somebody else decides about it now. What you know of its end is still taken as evidence.',
  })
}

/** A handoff note. */
export async function recordNote({ session }: Recorder, given: RecordInput['note']): Promise<RecordReply> {
  const { store, mask } = session
  const { task_id, operation_id, kind, body, ...told } = given
  if (operation_id !== undefined && (await store.operation(operation_id)) === null)
    throw await unknownOperation(store, operation_id)
  const isTold = kind !== undefined && body !== undefined && Object.keys(told).length === 0
  const said = isTold
    ? { kind, body }
    : noteOf({ ...told, ...(kind === undefined ? {} : { kind }), ...(body === undefined ? {} : { body }) })
  const about = { task_id, ...(operation_id === undefined ? {} : { operation_id }) }
  const note = await store.addNote({ ...about, kind: said.kind, body: mask.value(said.body) }, byOf(session))
  return { ok: true, task_id: note.task_id, note_id: String(note.note_id) }
}

/** A framework's run was told to stop: its checkpoint will not show it. */
export async function recordDrained(
  { session }: Recorder,
  given: RecordInput['drain'],
): Promise<RecordReply> {
  const { store } = session
  const { task_id, reason } = given
  if ((await store.task(task_id)) === null) throw await unknownTask(store, task_id)
  await recordDrain(session, task_id, reason)
  return { ok: true, task_id }
}
