import { awaitsApproval } from '../../core/approval.js'
import { causeOf } from '../../core/cause.js'
import { isoOrNull } from '../../core/documents/parts.js'
import { type OperationView, type Sight, stallsIn } from '../../core/documents/sight.js'
import type { OpenGroup } from '../../core/documents/status.js'
import { isInDoubt } from '../../core/in-doubt.js'
import { isLeaseLapsed } from '../../core/lease.js'
import { isSettled, type OperationOutline } from '../../core/operation.js'
import type { Stall, StallRuleId } from '../../core/stall/rule.js'
import type { Troubled } from './rows.js'

/** How many, and the oldest of them. */
export interface Group {
  readonly count: number
  readonly oldest: { readonly id: string; readonly at: number } | null
}

/** What a walk over everything that needs a look adds up to. */
export interface Tally {
  readonly in_doubt: Group
  /** the first in the order of risk */
  readonly riskiest: OperationOutline | null
  /** the task of all in doubt; null where there are several */
  readonly only_task: string | null
  readonly stalled: ReadonlyMap<StallRuleId, Group>
  readonly causes: ReadonlyMap<string, Group>
  readonly awaiting_approval: Group
  /** settled, yet a person is asked */
  readonly flagged: number
  /** when the first lease ran out whose operation is in doubt for it */
  readonly first_lapse_at: number | null
}

const NOTHING: Group = { count: 0, oldest: null }

/** Rows come riskiest first. */
export async function tallyOf(rows: AsyncIterable<Troubled>, sight: Sight): Promise<Tally> {
  const { look } = sight
  const stalled = new Map<StallRuleId, Group>()
  const causes = new Map<string, Group>()
  const tasks = new Set<string>()
  let [in_doubt, awaiting_approval] = [NOTHING, NOTHING]
  let riskiest: OperationOutline | null = null
  let flagged = 0
  let first_lapse_at: number | null = null
  for await (const { view, scope } of rows) {
    const { operation } = view
    for (const stall of stallsIn(view, sight)) count(stalled, stall.rule, stalledSince(stall, view))
    if (isInDoubt(operation, look)) {
      riskiest ??= operation
      in_doubt = withOne(in_doubt, madeAt(operation))
      if (tasks.size < 2) tasks.add(operation.task_id)
      const cause = causeOf(operation)
      if (cause !== null) count(causes, cause, madeAt(operation))
      if (operation.status === 'in_flight' && isLeaseLapsed(operation, look.now))
        first_lapse_at = Math.min(first_lapse_at ?? Infinity, operation.lease_expires_at ?? Infinity)
    } else if (scope === 'attention') {
      if (isSettled(operation.status)) flagged++
      else if (awaitsApproval(operation, (view.approved_at ?? null) !== null))
        awaiting_approval = withOne(awaiting_approval, madeAt(operation))
    }
  }
  const [only_task = null, second] = tasks
  return {
    in_doubt,
    riskiest,
    only_task: second === undefined ? only_task : null,
    stalled,
    causes,
    awaiting_approval,
    flagged,
    first_lapse_at,
  }
}

interface Moment {
  readonly id: string
  readonly at: number
}

function madeAt({ operation_id, created_at }: OperationOutline): Moment {
  return { id: operation_id, at: created_at }
}

function stalledSince({ since }: Stall, { operation }: OperationView): Moment {
  return { id: operation.operation_id, at: since }
}

/** One more of a group. */
export function withOne(group: Group, one: Moment): Group {
  const isOldest = group.oldest === null || one.at < group.oldest.at
  return { count: group.count + 1, oldest: isOldest ? one : group.oldest }
}

export function openGroup({ count, oldest }: Group): OpenGroup {
  return { count, oldest_at: isoOrNull(oldest?.at ?? null), oldest: oldest?.id ?? null }
}

function count<K>(groups: Map<K, Group>, key: K, one: Moment): void {
  groups.set(key, withOne(groups.get(key) ?? NOTHING, one))
}
