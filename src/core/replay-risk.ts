import { adviseOn } from './advice.js'
import type { CheckpointThread, ReplayRisk } from './checkpoint.js'
import type { Operation } from './operation.js'

/** What the join needs of an operation that was recorded for the thread. */
export type RecordedOperation = Pick<
  Operation,
  'operation_id' | 'status' | 'may_have_applied' | 'checkpoint' | 'provenance'
> & {
  /** as `isInDoubt` answers at the time of reading */
  readonly in_doubt: boolean
}

export interface LedgerView {
  /** the operations recorded for the thread, or for the ledger's task that points to it */
  readonly operations: readonly RecordedOperation[]
  /** ids of all tasks that have left any trace in the checkpoint store (`CheckpointReading.taskIds`) */
  readonly taskIds: ReadonlySet<string>
  /** all of it was read from the store itself, not written down before it was sent */
  readonly isOfStore?: boolean
}

/** The thread with what its outside writes mean for a resume: `replay_risk`, and the advice that follows from it. */
export function withReplayRisk(
  thread: CheckpointThread,
  { operations, taskIds, isOfStore = false }: LedgerView,
): CheckpointThread {
  const risks = createReplayRisks(thread, taskIds)
  for (const operation of operations) risks.take(operation)
  return risks.joined({ isOfStore })
}

/** The same, one operation after the other: of those that are no risk nothing is held but the name of the node. */
export function createReplayRisks(thread: CheckpointThread, taskIds: ReadonlySet<string>) {
  const replay_risk: ReplayRisk[] = []
  const nodes = new Set<string>()
  return {
    take(operation: RecordedOperation): void {
      if (!isOfThread(operation.checkpoint, thread)) return
      const place = placeOf(operation, thread, taskIds)
      if (place.node !== null) nodes.add(place.node)
      replay_risk.push(...riskOf(operation, place))
    },
    /** `warnings`: what else is known by now of the thread */
    joined({ isOfStore, warnings = [] }: Joined): CheckpointThread {
      const facts = { ...thread, warnings: [...thread.warnings, ...warnings], replay_risk }
      return { ...facts, advice: adviseOn(facts, { nodes, isOfStore }) }
    },
  }
}

interface Joined {
  readonly isOfStore: boolean
  readonly warnings?: CheckpointThread['warnings']
}

function isOfThread(checkpoint: RecordedOperation['checkpoint'], { thread_id }: CheckpointThread): boolean {
  return checkpoint?.thread_id === undefined || checkpoint.thread_id === thread_id
}

/**
 * Where an operation was made, seen from what a resume would do. `runs`: in a node that runs again. `around`: in the lines
 * of a node around a subgraph that runs again. `stored`: in a task whose rows are stored. `invisible`: in a task of which
 * the store knows nothing. `unplaced`: it names no node.
 */
interface Place {
  readonly kind: 'runs' | 'around' | 'stored' | 'invisible' | 'unplaced'
  readonly node: string | null
}

/**
 * By namespace where it is equal: the framework gives a task the same one on every run. Else by node and step, because
 * the namespace changes with a fork, and when the checkpoint that the node had started from was lost.
 */
function placeOf(
  { checkpoint }: RecordedOperation,
  thread: CheckpointThread,
  taskIds: ReadonlySet<string>,
): Place {
  const namespace = checkpoint?.namespace ?? ''
  const node = checkpoint?.node ?? nodesOf(namespace).at(-1) ?? null
  const again = thread.will_run.find(run => run.namespace !== null && run.namespace === namespace)
  if (again) return { kind: 'runs', node: again.node }
  const around = thread.enclosing.find(outer => outer.namespace === namespace)
  if (around) return { kind: 'around', node: around.node }
  const isStored = taskIds.has(checkpoint?.task_id ?? lastTaskId(namespace))
  const inside = [...thread.will_run, ...thread.enclosing].find(
    outer => outer.namespace !== null && namespace.startsWith(`${outer.namespace}|`),
  )
  if (inside) return { kind: isStored ? 'stored' : 'runs', node: inside.node }
  const same = thread.will_run.find(run =>
    isSameStep(run, { namespace, node, step: checkpoint?.step }, thread),
  )
  if (same) return { kind: 'runs', node: same.node }
  if (isStored) return { kind: 'stored', node }
  if (namespace !== '' || checkpoint?.task_id !== undefined) return { kind: 'invisible', node }
  return { kind: node === null ? 'unplaced' : 'stored', node }
}

interface Made {
  readonly namespace: string
  readonly node: string | null
  readonly step: number | undefined
}

/** The same node in the same step; inside a subgraph the steps are its own, and the path of nodes has to do. */
function isSameStep(
  run: CheckpointThread['will_run'][number],
  made: Made,
  thread: CheckpointThread,
): boolean {
  if (made.node !== run.node) return false
  const path = nodesOf(run.namespace ?? run.node)
  if (made.namespace !== '' && nodesOf(made.namespace).join('|') !== path.join('|')) return false
  if (path.length > 1) return true
  if (made.step === undefined) return made.namespace === ''
  return thread.step !== null && made.step === thread.step + (run.reason === 'following' ? 2 : 1)
}

/** `outer:id|inner:id` → outer, inner; a number alone counts the calls of one node and is no node. */
function nodesOf(namespace: string): string[] {
  return namespace
    .split('|')
    .filter(part => part !== '' && !/^\d+$/.test(part))
    .map(part => (part.includes(':') ? part.slice(0, part.indexOf(':')) : part))
}

function lastTaskId(namespace: string): string {
  const last = namespace
    .split('|')
    .filter(part => !/^\d+$/.test(part))
    .at(-1)
  return last?.includes(':') ? last.slice(last.indexOf(':') + 1) : ''
}

interface RiskRule {
  readonly id: string
  readonly title: string
  readonly applies: (operation: RecordedOperation, place: Place) => boolean
  readonly why: (operation: RecordedOperation, place: Place) => string
}

/**
 * Which operations a resume would repeat, or might. The first rule that applies gives the reason. A confirmed operation
 * under a guard replays its record; one that was never sent, or certainly did not happen, is no risk.
 */
export const REPLAY_RISK_RULES: readonly RiskRule[] = [
  {
    id: 'made_in_lost_checkpoint',
    title: 'made by a task the store knows nothing of',
    applies: (operation, { kind }) => kind === 'invisible' && mayHaveHappened(operation),
    why: (_, { node }) =>
      `it was made by a task of ${named(node)} that has left nothing in the store: a resume does not know that it ${'happened'}`,
  },
  {
    id: 'in_doubt_and_runs_again',
    title: 'in doubt, and its node runs again',
    applies: (operation, place) => isRepeated(place) && operation.in_doubt,
    why: (operation, place) =>
      `it may have taken effect, and ${runsAgain(place)}${isGuarded(operation) ? '; its guard stops the node there until it is settled' : ''}`,
  },
  {
    id: 'in_flight_and_runs_again',
    title: 'still being sent, and its node runs again',
    applies: ({ status }, place) => isRepeated(place) && status === 'in_flight',
    why: (_, place) => `another executor is sending it now, and ${runsAgain(place)}`,
  },
  {
    id: 'abandoned_and_runs_again',
    title: 'nobody knows, and its node runs again',
    applies: ({ status, may_have_applied }, place) =>
      isRepeated(place) && status === 'abandoned' && may_have_applied,
    why: (_, place) => `whether it took effect was never found out, and ${runsAgain(place)}`,
  },
  {
    id: 'confirmed_without_guard',
    title: 'done, not guarded, and its node runs again',
    applies: (operation, place) =>
      isRepeated(place) && operation.status === 'confirmed' && !isGuarded(operation),
    why: (_, place) => `it took effect, nothing guards it, and ${runsAgain(place)}: it would be sent twice`,
  },
  {
    id: 'in_doubt_and_unplaced',
    title: 'in doubt, and it names no node',
    applies: (operation, { kind }) => kind === 'unplaced' && operation.in_doubt,
    why: () => 'it may have taken effect, and its record does not say which node made it',
  },
]

function riskOf(operation: RecordedOperation, place: Place): ReplayRisk[] {
  const rule = REPLAY_RISK_RULES.find(({ applies }) => applies(operation, place))
  if (rule === undefined) return []
  const { operation_id, status } = operation
  return [{ operation_id, node: place.node, status, why: rule.why(operation, place) }]
}

/** A guard finds its own record on the next run and does not send again. */
function isGuarded({ provenance }: RecordedOperation): boolean {
  return provenance === 'library' || provenance === 'exec'
}

function isRepeated({ kind }: Place): boolean {
  return kind === 'runs' || kind === 'around'
}

function mayHaveHappened({ status, in_doubt, may_have_applied }: RecordedOperation): boolean {
  return (
    in_doubt ||
    status === 'confirmed' ||
    status === 'in_flight' ||
    (status === 'abandoned' && may_have_applied)
  )
}

function runsAgain({ kind, node }: Place): string {
  return kind === 'around'
    ? `${named(node)}, around the subgraph that runs, may run again from its first line`
    : `${named(node)} runs again from its first line`
}

function named(node: string | null): string {
  return node ?? 'an unnamed node'
}
