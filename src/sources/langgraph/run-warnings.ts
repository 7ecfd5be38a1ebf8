import type { CheckpointInterrupt, CheckpointWarning } from '../../core/checkpoint.js'
import { START } from './channels.js'
import { allWrites, type Level, storedValue } from './level.js'
import type { Mapped, PlannedLevel } from './map.js'
import { callIdOf, messagesIn, openCalls } from './messages.js'
import type { Task } from './plan.js'
import { clip } from './present.js'
import { ERROR } from './standing.js'
import { warning } from './warnings.js'

/** What a resume does again, or may, though the store says nothing of it. */
export function runWarnings(mapped: Mapped, interrupts: readonly CheckpointInterrupt[]): CheckpointWarning[] {
  return [
    ...startWarnings(mapped),
    ...answerWarnings(interrupts),
    ...commitWarnings(mapped),
    ...aroundWarnings(mapped),
    ...mapped.levels.flatMap(toolWarnings),
  ]
}

function startWarnings({ willRun }: Mapped): CheckpointWarning[] {
  const found: CheckpointWarning[] = []
  const nodes = (reason: string) =>
    willRun.filter(run => run.reason === reason && !(run.node === START && run.task_id !== null))
  const [silent, failed, asked] = [nodes('not_finished'), nodes('errored'), nodes('interrupted')]
  if (silent.length > 0)
    found.push(
      warning(
        'may_have_started',
        `nothing is stored of ${names(silent)}: never started, waiting at a breakpoint, or stopped after some or all of what it does`,
      ),
    )
  if (failed.length > 0)
    found.push(
      warning(
        'attempts_not_stored',
        `${names(failed)} failed and runs again; how often it was tried before is not stored, nor what each try did`,
      ),
    )
  if (asked.length > 0)
    found.push(
      warning(
        'before_question_again',
        `${names(asked)} runs again from its first line on the answer: what it does before its question happens once more`,
      ),
    )
  return found
}

function answerWarnings(interrupts: readonly CheckpointInterrupt[]): CheckpointWarning[] {
  const found: CheckpointWarning[] = []
  const of = (state: CheckpointInterrupt['state']) =>
    interrupts
      .filter(interrupt => interrupt.state === state)
      .map(({ id, node }) => `${id ?? 'no id'} (${node ?? 'unknown node'})`)
  const [unknown, reused] = [of('answered_outcome_unknown'), of('answer_reused')]
  if (unknown.length > 0)
    found.push(
      warning(
        'answer_outcome_unknown',
        `${clip(unknown.join(', '))} was answered, and nothing is stored after that: the node may have gone on and done what it does`,
      ),
    )
  if (reused.length > 0)
    found.push(
      warning(
        'answer_reused',
        `a resume without an answer would give ${clip(reused.join(', '))} the answer to an earlier question`,
      ),
    )
  return found
}

// A failed router leaves a superstep of saved tasks as well, and it has a warning of its own.
function commitWarnings({ levels, willRun }: Mapped): CheckpointWarning[] {
  return levels.flatMap(({ level, tasks }) => {
    const isWhole = tasks.length > 0 && tasks.every(({ standing }) => standing === 'saved')
    if (!isWhole || tasks.some(({ rows }) => rows.some(({ channel }) => channel === ERROR))) return []
    const next = level.namespace === '' ? willRun.filter(({ reason }) => reason === 'following') : []
    return [
      warning(
        'commit_lost',
        `${names(tasks)} ${tasks.length === 1 ? 'has' : 'have'} finished and the superstep was not committed${next.length === 0 ? '' : `: ${names(next)} may have started already, from a checkpoint that is not stored`}`,
      ),
    ]
  })
}

function aroundWarnings({ enclosing, levels }: Mapped): CheckpointWarning[] {
  const begun = levels.map(({ level }) => level.namespace)
  const calling = enclosing.filter(({ namespace }) => begun.includes(`${namespace}|1`))
  if (calling.length > 0)
    return [
      warning(
        'lines_around_run_again',
        `${names(calling)} calls several subgraphs, so it is a function: its own lines run again from the first, around the subgraph that goes on`,
      ),
    ]
  if (enclosing.length === 0) return []
  return [
    warning(
      'lines_around_run_again',
      `where ${names(enclosing)} is a function that calls its subgraph, its own lines run again; where it is the subgraph itself there are none`,
    ),
  ]
}

function toolWarnings({ level, tasks }: PlannedLevel): CheckpointWarning[] {
  const again = tasks.filter(isOneForAll)
  const open = openCallsOf(level)
  if (again.length === 0 || open.length < 2) return []
  const asked = open.map(({ id, tool }) => `${tool} (${id})`).join(', ')
  return [
    warning(
      'tool_calls_repeat',
      `${open.length} tool calls have no answer: ${clip(asked)}; where ${names(again)} runs them, all are run again, those that happened too`,
    ),
  ]
}

function openCallsOf(level: Level) {
  const later = allWrites(level).flatMap(row => messagesIn(storedValue(row)))
  return [...level.checkpoint.values.values()].flatMap(value => openCalls(messagesIn(value), later))
}

/** Runs again, and was not made for one tool call. */
function isOneForAll({ standing, args, node }: Task): boolean {
  return standing !== 'saved' && standing !== 'handled' && node !== START && callIdOf(args) === undefined
}

function names(list: readonly { readonly node: string }[]): string {
  return clip([...new Set(list.map(({ node }) => node))].join(', '))
}
