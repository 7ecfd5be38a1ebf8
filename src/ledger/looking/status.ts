import { isoOrNull } from '../../core/documents/parts.js'
import type { ClaimItem, OpenGroup, StalledGroup, StatusDocument } from '../../core/documents/status.js'
import { isoTime } from '../../core/iso-time.js'
import type { OperationOutline } from '../../core/operation.js'
import { riskOf } from '../../core/risk.js'
import type { StallRuleId } from '../../core/stall/rule.js'
import { STALL_RULES, TASK_STALL_RULES } from '../../core/stall/stalls.js'
import type { Task } from '../../core/task.js'
import { PAUSES } from '../../core/task-pauses.js'
import { pendingReceipts } from '../../execute/spool.js'
import type { Claim } from '../../store/store.js'
import { nextToType } from './next-to-type.js'
import { troubleOf } from './rows.js'
import type { LookingSession } from './session.js'
import { stalledAmong } from './stalled-tasks.js'
import { type Group, openGroup, tallyOf, withOne } from './tally.js'
import { flyingOf } from './under-way.js'
import { type Look, lookNow } from './view.js'

/** What is open, and what to type next. Costs what is open, never what is settled. */
export async function status(session: LookingSession): Promise<StatusDocument> {
  const { store } = session
  const look = await lookNow(session)
  const { at } = look.look.now
  const counts = await store.counts(at)
  const tally = await tallyOf(troubleOf(store, { sort: 'risk' }, look), look)
  const open = counts.tasks_open === 0 ? [] : await store.openTasks()
  const stalledTasks = await stalledTasksOf(session, open, look)
  const { riskiest } = tally
  const facts = {
    in_doubt: {
      ...openGroup(tally.in_doubt),
      risk: riskiest === null ? null : riskOf(riskiest),
      riskiest: riskiest?.operation_id ?? null,
    },
    in_flight: await flyingOf(store, look),
    not_sent: await waitingOf(session, look, tally.awaiting_approval),
    awaiting_approval: tally.awaiting_approval.count,
    stalled: [...inOrder(STALL_RULES, tally.stalled, 'operation'), ...stalledTasks],
    causes: causesOf(tally.causes),
    flagged: tally.flagged,
    claims: (await store.claims(at)).map(claimItem),
    tasks: { open: counts.tasks_open, taken_over: counts.tasks_taken_over, paused: pausedOf(open) },
    last_event_at: isoOrNull(look.lastEventAt),
    is_silent:
      tally.first_lapse_at !== null && (look.lastEventAt === null || look.lastEventAt < tally.first_lapse_at),
    receipts_waiting: pendingReceipts(store.location, store.spoolFolder),
  }
  const hasNoHistory = counts.tasks_open === 0 && (await isEmpty(session, look))
  return { ...facts, next: nextToType(facts, { onlyTask: tally.only_task, hasNoHistory }) }
}

async function isEmpty({ store }: LookingSession, { look, goneOwners }: Look): Promise<boolean> {
  const { operations } = await store.operations({
    scope: 'all',
    sort: 'id',
    limit: 1,
    uncounted: true,
    now: look.now,
    goneOwners,
  })
  return operations.length === 0
}

/** Those that wait for an approval are among them. */
async function waitingOf({ store }: LookingSession, look: Look, awaiting: Group): Promise<OpenGroup> {
  const { operations, left_out } = await store.operations({
    scope: 'moving',
    statuses: ['prepared'],
    sort: 'age',
    limit: 1,
    now: look.look.now,
    goneOwners: look.goneOwners,
  })
  const [first] = operations
  const oldest = older(first === undefined ? null : madeAt(first), awaiting.oldest)
  return openGroup({ count: operations.length + left_out + awaiting.count, oldest })
}

function pausedOf(open: readonly Task[]): StatusDocument['tasks']['paused'] {
  return PAUSES.flatMap(({ status, resumes }) => {
    const count = open.filter(task => task.status === status).length
    return count === 0 ? [] : [{ status, count, resumes }]
  })
}

async function stalledTasksOf(
  { store }: LookingSession,
  open: readonly Task[],
  look: Look,
): Promise<StalledGroup[]> {
  const groups = new Map<StallRuleId, Group>()
  for (const { task, stalls } of await stalledAmong(store, open, look)) {
    for (const { rule, since } of stalls) {
      groups.set(
        rule,
        withOne(groups.get(rule) ?? { count: 0, oldest: null }, { id: task.task_id, at: since }),
      )
    }
  }
  return inOrder(TASK_STALL_RULES, groups, 'task')
}

function inOrder(
  rules: readonly { readonly id: StallRuleId }[],
  groups: ReadonlyMap<StallRuleId, Group>,
  of: StalledGroup['of'],
): StalledGroup[] {
  return rules.flatMap(({ id }) => {
    const group = groups.get(id)
    if (group?.oldest == null) return []
    return [{ rule: id, of, count: group.count, oldest_since: isoTime(group.oldest.at) }]
  })
}

function causesOf(groups: ReadonlyMap<string, Group>): StatusDocument['causes'] {
  return [...groups]
    .flatMap(([cause, { count, oldest }]) => (oldest === null ? [] : [{ cause, count, at: oldest.at }]))
    .sort((a, b) => b.count - a.count || a.at - b.at)
    .map(({ cause, count, at }) => ({ cause, count, oldest_at: isoTime(at) }))
}

function madeAt({ operation_id, created_at }: OperationOutline) {
  return { id: operation_id, at: created_at }
}

function older(a: Group['oldest'], b: Group['oldest']): Group['oldest'] {
  if (a === null || b === null) return a ?? b
  return b.at < a.at ? b : a
}

function claimItem({ subject, actor, until }: Claim): ClaimItem {
  return 'operation_id' in subject
    ? { subject: 'operation', subject_id: subject.operation_id, by: actor, until: isoTime(until) }
    : { subject: 'task', subject_id: subject.task_id, by: actor, until: isoTime(until) }
}
