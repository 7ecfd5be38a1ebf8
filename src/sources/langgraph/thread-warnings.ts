import type { CheckpointInterrupt, CheckpointWarning } from '../../core/checkpoint.js'
import { decode } from './decode/index.js'
import type { History } from './history.js'
import { standingAnswer } from './interrupts.js'
import type { Level } from './level.js'
import type { Mapped } from './map.js'
import { clip, present } from './present.js'
import { runWarnings } from './run-warnings.js'
import { warning } from './warnings.js'

export interface ThreadFacts {
  readonly level: Level
  readonly mapped: Mapped
  readonly history: History
  readonly interrupts: readonly CheckpointInterrupt[]
  readonly nextIsEmpty: boolean
  readonly nextDependsOnVersion: boolean
  readonly setAsideNodes: readonly string[]
  readonly persistent: readonly string[]
}

/** What a thread as a whole makes a person stumble over. */
export function threadWarnings(facts: ThreadFacts): CheckpointWarning[] {
  return [
    ...nextWarnings(facts),
    ...runWarnings(facts.mapped, facts.interrupts),
    ...questionWarnings(facts),
    ...historyWarnings(facts),
    ...subgraphWarnings(facts),
  ]
}

function nextWarnings({ mapped, nextIsEmpty, nextDependsOnVersion }: ThreadFacts): CheckpointWarning[] {
  const found: CheckpointWarning[] = []
  if (nextIsEmpty && mapped.willRun.length > 0)
    found.push(
      warning(
        'next_is_not_done',
        `getState().next is [], and a resume runs ${mapped.willRun.map(({ node }) => node).join(', ')}`,
      ),
    )
  if (nextDependsOnVersion)
    found.push(
      warning(
        'next_depends_on_version',
        'getState().next names other nodes in Python before 1.2.14 than from there on; what runs is the same',
      ),
    )
  return found
}

function questionWarnings({ level, mapped, interrupts }: ThreadFacts): CheckpointWarning[] {
  const found: CheckpointWarning[] = []
  const waiting = interrupts.filter(({ state }) => state === 'open' || state === 'answer_reused')
  if (waiting.length > 1)
    found.push(
      warning(
        'several_questions',
        `waiting for ${waiting.length} answers: ${waiting.map(({ id, node }) => `${id ?? 'no id'} (${node ?? 'unknown node'})`).join(', ')}; answer by id`,
      ),
    )
  const answer = standingAnswer(mapped.levels.map(planned => planned.level))
  if (answer !== undefined) {
    const text = clip(JSON.stringify(present(decode(answer.value))))
    found.push(
      warning('answer_stored', `the answer ${text} is stored; a resume without an answer uses it again`),
    )
  }
  if (level.language === 'python' && waiting.length > 0)
    found.push(
      warning(
        'answer_leaves_no_trace',
        'an answer given by id is not stored: the node may have gone on after one, and been stopped',
      ),
    )
  return found
}

function historyWarnings({ level, history, setAsideNodes, interrupts }: ThreadFacts): CheckpointWarning[] {
  const found: CheckpointWarning[] = []
  const { forks, gaps, lostCheckpoints, setAside } = history
  for (const { at, heads } of forks)
    found.push(
      warning(
        'forked',
        `from checkpoint ${at} on there are ${heads.length} branches, ending at ${heads
          .map(id => (id === level.checkpoint.id ? `${id} (the current one)` : id))
          .join(', ')}`,
      ),
    )
  const steps = gaps.reduce((sum, gap) => sum + gap.steps, 0)
  const [gap] = gaps
  if (gap)
    found.push(
      warning(
        'steps_not_stored',
        `${steps} step${steps === 1 ? '' : 's'} before checkpoint ${gap.before}${gaps.length > 1 ? ` and ${gaps.length - 1} more` : ''} ran and were not stored: a run with durability "exit"`,
      ),
    )
  if (lostCheckpoints.length > 0)
    found.push(
      warning(
        'checkpoint_lost',
        `tasks wrote to ${lostCheckpoints.join(', ')}, newer than the newest checkpoint and not stored: that work happened, and a resume does not know it`,
      ),
    )
  const dropped = interrupts.filter(({ state }) => state === 'discarded').length
  if (setAside !== undefined && (setAsideNodes.length > 0 || dropped > 0) && setAside.source !== 'update')
    found.push(
      warning(
        'work_discarded',
        `${setAside.source === 'input' ? 'a new input' : 'a resume from an older checkpoint'} (${setAside.by}) set aside what was pending at ${setAside.checkpointId}: ${setAsideNodes.join(', ') || 'an open question'}`,
      ),
    )
  if (setAside?.source === 'update')
    found.push(
      warning('set_by_hand', `checkpoint ${setAside.by} was written by updateState, not by running a node`),
    )
  return found
}

function subgraphWarnings({ mapped, persistent }: ThreadFacts): CheckpointWarning[] {
  const read = new Set(mapped.levels.map(({ level }) => level.namespace))
  const apart = persistent.filter(namespace => !read.has(namespace))
  return apart.length === 0
    ? []
    : [
        warning(
          'separate_subgraph_state',
          `${apart.map(clip).join(', ')} ${apart.length === 1 ? 'keeps a state of its own, which does' : 'keep states of their own, which do'} not belong to the current checkpoint`,
        ),
      ]
}
