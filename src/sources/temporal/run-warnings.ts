import { closedAs } from './identity.js'
import type { Run } from './run.js'
import { type TemporalWarning, warning } from './warnings.js'

/** What is odd about a run as a whole; what its calls add comes from `tallyWarnings`. */
export function runWarnings(run: Run): TemporalWarning[] {
  return [...recordWarnings(run), ...chainWarnings(run), ...codeWarnings(run)]
}

function recordWarnings(run: Run): TemporalWarning[] {
  const { least, most, events, order, gaps, describe } = run
  const found: TemporalWarning[] = []
  if (run.hasMore) found.push(warning('truncated', 'the last page names a next one', `event ${most}`))
  if (events > 0 && least > 1)
    found.push(warning('begins_late', `the first event is ${least}, not 1`, `event ${least}`))
  const missing = most - least + 1 - events
  if (events > 0 && order === 'mixed')
    found.push(warning('event_order', 'event ids go up and down, or come twice', null))
  if (events > 0 && (order === 'mixed' ? missing > 0 : gaps.length > 0))
    found.push(
      warning(
        'gap_in_events',
        gaps.length === 0 || order === 'mixed'
          ? `${missing} event ids are missing`
          : `missing event ids: ${gaps.map(([from, to]) => (from === to ? from : `${from} to ${to}`)).join(', ')}`,
        null,
      ),
    )
  if (run.dangling !== null)
    found.push(
      warning(
        'gap_in_events',
        `event ${run.dangling.id} refers to event ${run.dangling.to}, which comes later: events were taken out`,
        null,
      ),
    )
  for (const [type, count] of run.unknownTypes ?? [])
    found.push(warning('unknown_event_type', `${count} of type ${type}`, null))
  if (events > 0 && (describe?.historyLength ?? 0) > most)
    found.push(
      warning(
        'history_is_older',
        `describe counts ${describe?.historyLength} events, the history has ${most}`,
        null,
      ),
    )
  return found
}

function chainWarnings(run: Run): TemporalWarning[] {
  const { started, close } = run
  const continued = started?.continuedRunId ?? null
  return [
    ...run.resets.map(({ id, baseRunId }) => {
      const base = baseRunId ?? 'of an unknown id'
      return warning(
        'reset_run',
        `this run continues run ${base} from event ${id}: what run ${base} did after that is not in this file`,
        `event ${id}`,
      )
    }),
    ...(continued === null
      ? []
      : [warning('continues_run', `it goes on where run ${continued} ended`, null)]),
    ...(close?.newRunId == null
      ? []
      : [
          warning(
            'continued_elsewhere',
            `run ${close.newRunId} goes on after it ${wordOf(close.how)}`,
            `event ${close.id}`,
          ),
        ]),
  ]
}

function codeWarnings(run: Run): TemporalWarning[] {
  const { close, brokenTask, decision, describe, updates } = run
  const found: TemporalWarning[] = []
  if (close !== null && (close.how === 'TIMED_OUT' || close.how === 'TERMINATED'))
    found.push(warning('ended_without_code', `it ${wordOf(close.how)}`, `event ${close.id}`))
  if (brokenTask !== null)
    found.push(
      warning(
        'local_work_untraced',
        `a workflow task ${brokenTask.how}${brokenTask.cause === null ? '' : ` (${brokenTask.cause})`}`,
        `event ${brokenTask.id}`,
      ),
    )
  const task = describe?.workflowTask ?? null
  const isOpen = closedAs(run) === null
  if (isOpen && (task?.attempt ?? 1) > 1)
    found.push(warning('workflow_task_stuck', `its workflow task is at attempt ${task?.attempt}`, null))
  else if (isOpen && brokenTask !== null && brokenTask.id > (decision ?? 0))
    found.push(
      warning('workflow_task_stuck', `its last workflow task ${brokenTask.how}`, `event ${brokenTask.id}`),
    )
  if (updates !== null && updates.open.size > 0)
    found.push(
      warning('update_open', `updates that wait: ${[...updates.open.values()].slice(0, 5).join(', ')}`, null),
    )
  return found
}

export function wordOf(how: string): string {
  return WORDS[how] ?? how.toLowerCase().replaceAll('_', ' ')
}

const WORDS: Readonly<Record<string, string>> = {
  COMPLETED: 'completed',
  FAILED: 'failed',
  TIMED_OUT: 'timed out',
  CANCELED: 'was cancelled',
  TERMINATED: 'was terminated',
  CONTINUED_AS_NEW: 'continued as new',
}
