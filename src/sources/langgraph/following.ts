import { branchTarget, isDeferred, isFull, joinOf, seenNames } from './channels.js'
import { type Level, storedValue } from './level.js'
import type { Task } from './plan.js'
import { sendOf } from './schema.js'
import type { Value } from './values.js'

export interface Following {
  readonly node: string
  readonly args?: Value
}

/**
 * The nodes that come next once every task of this superstep is saved: a resume only commits the superstep and runs
 * them. `getState().next` is `[]` then, and it is not done. Their task ids hang on a checkpoint not written yet.
 */
export function followingNodes(level: Level, tasks: readonly Task[]): Following[] {
  const { values } = level.checkpoint
  const rows = tasks.flatMap(task => task.rows)
  const sends = rows
    .filter(({ channel }) => channel === '__pregel_tasks')
    .flatMap(row => sendOf(storedValue(row)) ?? [])
  const joined = new Map<string, Set<string>>()
  const nodes = new Map<string, string>()
  for (const row of rows) {
    const target = branchTarget(row.channel, level.checkpoint.v)
    if (target !== undefined) nodes.set(target, row.channel)
    const join = joinOf(row.channel)
    const name = join && storedValue(row)
    if (!join || typeof name !== 'string') continue
    const seen = joined.get(row.channel) ?? new Set(seenNames(values.get(row.channel)))
    joined.set(row.channel, seen.add(name))
    if (isFull(join, seen)) nodes.set(join.node, row.channel)
  }
  const next = [...nodes]
  const prompt = next.filter(([, channel]) => isDeferred(values.get(channel)) !== true)
  // A deferred node waits for everything else; where nothing tells which nodes are deferred, all are listed.
  const started = prompt.length > 0 || sends.length > 0 ? prompt : next
  return [...sends, ...started.map(([node]) => ({ node }))]
}
