import { LedgerError } from '../core/errors.js'
import { isoTime } from '../core/iso-time.js'
import { checkId } from '../core/operation-id.js'
import { ledgerCommand } from '../core/shell-word.js'
import { type StillSending, stillSending } from '../core/still-sending.js'
import type { Task } from '../core/task.js'
import type { Refusal, State } from '../core/transitions/requests.js'
import { recordRefusal } from './decide.js'
import { storedText } from './decisions.js'
import { byOf, type Session } from './session.js'
import { unknownTask } from './unknown-id.js'

export type TaskDecisionType = 'takeover' | 'handback' | 'cancel'

/** A decision about a task that was carried out, with all it moved in the same commit. */
export interface TaskDecided {
  readonly decision: TaskDecisionType
  readonly task_id: string
  readonly before: Task
  readonly after: Task
  /** its operations that were moved, as they are now */
  readonly operations: readonly State[]
  readonly still_sending: readonly StillSending[]
  readonly undo: string | null
}

interface TaskAsk {
  readonly taskId: string
  readonly type: TaskDecisionType
  readonly reason: string
}

/**
 * Takes a task over, hands it back or cancels it, with its operations, in one commit. A refusal is recorded.
 * @throws LedgerError not_found, conflict (someone holds it), refused
 */
export async function decideOnTask(
  session: Session,
  { taskId, type, reason }: TaskAsk,
): Promise<TaskDecided> {
  const { store, isOwnerGone } = session
  const task_id = checkId(taskId, 'task id')
  const said = storedText(reason, 'reason', session.mask)
  const before = await store.task(task_id)
  if (before === null) throw await unknownTask(store, task_id)
  const by = byOf(session)
  const asked = { task_id, request: { type, reason: said }, by, isOwnerGone }
  const { task, operations, refusal } = await store.changeTask(asked)
  if (task === null) throw await unknownTask(store, task_id)
  if (refusal !== null) throw await refused(session, { task, type, reason: said, refusal })
  return {
    decision: type,
    task_id,
    before,
    after: task,
    operations,
    still_sending: operations.flatMap(({ attempts }) =>
      stillSending(attempts, { now: by.clock().at, isOwnerGone }),
    ),
    undo: UNDO[type](task_id),
  }
}

const UNDO: Readonly<Record<TaskDecisionType, (task_id: string) => string | null>> = {
  takeover: task_id => ledgerCommand('handback', ['--reason', '…'], task_id),
  handback: task_id => ledgerCommand('takeover', ['--reason', '…'], task_id),
  cancel: () => null,
}

async function refused(
  session: Session,
  ask: {
    readonly task: Task
    readonly type: TaskDecisionType
    readonly reason: string
    readonly refusal: Refusal
  },
): Promise<LedgerError> {
  const { task, type, reason, refusal } = ask
  const { rule, code, satisfy } = refusal
  const { task_id, taken_over_by, taken_over_at } = task
  const holder =
    taken_over_by === null ? {} : { held_by: taken_over_by, since: isoTime(taken_over_at ?? task.updated_at) }
  const unrecorded = await recordRefusal(
    session,
    { task_id },
    {
      decision: type,
      rule,
      why: refusal.reason,
      reason,
    },
  )
  const facts = { ...holder, status: task.status, ...unrecorded }
  return new LedgerError(code, refusal.reason, { id: task_id, rule, hint: satisfy, facts })
}
