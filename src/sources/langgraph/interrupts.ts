import type { CheckpointInterrupt, InterruptState } from '../../core/checkpoint.js'
import { decode } from './decode/index.js'
import type { Level } from './level.js'
import type { Task } from './plan.js'
import { present, presentValue } from './present.js'
import type { WriteRow } from './rows.js'
import { interruptOf } from './schema.js'
import { INTERRUPT, NULL_TASK, RESUME } from './standing.js'
import { interruptId } from './task-ids.js'
import { isList } from './values.js'

/** The stored answer that a resume without input would use: given to no question by name. */
export function standingAnswer(levels: readonly Level[]): WriteRow | undefined {
  return levels.flatMap(level => level.writes.get(NULL_TASK) ?? []).find(({ channel }) => channel === RESUME)
}

/** A task, or rows of one whose node is not known. */
type Asker = Pick<Task, 'rows' | 'standing'> & { readonly node: string | null }

/**
 * The questions a task has asked, as far as they are stored: a later one takes the place of an earlier one. `levels`: its
 * graph and those around it, the outermost first.
 */
export function interruptsOf(task: Asker, levels: readonly Level[]): CheckpointInterrupt[] {
  return task.rows
    .filter(({ channel }) => channel === INTERRUPT)
    .flatMap(row =>
      recordsOf(row).map(({ id, value }) => ({
        id,
        node: task.node,
        value,
        state: stateOf({ task, row, id }, levels),
      })),
    )
}

/** The entries of an `__interrupt__` row, ready to be shown. */
export function recordsOf(row: WriteRow): { id: string | null; value: CheckpointInterrupt['value'] }[] {
  const decoded = decode(row.value)
  if (!decoded.isReadable) return [{ id: null, value: present(decoded) }]
  const entries = isList(decoded.value) ? decoded.value : [decoded.value]
  return entries.map(entry => {
    const { id, value } = interruptOf(entry)
    return { id, value: presentValue(value) }
  })
}

interface Question {
  readonly task: Asker
  readonly row: WriteRow
  readonly id: string | null
}

/**
 * An answer given with `Command({resume})` is stored under no task, one given by id (JavaScript) under the question's id;
 * Python stores nothing for an answer by id. Whether it came before the question or after it tells the order of the rows.
 */
function stateOf({ task, row, id }: Question, levels: readonly Level[]): InterruptState {
  if (task.standing === 'saved') return 'answered'
  const byId = id === null ? [] : levels.flatMap(level => level.writes.get(id) ?? [])
  if (byId.some(answer => answer.channel === RESUME && answer.order > row.order))
    return 'answered_outcome_unknown'
  const answer = standingAnswer(levels)
  if (answer === undefined) return 'open'
  return answer.order > row.order ? 'answered_outcome_unknown' : 'answer_reused'
}

/**
 * Does the id of a second question tell that Python is 1.2.20 or newer? Older ones gave all questions of a task one id.
 * From 1.2.14 on `getState().next` no longer takes an answered first question for a finished task.
 */
export function isNumberedQuestion(task: Task, level: Level): boolean {
  const answered = task.rows.filter(({ channel }) => channel === RESUME).flatMap(answersIn).length
  const { namespace } = task
  return (
    namespace !== null &&
    answered > 0 &&
    task.rows
      .filter(({ channel }) => channel === INTERRUPT)
      .flatMap(recordsOf)
      .some(({ id }) => id === interruptId(level.at.xxh128, namespace, answered))
  )
}

function answersIn(row: WriteRow): readonly unknown[] {
  const decoded = decode(row.value)
  if (!decoded.isReadable) return []
  return isList(decoded.value) ? decoded.value : [decoded.value]
}
