import type { ReportDocument } from '../../core/documents/report.js'
import type { OperationView } from '../../core/documents/sight.js'
import { isTaskClosed } from '../../core/task.js'
import { notUndone } from '../not-undone.js'
import type { TakeoverInput } from './input.js'
import { outcomeOf } from './outcomes.js'

type Told = Pick<
  ReportDocument,
  | 'confirmed'
  | 'unknown'
  | 'in_flight'
  | 'not_sent'
  | 'not_executed'
  | 'abandoned'
  | 'children'
  | 'compensations'
  | 'duplicates'
>

const WORDS = [
  ['confirmed', 'confirmed'],
  ['unknown', 'in doubt'],
  ['in_flight', 'in flight'],
  ['not_sent', 'not sent'],
  ['not_executed', 'not executed'],
  ['abandoned', 'abandoned'],
] as const satisfies readonly (readonly [keyof Told, string])[]

/** The state of the whole in a few sentences: counts, the first step still owed, what a repeat of a batch would redo. */
export function summaryOf(told: Told, owed: OperationView | undefined): string {
  const counts = WORDS.flatMap(([list, words]) =>
    told[list].length === 0 ? [] : [`${told[list].length} ${words}`],
  )
  const sentences = [
    counts.length === 0 ? 'No operation is recorded.' : `Operations: ${counts.join(', ')}.`,
    ...(owed === undefined
      ? []
      : [`The first step still owed is ${owed.operation.operation_id} (${owed.operation.tool}).`]),
    ...batches(told),
    ...below(told),
    ...notUndone(told).map(({ reason }) => `${reason}.`),
    ...doubled(told),
  ]
  return sentences.join(' ')
}

/** The first operation written down of which nobody knows that it is done, or decided that it is not wanted. */
export function firstOwed({ views, sight, task }: TakeoverInput): OperationView | undefined {
  return views.find(({ operation }) => {
    const outcome = outcomeOf(operation, sight.look)
    if (outcome === 'confirmed' || outcome === 'abandoned') return false
    if (outcome !== 'not_executed') return true
    return operation.status !== 'cancelled' && !operation.flags.denied && !isTaskClosed(task.status)
  })
}

/** Below this many a batch is not worth a sentence. */
const BATCH = 3

// A step that ran over many items must not be repeated whole for the few that are left.
function batches(told: Told): string[] {
  const done = new Map<string, number>()
  for (const { tool } of told.confirmed) done.set(tool, (done.get(tool) ?? 0) + 1)
  const left = new Map<string, number>()
  for (const { tool } of [...told.unknown, ...told.in_flight, ...told.not_sent, ...told.not_executed])
    left.set(tool, (left.get(tool) ?? 0) + 1)
  return [...left].flatMap(([tool, open]) => {
    const finished = done.get(tool) ?? 0
    if (finished < BATCH) return []
    return [
      `Repeating ${tool} as a whole would meet ${finished} that are already done; ${open} ${open === 1 ? 'is' : 'are'} left.`,
    ]
  })
}

function below({ children }: Told): string[] {
  return children.flatMap(({ task_id, open, in_doubt }) => {
    if (open === 0) return []
    const doubt = in_doubt === 0 ? '' : `, ${in_doubt} in doubt`
    return [`Not finished: ${open} open ${open === 1 ? 'operation' : 'operations'} in ${task_id}${doubt}.`]
  })
}

function doubled({ duplicates }: Told): string[] {
  if (duplicates.length === 0) return []
  const [noun, verb] = duplicates.length === 1 ? ['write', 'was'] : ['writes', 'were']
  return [`${duplicates.length} ${noun} ${verb} perhaps made twice.`]
}
