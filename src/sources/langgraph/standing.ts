import type { WriteRow } from './rows.js'

/**
 * What the rows of a task say of it. `saved`: it has written, and does not run again. `handled`: it failed, and its error
 * handler runs in its place. The other three run again from their first line.
 */
export type Standing = 'saved' | 'handled' | 'interrupted' | 'errored' | 'not_finished'

export const ERROR = '__error__'
export const ERROR_SOURCE = '__error_source_node__'
export const INTERRUPT = '__interrupt__'
export const RESUME = '__resume__'
export const RETURN = '__return__'
const SCHEDULED = '__scheduled__'

/** Input of a Command (an answer, a goto, an update): written by no task. */
export const NULL_TASK = '00000000-0000-0000-0000-000000000000'

/** An answer by id (JavaScript) is stored under the question's id, which has no dashes. */
export function isInterruptId(taskId: string): boolean {
  return /^[0-9a-f]{32}$/.test(taskId)
}

// What happened to a task, not what it produced. Told by the channel and never by the index: the JavaScript saver before
// 1.0.3 gave these rows the indexes of outputs (langchain-ai/langgraphjs#2516).
const CONTROL: ReadonlySet<string> = new Set([ERROR, ERROR_SOURCE, INTERRUPT, RESUME, SCHEDULED])

export function isOutput({ channel }: Pick<WriteRow, 'channel'>): boolean {
  return !CONTROL.has(channel)
}

export function standingOf(rows: readonly WriteRow[]): Standing {
  const latest = (channel: string) =>
    Math.max(...rows.filter(row => row.channel === channel).map(row => row.order))
  const has = (channel: string) => rows.some(row => row.channel === channel)
  if (has(ERROR) && has(ERROR_SOURCE)) return 'handled'
  if (rows.some(isOutput)) return 'saved'
  if (has(INTERRUPT) && has(ERROR)) return latest(INTERRUPT) > latest(ERROR) ? 'interrupted' : 'errored'
  if (has(INTERRUPT)) return 'interrupted'
  return has(ERROR) ? 'errored' : 'not_finished'
}

/** Is this a write that names what runs next? Layouts before 3 have channels named like the node for it. */
export function isRouting({ channel }: Pick<WriteRow, 'channel'>, node: string): boolean {
  return channel === '__pregel_tasks' || channel === node || /^(branch|join|start):/.test(channel)
}
