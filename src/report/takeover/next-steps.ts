import { commandLine, value } from '../../core/command-line.js'
import type { NextStep, ReportDocument, UnknownItem } from '../../core/documents/report.js'
import { formatAge } from '../../core/duration.js'

type Facts = Omit<ReportDocument, 'next_steps' | 'summary' | 'why_stopped'> & {
  /** milliseconds since 1970 UTC */
  readonly now: number
}

/** Operations that are given a step of their own; the rest are in the list that the last step names. */
const MOST_STEPS = 10

/** What to do next, in this order: find out, stop what doubles, wait, hand back, go on. Empty: nothing is left to do. */
export function nextSteps(facts: Facts): readonly NextStep[] {
  const { task } = facts
  if (task.is_finished) return []
  const steps = [
    ...facts.unknown.slice(0, MOST_STEPS).map(findOut),
    ...moreInDoubt(facts),
    ...duplicated(facts),
    ...waiting(facts),
    ...childrenOpen(facts),
  ]
  return [...steps, ...goingOn(facts, steps.length === 0)]
}

function findOut(item: UnknownItem): NextStep {
  const { operation_id, tool, next_action, look_here, claimed_by } = item
  const claimed = claimed_by === null ? '' : ` ${claimed_by} is looking at it.`
  if (next_action.next_action === 'wait')
    return {
      command: commandLine('show', value(operation_id)),
      why: `${operation_id} (${tool}): ${next_action.reason}, until ${next_action.not_before}.${claimed}`,
    }
  const where = look_here === null ? 'look at the service itself' : 'its tool says where to look'
  return {
    command: commandLine('show', value(operation_id)),
    why: `${operation_id} (${tool}) may have taken effect: ${where}, then resolve it with the version shown (${item.version}).${claimed}`,
  }
}

function moreInDoubt({ unknown, task }: Facts): NextStep[] {
  if (unknown.length <= MOST_STEPS) return []
  return [
    {
      command: commandLine('list', '--unknown', '--task', value(task.task_id)),
      why: `${unknown.length - MOST_STEPS} more are in doubt.`,
    },
  ]
}

function duplicated({ duplicates }: Facts): NextStep[] {
  return duplicates.map(({ operations, reason }) => ({
    command: commandLine('show', value(operations.at(-1) ?? '')),
    why: `${operations.join(', ')}: ${reason}. Look whether the effect is there twice.`,
  }))
}

function waiting({ in_flight, not_sent, task, now }: Facts): NextStep[] {
  const flying = in_flight.map(({ operation_id, lease_expires_at }) => ({
    command: commandLine('show', value(operation_id)),
    why:
      lease_expires_at === null
        ? `${operation_id} is in flight and its writer takes no leases: whether it still runs only a person can tell.`
        : `${operation_id} is in flight: wait, its lease ends in ${formatAge(Date.parse(lease_expires_at) - now)}.`,
  }))
  const approvals = not_sent.filter(({ waits_for }) => waits_for === 'approval')
  const asked = approvals.map(({ operation_id, tool }) => ({
    command: commandLine('show', value(operation_id)),
    why: `${operation_id} (${tool}) waits for an approval.`,
  }))
  const isPaused = task.taken_over_by === null && not_sent.some(({ waits_for }) => waits_for === 'person')
  return [
    ...flying,
    ...asked,
    ...(isPaused
      ? [{ command: null, why: 'The task waits for a person’s answer; give it where the agent asked.' }]
      : []),
  ]
}

function childrenOpen({ children }: Facts): NextStep[] {
  return children
    .filter(({ open }) => open > 0)
    .map(({ task_id, open }) => ({
      command: commandLine('report', value(task_id)),
      why: `${open} open below it, in ${task_id}.`,
    }))
}

// Last, because it is safe only when nothing before it is left.
function goingOn({ task, not_sent, unknown, replay_risk, checkpoint }: Facts, isClear: boolean): NextStep[] {
  const first = isClear ? '' : 'Once the steps above are done: '
  if (task.taken_over_by !== null)
    return [
      {
        command: commandLine('handback', value(task.task_id), '--reason', '…'),
        why: `${first}hand the task back, or nothing of it is sent.`,
      },
    ]
  const toSend = not_sent.filter(({ waits_for }) => waits_for === 'run').length
  const advice = checkpoint === null ? null : `the checkpoint says: ${checkpoint.thread.advice.action}`
  if (replay_risk.length > 0 || (advice !== null && checkpoint?.thread.advice.action !== 'resume'))
    return [
      {
        command: commandLine(
          'checkpoint',
          value(checkpoint?.uri ?? ''),
          '--thread',
          value(checkpoint?.thread.thread_id ?? ''),
        ),
        why: `${first}before resuming look at what would run again (${replay_risk.length} at risk; ${advice}).`,
      },
    ]
  if (toSend > 0 || unknown.length > 0 || isClear)
    return [
      {
        command: null,
        why: `${first}start the run again with the same ids: what is confirmed is not sent again${toSend > 0 ? `, ${toSend} not sent yet ${toSend === 1 ? 'is' : 'are'} safe to send` : ''}.`,
      },
    ]
  return []
}
