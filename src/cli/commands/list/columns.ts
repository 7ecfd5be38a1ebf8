import { actorName } from '../../../core/actor.js'
import type { CauseGroup, ListedOperation, ListedTask } from '../../../core/documents/list.js'
import { formatAge } from '../../../core/duration.js'
import type { Column } from '../../output/table.js'

/** Columns of operations, for terminals and pipes. Meaning stands in words; colour only repeats it. */
export const OPERATION_COLUMNS: readonly Column<ListedOperation>[] = [
  { heading: 'operation', cell: row => row.operation_id, rank: 0 },
  {
    heading: 'state',
    cell: stateOf,
    rank: 0,
    paint: (shown, row, paint) => {
      if (row.in_doubt) return paint.doubt(shown)
      if (row.stalled_by.length > 0) return paint.alarm(shown)
      return row.status === 'in_flight' ? paint.busy(shown) : shown
    },
  },
  { heading: 'age', cell: row => formatAge(row.age_ms), rank: 2, align: 'right' },
  { heading: 'risk', cell: row => row.risk, rank: 5 },
  { heading: 'tool', cell: row => row.tool, rank: 3, least: 12 },
  { heading: 'task', cell: row => row.task_id, rank: 4 },
  { heading: 'why', cell: whyOf, rank: 1, least: 20 },
]

export const GROUP_COLUMNS: readonly Column<CauseGroup>[] = [
  { heading: 'count', cell: group => String(group.count), rank: 0, align: 'right' },
  { heading: 'cause', cell: group => group.cause ?? 'no error on record', rank: 0, least: 20 },
  { heading: 'oldest', cell: group => formatAge(group.oldest_age_ms), rank: 2, align: 'right' },
  { heading: 'operations', cell: group => group.operations.join(' '), rank: 1, least: 20 },
]

export const TASK_COLUMNS: readonly Column<ListedTask>[] = [
  { heading: 'task', cell: row => row.task_id, rank: 0 },
  {
    heading: 'state',
    cell: ({ status }) => `${status}, stalled`,
    rank: 0,
    paint: (shown, _, paint) => paint.alarm(shown),
  },
  { heading: 'why', cell: ({ stalled_by }) => rulesOf(stalled_by), rank: 1, least: 20 },
]

/** `in_flight, in doubt, stalled, by hand (lee), claimed by ana`; what repeats another write need not stand still. */
function stateOf({
  status,
  in_doubt,
  stalled_by,
  by_hand,
  verification,
  undone_by,
  claimed_by,
}: ListedOperation): string {
  return [
    status,
    ...(in_doubt && status !== 'unknown' ? ['in doubt'] : []),
    ...(stalled_by.some(({ rule }) => rule !== 'duplicate_writes') ? ['stalled'] : []),
    ...(stalled_by.some(({ rule }) => rule === 'duplicate_writes') ? ['repeats another'] : []),
    ...(by_hand === null ? [] : [`by hand (${actorName(by_hand.by)})`]),
    ...(verification === 'verified' ? ['verified'] : []),
    ...(undone_by === null ? [] : [`undone by ${undone_by}`]),
    ...(claimed_by === null ? [] : [`claimed by ${actorName(claimed_by)}`]),
  ].join(', ')
}

/** Every rule that calls it stalled with its numbers; else what went wrong; else what comes next. */
function whyOf({ stalled_by, in_doubt, last_error, next_action }: ListedOperation): string {
  if (stalled_by.length > 0) return rulesOf(stalled_by)
  return in_doubt && last_error !== null ? last_error.message : next_action.reason
}

function rulesOf(stalled_by: ListedOperation['stalled_by']): string {
  return stalled_by.map(({ rule, reason }) => `${rule}: ${reason}`).join('; ')
}
