import type { JudgedApproval } from '../../core/approval-digest.js'
import type { ReportDocument, ReportedCheckpoint } from '../../core/documents/report.js'
import type { OperationView } from '../../core/documents/sight.js'
import { isLedgerError, LedgerError } from '../../core/errors.js'
import type { JudgedPhase } from '../../core/phase.js'
import { createRedactor } from '../../core/redact/redact.js'
import type { Task } from '../../core/task.js'
import type { ChildView } from '../../report/takeover/input.js'
import { takeoverReport } from '../../report/takeover.js'
import type { StoreReader, TaskRecord } from '../../store/store.js'
import { type Drain, lastDrain } from '../drains.js'
import { judgedApprovals } from '../judged-approvals.js'
import { judgedPhases } from '../judged-phases.js'
import { checkpointPath, joinedTo } from './checkpoint-join.js'
import { findTask } from './find-id.js'
import type { LookingSession } from './session.js'
import { recentOf } from './stalled-tasks.js'
import { type Look, lookNow, viewsOf } from './view.js'

export interface ReportOptions {
  /** of phases: look at paths outside the workspace too */
  readonly follow?: boolean
}

export interface Reported {
  readonly document: ReportDocument
  /** something to tell about the id itself, or why this task was chosen */
  readonly note: string | null
}

/**
 * The takeover report of a task; without a name, of the task that needs a person most.
 * @throws LedgerError not_found, with ids near it
 */
export async function report(
  session: LookingSession,
  taskId?: string,
  { follow = false }: ReportOptions = {},
): Promise<Reported> {
  const { store } = session
  const look = await lookNow(session)
  const { found: task, note } =
    taskId === undefined ? await neediest(store, look) : await findTask(store, taskId)
  const document = await reportOf(session, task.task_id, { look, follow })
  return { document, note: withArchived(note, await store.archivedOf(task.task_id)) }
}

/** What is not in the report must be said, or a task whose operations were archived looks as if it had done nothing. */
function withArchived(note: string | null, archived: number): string | null {
  if (archived === 0) return note
  const said = `${archived} operations of this task were archived and are not in this report: agent-ledger log --type prune names the files`
  return note === null ? said : `${note}; ${said}`
}

/** In doubt first, the oldest doubt before younger ones, then the newest task that is open. */
async function neediest(store: StoreReader, look: Look): Promise<{ found: Task; note: string }> {
  const query = { now: look.look.now, goneOwners: look.goneOwners, limit: 1 }
  for (const scope of ['open', 'all'] as const) {
    const [first] = (await store.tasks({ ...query, scope })).tasks
    if (first === undefined) continue
    const { task, in_doubt } = first
    const why =
      in_doubt > 0
        ? `${in_doubt} in doubt, the oldest doubt there is`
        : scope === 'open'
          ? 'the newest that is open'
          : 'the newest'
    return { found: task, note: `no task was named: this is ${task.task_id} (${why})` }
  }
  throw new LedgerError('not_found', 'there is no task in this ledger', {
    hint: 'A task is there once an agent has opened one or prepared an operation.',
  })
}

async function reportOf(
  session: LookingSession,
  taskId: string,
  { look, follow }: { readonly look: Look; readonly follow: boolean },
): Promise<ReportDocument> {
  const { store } = session
  const record = await store.taskRecord(taskId)
  if (record === null) throw new LedgerError('not_found', `there is no task ${taskId}`, { id: taskId })
  const { task, operations, claims } = record
  const { at } = look.look.now
  const claim = claims.find(one => 'task_id' in one.subject && one.until > at)
  const phases = await judgedPhases(task, record.phases, { follow })
  const { checkpoint, warnings } = await checkpointOf(record, {
    ...look,
    phases,
    drain: await lastDrain(store, taskId),
  })
  return takeoverReport({
    sight: look,
    task,
    recent: (await recentOf(store, [task], look)).get(taskId) ?? null,
    views: withAttempts(await viewsOf(store, operations, at), record),
    approvals: await approvalsOf(session, record),
    notes: record.notes,
    phases,
    claimed_by: claim?.actor ?? null,
    children: await belowOf(store, record, look),
    checkpoint,
    warnings,
  })
}

async function approvalsOf(
  { store, config }: LookingSession,
  { operations, approvals }: TaskRecord,
): Promise<JudgedApproval[]> {
  const maskValue = createRedactor(config.redact).value
  const judged: JudgedApproval[] = []
  for (const operation of operations) {
    const own = approvals.filter(({ operation_id }) => operation_id === operation.operation_id)
    judged.push(...(await judgedApprovals({ store, maskValue }, operation, own)))
  }
  return judged
}

/** A report tells of every attempt, those of settled operations too. */
function withAttempts(views: readonly OperationView[], { attempts }: TaskRecord): OperationView[] {
  return views.map(view => ({
    ...view,
    attempts: attempts.get(view.operation.operation_id) ?? view.attempts,
  }))
}

/** Open operations of a child that are read; their number is told whole. */
const READ_OF_CHILD = 200
/** Tasks below a task, whatever their depth. A ledger in which they go round is no reason not to end. */
const MOST_CHILDREN = 500

async function belowOf(
  store: StoreReader,
  { task: top, children }: TaskRecord,
  look: Look,
): Promise<ChildView[]> {
  const known = new Set([top.task_id])
  const found: ChildView[] = []
  const queue = [...children]
  for (let task = queue.shift(); task !== undefined && found.length < MOST_CHILDREN; task = queue.shift()) {
    const { task_id } = task
    if (known.has(task_id)) continue
    known.add(task_id)
    const page = await store.operations({
      scope: 'open',
      task_id,
      sort: 'risk',
      limit: READ_OF_CHILD,
      now: look.look.now,
      goneOwners: look.goneOwners,
    })
    found.push({ task, open: page.operations, open_left_out: page.left_out })
    queue.push(...(await store.children(task_id)))
  }
  return found
}

interface CheckpointRead {
  readonly checkpoint: ReportedCheckpoint | null
  readonly warnings: readonly { readonly code: string; readonly message: string }[]
}

/** The thread the task points to. What cannot be read is said in the report and never keeps it from being made. */
async function checkpointOf(
  { task, operations }: TaskRecord,
  { look, phases, drain }: Look & { readonly phases: readonly JudgedPhase[]; readonly drain: Drain | null },
): Promise<CheckpointRead> {
  if (task.thread === null) return { checkpoint: null, warnings: [] }
  const { source, thread_id } = task.thread
  const uri = checkpointPath(task)
  try {
    const { readCheckpointFully } = await import('../../sources/index.js')
    const { document, taskIds } = await readCheckpointFully(uri, { source, threadId: thread_id })
    const thread = document.threads.find(one => one.thread_id === thread_id)
    if (thread === undefined) return unread('thread_missing', `${uri} has no thread ${thread_id}`)
    const { language, saver } = document
    const joined = joinedTo(thread, {
      ...{ tasks: [task], operations, phases, drain, look },
      taskIds: taskIds.get(thread_id),
    })
    return { checkpoint: { source: document.source, language, saver, uri, thread: joined }, warnings: [] }
  } catch (error) {
    if (!isLedgerError(error)) throw error
    return unread('checkpoint_unreadable', `the checkpoint of this task was not read: ${error.message}`)
  }
}

function unread(code: string, message: string): CheckpointRead {
  return { checkpoint: null, warnings: [{ code, message }] }
}
