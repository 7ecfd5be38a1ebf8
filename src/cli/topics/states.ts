import { OPERATION_STATUSES, type OperationStatus } from '../../core/operation.js'
import { join, safe, words } from '../../core/safe-text.js'
import { TRANSITIONS } from '../../core/transitions/table.js'
import { pairs } from './pairs.js'
import type { Topic } from './topic.js'

/** What each status means, for help and docs/states.md. */
export const STATUS_MEANINGS: Readonly<Record<OperationStatus, string>> = {
  prepared:
    'the intent is durable and no attempt is live; it may wait for an approval, a retry time or a person',
  in_flight: 'an attempt was announced durably; bytes may have left',
  confirmed: 'there is positive evidence that it took effect',
  not_executed: 'there is positive evidence that no attempt took effect',
  unknown: 'it may have taken effect; the evidence does not say',
  cancelled: 'no attempt was ever sent, and none will be',
  abandoned: 'nobody knows, and a person decided, with a reason, to stop asking',
}

export const statesTopic: Topic = {
  name: 'states',
  text: () => words`Statuses of an operation:

${pairs(OPERATION_STATUSES.map(status => [status, STATUS_MEANINGS[status]]))}

Moves, by the status they start from:

${join(
  (['none', ...OPERATION_STATUSES] as const).map(from => movesFrom(from)),
  '\n',
)}`,
}

function movesFrom(from: OperationStatus | 'none') {
  const moves = TRANSITIONS.filter(row => row.from.includes(from))
  const title = from === 'none' ? safe('before it exists') : safe(from)
  const rows = moves.map(({ event, to, means }) => [`${event} → ${to}`, means] as const)
  return words`${title}
${rows.length === 0 ? safe('  none') : pairs(rows)}
`
}
