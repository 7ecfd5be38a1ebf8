import type { CheckpointThread } from '../core/checkpoint.js'
import { approvalItem } from '../core/documents/approval-item.js'
import { noteItem } from '../core/documents/note-item.js'
import { externalIdItem, isoOrNull } from '../core/documents/parts.js'
import type { ReportDocument, ReportedExternalId, ReportedTask } from '../core/documents/report.js'
import type { OperationView, Sight } from '../core/documents/sight.js'
import { isoTime } from '../core/iso-time.js'
import { isLeaseLapsed } from '../core/lease.js'
import { isTaskClosed } from '../core/task.js'
import { pauseItem } from '../core/task-pauses.js'
import { duplicatesOf, lastErrorOf, stalledOf, violationsOf } from './takeover/findings.js'
import type { TakeoverInput } from './takeover/input.js'
import { lastSignOf } from './takeover/last-sign.js'
import { nextSteps } from './takeover/next-steps.js'
import { outcomeOf, outcomesOf } from './takeover/outcomes.js'
import { firstOwed, summaryOf } from './takeover/summary.js'
import { childrenOf, compensationsOf, phasesOf } from './takeover/surroundings.js'
import { whyStopped } from './takeover/why-stopped.js'

/** The takeover report of one task. Pure: the same record seen at the same moment gives the same report. */
export function takeoverReport(input: TakeoverInput): ReportDocument {
  const { views, sight, task } = input
  const outcomes = outcomesOf(views, sight)
  const facts = {
    task: reportedTask(input),
    goal: task.goal,
    ...outcomes,
    stalled: stalledOf(input),
    last_error: lastErrorOf(input),
    external_ids: views.flatMap(externalIdsOf),
    duplicates: duplicatesOf(input),
    violations: violationsOf(input),
    approvals: input.approvals.map(approval => approvalItem(approval, sight.look.now.at)),
    compensations: compensationsOf(views, sight),
    phases: phasesOf(input),
    notes: input.notes.map(noteItem),
    children: childrenOf(input.children, sight),
    checkpoint: input.checkpoint,
    replay_risk: input.checkpoint?.thread.replay_risk ?? [],
    warnings: input.warnings,
  }
  return {
    ...facts,
    summary: summaryOf(facts, firstOwed(input)),
    why_stopped: whyStopped(input),
    next_steps: nextSteps({ ...facts, now: sight.look.now.at, lapsed: lapsedOf(views, sight) }),
  }
}

/** In flight with a lease that ran out: its executor may be gone, or only slow. */
function lapsedOf(views: readonly OperationView[], { look }: Sight): string | null {
  const lapsed = views.find(({ operation }) => {
    const { status, lease_owner } = operation
    const isGone = lease_owner !== null && look.isOwnerGone(lease_owner)
    return status === 'in_flight' && !isGone && isLeaseLapsed(operation, look.now)
  })
  return lapsed?.operation.operation_id ?? null
}

function externalIdsOf({ operation, external_ids }: OperationView): ReportedExternalId[] {
  return external_ids.map(id => ({ operation_id: operation.operation_id, ...externalIdItem(id) }))
}

function reportedTask({ task, views, children, sight, claimed_by, checkpoint }: TakeoverInput): ReportedTask {
  const isOpen = views.some(({ operation }) => {
    const outcome = outcomeOf(operation, sight.look)
    return outcome === 'unknown' || outcome === 'in_flight' || outcome === 'not_sent'
  })
  return {
    task_id: task.task_id,
    status: task.status,
    status_reason: task.status_reason,
    pause: pauseItem(task),
    grace_until: isoOrNull(task.grace_until),
    is_finished:
      isTaskClosed(task.status) &&
      !isOpen &&
      children.every(({ open }) => open.length === 0) &&
      (checkpoint === null || leadsNowhere(checkpoint.thread)),
    agent: task.agent,
    parent_task_id: task.parent_task_id,
    taken_over_by: task.taken_over_by,
    taken_over_at: isoOrNull(task.taken_over_at),
    claimed_by,
    thread: task.thread,
    workspace: task.workspace,
    links: task.links,
    labels: task.labels,
    budget: task.budget,
    deadline_at: isoOrNull(task.deadline_at),
    created_at: isoTime(task.created_at),
    closed_at: isoOrNull(task.closed_at),
    last_sign_at: isoTime(lastSignOf(task, views)),
  }
}

/** A resume would run nothing, and nothing of the thread waits for a person. */
function leadsNowhere({ will_run, advice }: CheckpointThread): boolean {
  return will_run.length === 0 && advice.action === 'resume'
}
