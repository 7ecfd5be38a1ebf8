import type { CheckpointWarning } from '../../core/checkpoint.js'
import { branchTarget, joinOf } from './channels.js'
import { decode, type Unreadable } from './decode/index.js'
import { recordsOf } from './interrupts.js'
import { allWrites, type Level, storedValue } from './level.js'
import type { PlannedLevel } from './map.js'
import type { Task } from './plan.js'
import { clip } from './present.js'
import type { WriteRow } from './rows.js'
import { errorText } from './schema.js'
import { ERROR, INTERRUPT, isOutput, isRouting, NULL_TASK, RETURN } from './standing.js'
import { errorHandlerOf, errorHandlerTaskId } from './task-ids.js'
import { warning } from './warnings.js'

/** What the rows of one graph's current superstep make a person stumble over. */
export function levelWarnings(planned: PlannedLevel): CheckpointWarning[] {
  return [
    ...planned.tasks.flatMap(task => taskWarnings(task, planned.level)),
    ...namelessWarnings(planned),
    ...layoutWarnings(planned),
    ...storedWarnings(planned.level),
  ]
}

export function unreadableLevel(loaded: { checkpointId: string; unreadable: Unreadable }): CheckpointWarning {
  const { why, type, bytes, digest } = loaded.unreadable
  return warning(
    'checkpoint_unreadable',
    `checkpoint ${loaded.checkpointId} cannot be read: ${why} (${bytes} bytes of ${clip(type)}, ${digest})`,
  )
}

function taskWarnings(task: Task, level: Level): CheckpointWarning[] {
  const { node, taskId, rows, standing } = task
  const error = rows.find(({ channel }) => channel === ERROR)
  const text = error && clip(errorText(storedValue(error) ?? null))
  const found: CheckpointWarning[] = []
  if (standing === 'errored' && text !== undefined && ABORTED.test(text))
    found.push(
      warning(
        'outcome_unknown',
        `${node} was aborted because another task failed (${text}): what it did outside before that is unknown, and it runs again`,
      ),
    )
  if (standing === 'saved' && error !== undefined) found.push(savedWithError(task, error, text ?? ''))
  if (
    standing === 'handled' &&
    taskId !== null &&
    level.writes.get(errorHandlerTaskId(level.at, node, taskId))?.some(isOutput)
  )
    found.push(
      warning(
        'handler_runs_again',
        `${errorHandlerOf(node)} has stored its result and runs again all the same`,
      ),
    )
  const ids = rows
    .filter(({ channel }) => channel === INTERRUPT)
    .flatMap(recordsOf)
    .map(({ id }) => id)
  const shared = ids.find((id, index) => id !== null && ids.indexOf(id) !== index)
  if (shared !== undefined)
    found.push(warning('shared_interrupt_id', `several questions of ${node} have the id ${shared}`))
  return found
}

// JavaScript: {"name": "AbortError"}; Python: repr of asyncio.CancelledError or concurrent.futures.CancelledError.
const ABORTED = /^(AbortError\b|CancelledError\()/

/**
 * Of an error beside results, either the task failed first and succeeded in a later run, or it wrote its results and then
 * failed to choose what comes next. In the second case the error is the later row and no route is stored.
 */
function savedWithError({ node, rows }: Task, error: WriteRow, text: string): CheckpointWarning {
  const isLater = rows.every(row => row === error || !isOutput(row) || row.order < error.order)
  if (rows.some(row => isRouting(row, node)))
    return warning(
      'stale_error',
      `${node} failed in an earlier run (${text}) and is saved now: it does not run again`,
    )
  return isLater
    ? warning(
        'router_failed',
        `${node} is saved, then failed with ${text} before it had chosen what comes next: a resume ends the thread without running what should follow`,
      )
    : warning(
        'stale_error',
        `${node} is saved and has an older error (${text}); no route is stored, so a resume runs nothing after it: check that it was the last node`,
      )
}

function namelessWarnings({ level, tasks, unmatched, calls }: PlannedLevel): CheckpointWarning[] {
  const found: CheckpointWarning[] = []
  const returned = unmatched.filter(id => level.writes.get(id)?.some(({ channel }) => channel === RETURN))
  const nameless = returned.filter(id => !calls.has(id))
  if (nameless.length > 0)
    found.push(
      warning(
        'unnamed_tasks',
        `${count(nameless.length, 'result')} of sub-tasks whose names are not stored: used again in the order of their calls, not run again`,
      ),
    )
  if (returned.length > 0 && level.namespace !== '')
    found.push(
      warning(
        'subtasks_run_again',
        `${count(returned.length, 'result')} of sub-tasks inside the subgraph ${level.namespace}: on a resume they may run again`,
      ),
    )
  const strange = unmatched.filter(id => !returned.includes(id))
  if (strange.length > 0)
    found.push(
      warning(
        'unmatched_writes',
        `${clip(strange.join(', '))} wrote ${channelsOf(level, strange)}, and no node known from the checkpoint has ${strange.length === 1 ? 'that id' : 'those ids'}`,
      ),
    )
  if (tasks.some(({ taskId }) => taskId === null))
    found.push(
      warning(
        'entrypoint_unnamed',
        'a functional entrypoint runs again from its first line; its name is not stored',
      ),
    )
  return found
}

function layoutWarnings({ level, tasks, untold }: PlannedLevel): CheckpointWarning[] {
  const { v } = level.checkpoint
  const found: CheckpointWarning[] = []
  if (v < 3 && level.language === 'python')
    found.push(
      warning(
        'old_layout',
        `the checkpoint has layout ${v}: a library of today gives its tasks other ids, does not find their saved results, and runs them again`,
      ),
    )
  const isSaved = tasks.length > 0 && tasks.every(({ standing }) => standing === 'saved')
  const left = isSaved ? tasks.filter(({ node, rows }) => rows.some(({ channel }) => channel === node)) : []
  const routes = [...new Set([...untold, ...(v < 3 ? left.map(({ node }) => node) : [])])]
  if (routes.length > 0)
    found.push(
      warning(
        'route_not_stored',
        `what follows ${routes.map(clip).join(', ')} is only in the graph’s code: more may run than is shown here`,
      ),
    )
  return found
}

function storedWarnings(level: Level): CheckpointWarning[] {
  const rows = allWrites(level)
  const found: CheckpointWarning[] = []
  const plus = nodeNamesIn(level).find(node => node.includes('+'))
  if (plus !== undefined)
    found.push(
      warning(
        'join_ambiguous',
        `the node ${clip(plus)} has a + in its name: what a join waits for cannot be told for certain`,
      ),
    )
  const unreadable = rows.flatMap(row => {
    const decoded = decode(row.value)
    return decoded.isReadable ? [] : [{ row, decoded }]
  })
  const [first] = unreadable
  if (first)
    found.push(
      warning(
        'value_unreadable',
        `what task ${first.row.taskId} wrote to ${clip(first.row.channel)} cannot be read: ${first.decoded.why} (${first.decoded.bytes} bytes, ${first.decoded.digest})${unreadable.length > 1 ? `; and ${unreadable.length - 1} more` : ''}`,
      ),
    )
  if (level.language === 'javascript') {
    const misplaced = rows.filter(
      row =>
        row.taskId !== NULL_TASK && row.index >= 0 && (row.channel === INTERRUPT || row.channel === ERROR),
    )
    if (misplaced.length > 0)
      found.push(
        warning(
          'output_overwritten',
          'questions or errors stand at indexes where outputs belong: the saver is older than 1.0.3, and one may have overwritten an output',
        ),
      )
    for (const { taskId, channel, value } of rows)
      if (!level.isApart && value.type === 'bytes' && !isUtf8(value.bytes))
        found.push(
          warning(
            'bytes_changed_on_resume',
            `task ${taskId} wrote ${value.bytes.length} bytes to ${clip(channel)} that are not text: a resume gets others`,
          ),
        )
  }
  return found
}

function nodeNamesIn({ checkpoint }: Level): string[] {
  const joins = [...checkpoint.versions.keys(), ...checkpoint.values.keys()].flatMap(
    channel => joinOf(channel)?.node ?? branchTarget(channel, checkpoint.v) ?? [],
  )
  return [...checkpoint.seen.keys(), ...joins]
}

function channelsOf(level: Level, taskIds: readonly string[]): string {
  const channels = new Set(taskIds.flatMap(id => (level.writes.get(id) ?? []).map(({ channel }) => channel)))
  return clip([...channels].join(', '))
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`
}
