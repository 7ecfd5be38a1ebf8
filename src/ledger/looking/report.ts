import { isAbsolute, join } from 'node:path'
import type { ReportDocument, ReportedCheckpoint } from '../../core/documents/report.js'
import type { OperationView } from '../../core/documents/sight.js'
import { isLedgerError, LedgerError } from '../../core/errors.js'
import { isInDoubt } from '../../core/in-doubt.js'
import { withReplayRisk } from '../../core/replay-risk.js'
import type { Task } from '../../core/task.js'
import type { ChildView } from '../../report/takeover/input.js'
import { takeoverReport } from '../../report/takeover.js'
import type { Store, TaskRecord } from '../../store/store.js'
import { findTask } from './find-id.js'
import type { LookingSession } from './session.js'
import { type Look, lookNow, viewsOf } from './view.js'

export interface Reported {
  readonly document: ReportDocument
  /** something to tell about the id itself, or why this task was chosen */
  readonly note: string | null
}

/**
 * The takeover report of a task; without a name, of the task that needs a person most.
 * @throws LedgerError not_found, with ids near it
 */
export async function report(session: LookingSession, taskId?: string): Promise<Reported> {
  const { store } = session
  const look = await lookNow(session)
  const { found: task, note } =
    taskId === undefined ? await neediest(store, look) : await findTask(store, taskId)
  return { document: await reportOf(store, task.task_id, look), note }
}

/** In doubt first, the oldest doubt before younger ones, then the newest task that is open. */
async function neediest(store: Store, look: Look): Promise<{ found: Task; note: string }> {
  const query = { now: look.look.now, goneOwners: look.goneOwners, limit: 1 }
  for (const scope of ['open', 'all'] as const) {
    const [first] = (await store.tasks({ ...query, scope })).tasks
    if (first === undefined) continue
    const { task, in_doubt } = first
    const why =
      in_doubt > 0 ? `${in_doubt} in doubt` : scope === 'open' ? 'the newest that is open' : 'the newest'
    return { found: task, note: `no task was named: this is ${task.task_id} (${why})` }
  }
  throw new LedgerError('not_found', 'there is no task in this ledger', {
    hint: 'A task is there once an agent has opened one or prepared an operation.',
  })
}

async function reportOf(store: Store, taskId: string, look: Look): Promise<ReportDocument> {
  const record = await store.taskRecord(taskId)
  if (record === null) throw new LedgerError('not_found', `there is no task ${taskId}`, { id: taskId })
  const { task, operations, claims } = record
  const { at } = look.look.now
  const claim = claims.find(one => 'task_id' in one.subject && one.until > at)
  const { checkpoint, warnings } = await checkpointOf(record, look)
  return takeoverReport({
    sight: look,
    task,
    views: withAttempts(await viewsOf(store, operations, at), record),
    approvals: record.approvals,
    notes: record.notes,
    claimed_by: claim?.actor ?? null,
    children: await childrenOf(store, record.children, look),
    checkpoint,
    warnings,
  })
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

async function childrenOf(store: Store, direct: readonly Task[], look: Look): Promise<ChildView[]> {
  const found = new Map<string, ChildView>()
  const queue = [...direct]
  for (let task = queue.shift(); task !== undefined && found.size < MOST_CHILDREN; task = queue.shift()) {
    if (found.has(task.task_id)) continue
    const page = await store.operations({
      scope: 'open',
      task_id: task.task_id,
      sort: 'risk',
      limit: READ_OF_CHILD,
      now: look.look.now,
      goneOwners: look.goneOwners,
    })
    found.set(task.task_id, { task, open: page.operations, open_left_out: page.left_out })
    queue.push(...(await store.children(task.task_id)))
  }
  return [...found.values()]
}

interface CheckpointRead {
  readonly checkpoint: ReportedCheckpoint | null
  readonly warnings: readonly { readonly code: string; readonly message: string }[]
}

/** The thread the task points to. What cannot be read is said in the report and never keeps it from being made. */
async function checkpointOf({ task, operations }: TaskRecord, { look }: Look): Promise<CheckpointRead> {
  if (task.thread === null) return { checkpoint: null, warnings: [] }
  const { source, thread_id } = task.thread
  const uri = pathOf(task.thread.uri, task.workspace)
  try {
    const { readCheckpointFully } = await import('../../sources/index.js')
    const { document, taskIds } = await readCheckpointFully(uri, { source, threadId: thread_id })
    const thread = document.threads.find(one => one.thread_id === thread_id)
    if (thread === undefined) return unread('thread_missing', `${uri} has no thread ${thread_id}`)
    const joined = withReplayRisk(thread, {
      operations: operations.map(operation => ({ ...operation, in_doubt: isInDoubt(operation, look) })),
      taskIds: taskIds.get(thread_id) ?? new Set<string>(),
    })
    const { language, saver } = document
    return { checkpoint: { source: document.source, language, saver, uri, thread: joined }, warnings: [] }
  } catch (error) {
    if (!isLedgerError(error)) throw error
    return unread('checkpoint_unreadable', `the checkpoint of this task was not read: ${error.message}`)
  }
}

function unread(code: string, message: string): CheckpointRead {
  return { checkpoint: null, warnings: [{ code, message }] }
}

/** A path that an agent gave relative to its own folder is no path here. */
function pathOf(uri: string, workspace: string | null): string {
  const isPlain = !/^[a-z][a-z0-9+.-]+:/i.test(uri)
  return isPlain && !isAbsolute(uri) && workspace !== null && isAbsolute(workspace)
    ? join(workspace, uri)
    : uri
}
