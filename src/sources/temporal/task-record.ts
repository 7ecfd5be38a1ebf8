import type { ImportedNote, ImportedTask } from '../../core/imported.js'
import { isoTime } from '../../core/iso-time.js'
import { clipText } from '../bounded-json.js'
import { failureText } from './failure.js'
import { closedAs, safeText, taskIdOf, taskStatusOf, threadIdOf, typeOf } from './identity.js'
import { currentRunId, type Run } from './run.js'

/** `uri`: where the history was read. */
export function taskRecord(run: Run, uri: string): ImportedTask {
  const { started, close, describe } = run
  const parent = started?.parentRunId ?? started?.continuedRunId ?? null
  return {
    record: 'task',
    task_id: taskIdOf(run),
    parent_task_id: parent === null ? null : safeText(`temporal:${parent}`, 500),
    goal: `${typeOf(run)} ${threadIdOf(run)}`,
    status: taskStatusOf(run),
    status_reason: statusReason(run),
    agent: started?.identity == null ? null : safeText(started.identity, 300),
    thread: { source: 'temporal', uri, thread_id: threadIdOf(run) },
    workspace: null,
    labels: labelsOf(run),
    deadline_at: closedAs(run) === null ? (started?.deadlineAt ?? null) : null,
    heartbeat_at: null,
    activity_at: run.lastAt,
    // a completed activity may have brought the same as the last one: the rules about loops look at that
    progress_at: null,
    created_at: run.firstAt ?? describe?.startedAt ?? null,
    closed_at: close?.at ?? describe?.closedAt ?? null,
  }
}

function statusReason(run: Run): string | null {
  const how = closedAs(run)
  if (how === null) return run.cancelAskedAt === null ? (run.describe?.status ?? null) : 'CANCEL_REQUESTED'
  const { close } = run
  const by = close?.identity == null ? '' : ` by ${close.identity}`
  const why = close?.failure == null ? (close?.reason ?? '') : failureText(close.failure)
  return safeText(`${how}${by}${why === '' ? '' : `: ${why}`}`, 1000)
}

function labelsOf(run: Run): Record<string, string> {
  const labels = {
    workflow_id: threadIdOf(run),
    workflow_type: typeOf(run),
    run_id: currentRunId(run),
    first_run_id: run.started?.firstRunId ?? run.describe?.firstRunId ?? null,
    task_queue: run.started?.taskQueue ?? run.describe?.taskQueue ?? null,
    parent_workflow_id: run.started?.parentWorkflowId ?? null,
  }
  return Object.fromEntries(
    Object.entries(labels).flatMap(([name, value]) => (value === null ? [] : [[name, safeText(value, 500)]])),
  )
}

/** What the history itself says of why it stands where it stands. */
export function notesOf(run: Run): ImportedNote[] {
  const task_id = taskIdOf(run)
  const note = (kind: ImportedNote['kind'], body: string, at: number | null): ImportedNote => ({
    record: 'note',
    task_id,
    operation_id: null,
    kind,
    body: clipText(body, 2000),
    at,
  })
  const { close, timers, updates, brokenTask } = run
  const isOpen = closedAs(run) === null
  return [
    ...run.resets.map(({ id, baseRunId }) =>
      note('open', `reset: continues run ${baseRunId ?? 'unknown'} from event ${id}`, null),
    ),
    ...(close?.failure == null
      ? []
      : [note('finding', `the workflow failed: ${failureText(close.failure)}`, close.at)]),
    ...(close?.reason == null
      ? []
      : [note('remark', `ended by ${close.identity ?? 'someone unnamed'}: ${close.reason}`, close.at)]),
    ...(close?.newRunId == null ? [] : [note('open', `goes on as run ${close.newRunId}`, close.at)]),
    ...(isOpen ? [...(timers?.open ?? [])] : []).slice(0, 20).map(([id, { at, durationMs }]) => {
      const until = at === null || durationMs === null ? null : at + durationMs
      const when = until === null || until > 8.64e15 ? 'an unknown time' : isoTime(until)
      return note('open', `waits for its timer of event ${id} until ${when}`, at)
    }),
    ...[...(updates?.open ?? [])]
      .slice(0, 20)
      .map(([id, name]) =>
        note('open', `update ${name} was accepted at event ${id} and not completed`, null),
      ),
    ...(isOpen && brokenTask !== null && brokenTask.id > (run.decision ?? 0)
      ? [
          note(
            'finding',
            `the workflow task of event ${brokenTask.id} ${brokenTask.how}${brokenTask.cause === null ? '' : ` (${brokenTask.cause})`}${brokenTask.failure === null ? '' : `: ${failureText(brokenTask.failure)}`}`,
            null,
          ),
        ]
      : []),
  ]
}
