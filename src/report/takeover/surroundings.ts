import type {
  ChildItem,
  CompensationItem,
  PhaseCounts,
  PhaseItem,
  RecordedPhase,
} from '../../core/documents/report.js'
import type { OperationView, Sight } from '../../core/documents/sight.js'
import { isInDoubt } from '../../core/in-doubt.js'
import { isoTime } from '../../core/iso-time.js'
import type { JudgedPhase } from '../../core/phase.js'
import type { ChildView, TakeoverInput } from './input.js'
import { outcomeOf, reported } from './outcomes.js'

const NO_OPERATIONS: PhaseCounts = {
  confirmed: 0,
  unknown: 0,
  in_flight: 0,
  not_sent: 0,
  not_executed: 0,
  abandoned: 0,
}

/** In the order in which they began. Done: nothing of it is open, nothing was refused, and its record may be reused. */
export function phasesOf({
  views,
  phases,
  sight,
}: Pick<TakeoverInput, 'views' | 'phases' | 'sight'>): readonly PhaseItem[] {
  const counted = new Map<string, PhaseCounts>(phases.map(({ phase }) => [phase.name, NO_OPERATIONS]))
  for (const { operation } of views) {
    if (operation.phase === null) continue
    const counts = counted.get(operation.phase) ?? NO_OPERATIONS
    const outcome = outcomeOf(operation, sight.look)
    counted.set(operation.phase, { ...counts, [outcome]: counts[outcome] + 1 })
  }
  return [...counted].map(([name, counts]) => {
    const judged = phases.find(({ phase }) => phase.name === name)
    const isClear = Object.entries(counts).every(([outcome, count]) => outcome === 'confirmed' || count === 0)
    return {
      phase: name,
      recorded: judged === undefined ? null : recordedPhase(judged),
      counts,
      is_done: isClear && (judged === undefined || judged.state === 'reusable'),
    }
  })
}

function recordedPhase({ phase, state, why }: JudgedPhase): RecordedPhase {
  const { status, input, input_revision, artifact, artifact_digest, based_on, updated_at } = phase
  return {
    status,
    state,
    why,
    input,
    input_revision,
    artifact,
    artifact_digest,
    based_on: based_on.map(base => base.phase),
    at: isoTime(updated_at),
  }
}

/** Undoing is an operation of its own: what was undone stays shown as done, then undone. */
export function compensationsOf(
  views: readonly OperationView[],
  { look }: Sight,
): readonly CompensationItem[] {
  return views.flatMap(({ operation }) => {
    const { operation_id, compensates, status } = operation
    if (compensates === null) return []
    const reason = {
      confirmed: `${compensates} was done, then undone by ${operation_id}`,
      unknown: `${compensates} may or may not have been undone by ${operation_id}`,
      in_flight: `${operation_id} is undoing ${compensates}`,
      not_sent: `${operation_id} is to undo ${compensates} and was not sent`,
      not_executed: `${compensates} was not undone: ${operation_id} did not take effect`,
      abandoned: `nobody knows whether ${operation_id} undid ${compensates}`,
    }[outcomeOf(operation, look)]
    return [{ operation_id, compensates, status, reason }]
  })
}

/** Open operations of a child that are named one by one. */
const NAMED_OF_CHILD = 20

export function childrenOf(children: readonly ChildView[], { look }: Sight): readonly ChildItem[] {
  return children.map(({ task, open, open_left_out }) => ({
    task_id: task.task_id,
    goal: task.goal,
    status: task.status,
    open: open.length + open_left_out,
    in_doubt: open.filter(operation => isInDoubt(operation, look)).length,
    operations: open
      .slice(0, NAMED_OF_CHILD)
      .map(operation => ({ ...reported(operation), in_doubt: isInDoubt(operation, look) })),
  }))
}
