import type { CheckpointThread } from '../../core/checkpoint.js'
import type { NextStep, ReportDocument, UnknownItem } from '../../core/documents/report.js'
import { formatAge } from '../../core/duration.js'
import { ledgerCommand } from '../../core/shell-word.js'
import { isTaskClosed } from '../../core/task.js'

type Facts = Omit<ReportDocument, 'next_steps' | 'summary' | 'why_stopped'> & {
  /** milliseconds since 1970 UTC */
  readonly now: number
  /** an operation in flight whose executor may still be there, though its lease ran out */
  readonly lapsed: string | null
}

/** Operations that are given a step of their own; the rest are in the list that the last step names. */
const MOST_STEPS = 10

/**
 * What to do next, in this order: find out, hold what may still send, stop what doubles, grant, wait, hand back, go on.
 * Empty: nothing is left to do.
 */
export function nextSteps(facts: Facts): readonly NextStep[] {
  const { task } = facts
  if (task.is_finished) return []
  const steps = [
    ...facts.unknown.slice(0, MOST_STEPS).map(findOut),
    ...moreInDoubt(facts),
    ...held(facts),
    ...duplicated(facts),
    ...granted(facts),
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
      command: ledgerCommand('show', [], operation_id),
      why: `${operation_id} (${tool}): ${next_action.reason}, until ${next_action.not_before}.${claimed}`,
    }
  if (next_action.next_action === 'reconcile')
    return {
      command: ledgerCommand('reconcile', [], operation_id),
      why: `${operation_id} (${tool}) may have taken effect: ask its service, which sends nothing again.${claimed}`,
    }
  const where = look_here === null ? 'look at the service itself' : 'its tool says where to look'
  return {
    command: ledgerCommand('show', [], operation_id),
    why: `${operation_id} (${tool}) may have taken effect: ${where}, then resolve it.${claimed}`,
  }
}

function moreInDoubt({ unknown, task }: Facts): NextStep[] {
  if (unknown.length <= MOST_STEPS) return []
  return [
    {
      command: ledgerCommand('list', ['--unknown', `--task=${task.task_id}`]),
      why: `${unknown.length - MOST_STEPS} more are in doubt.`,
    },
  ]
}

/** An executor that may still be there goes on with what comes next, whatever is settled meanwhile. */
function held({ task, stalled, lapsed }: Facts): NextStep[] {
  if (task.status !== 'running' || task.taken_over_by !== null) return []
  const command = ledgerCommand('takeover', ['--reason', '…'], task.task_id)
  if (stalled.some(({ operation_id, rule }) => operation_id === null && rule !== 'heartbeat_lost'))
    return [
      {
        command,
        why: 'It lives and gets nowhere: hold the task, so that it sends nothing more, and find out why.',
      },
    ]
  if (lapsed === null) return []
  const why = `Whether the executor of ${lapsed} is gone is not known: hold the task first where nothing more of it may be sent.`
  return [{ command, why }]
}

function granted({ task, not_executed }: Facts): NextStep[] {
  if (task.status !== 'budget_exhausted') return []
  return not_executed
    .filter(({ status }) => status === 'not_executed')
    .slice(0, MOST_STEPS)
    .map(({ operation_id, tool }) => ({
      command: ledgerCommand('allow-retry', ['--reason', '…'], operation_id),
      why: `${operation_id} (${tool}) certainly did not take effect, and its attempts are used: grant one more where it is still wanted.`,
    }))
}

function duplicated({ duplicates }: Facts): NextStep[] {
  return duplicates.map(({ operations, reason }) => ({
    command: ledgerCommand('show', [], operations.at(-1)),
    why: `${operations.join(', ')}: ${reason}. Look whether the effect is there twice.`,
  }))
}

function waiting({ in_flight, not_sent, task, now }: Facts): NextStep[] {
  const flying = in_flight.map(({ operation_id, lease_expires_at }) => ({
    command: ledgerCommand('show', [], operation_id),
    why:
      lease_expires_at === null
        ? `${operation_id} is in flight and its writer takes no leases: whether it still runs only a person can tell.`
        : `${operation_id} is in flight: wait, its lease ends in ${formatAge(Date.parse(lease_expires_at) - now)}.`,
  }))
  const approvals = not_sent.filter(({ waits_for }) => waits_for === 'approval')
  const asked = approvals.map(({ operation_id, tool }) => ({
    command: ledgerCommand('approve', [], operation_id),
    why: `${operation_id} (${tool}) waits for an approval: it shows what would be sent.`,
  }))
  const persons =
    task.taken_over_by === null ? not_sent.filter(({ waits_for }) => waits_for === 'person') : []
  const runs = task.status === 'running'
  const looked = (runs ? persons : []).map(({ operation_id, tool, next_action }) => ({
    command: ledgerCommand('show', [], operation_id),
    why: `${operation_id} (${tool}): ${next_action.reason}.`,
  }))
  return [
    ...flying,
    ...asked,
    ...looked,
    ...(!runs && persons.length > 0
      ? [{ command: null, why: 'The task waits for a person’s answer; give it where the agent asked.' }]
      : []),
  ]
}

function childrenOpen({ children }: Facts): NextStep[] {
  return children
    .filter(({ open }) => open > 0)
    .map(({ task_id, open }) => ({
      command: ledgerCommand('report', [], task_id),
      why: `${open} open below it, in ${task_id}.`,
    }))
}

// Last, because it is safe only when nothing before it is left.
function goingOn(facts: Facts, isClear: boolean): NextStep[] {
  const { task, replay_risk, checkpoint } = facts
  const step = (command: string | null, why: string): NextStep[] => [
    { command, why: isClear ? capital(why) : `Once the steps above are done, ${why}` },
  ]
  if (task.taken_over_by !== null)
    return step(
      ledgerCommand('handback', ['--reason', '…'], task.task_id),
      'hand the task back: until then nothing of it is sent.',
    )
  if (task.status === 'suspended')
    return step(
      ledgerCommand('handback', ['--reason', '…'], task.task_id),
      'hand the task back: it was suspended, and nothing of it is sent until then.',
    )
  const isClosed = isTaskClosed(task.status)
  if (checkpoint !== null && (replay_risk.length > 0 || isWorthALook(checkpoint.thread, isClosed)))
    return step(
      ledgerCommand('checkpoint', [`--thread=${checkpoint.thread.thread_id}`], checkpoint.uri),
      `look at what a resume would run again, before resuming: ${checkpoint.thread.advice.action.replaceAll('_', ' ')} is advised, ${replay_risk.length} at risk.`,
    )
  if (isClosed) return []
  return step(null, `start the run again with the same ids: ${whatARunDoes(facts)}.`)
}

/** Where a run is over, that a resume would run something is news. */
function isWorthALook({ advice, will_run }: CheckpointThread, isClosed: boolean): boolean {
  return advice.action !== 'resume' || (isClosed && will_run.length > 0)
}

function whatARunDoes({ not_sent, not_executed }: Facts): string {
  const toSend = not_sent.filter(({ waits_for }) => waits_for === 'run').length
  const refused = not_executed.filter(({ status }) => status === 'not_executed').length
  return [
    'what is confirmed is not sent again',
    ...(toSend === 0 ? [] : [`${toSend} not sent yet ${toSend === 1 ? 'is' : 'are'} safe to send`]),
    ...(refused === 0 ? [] : [`${refused} without effect may be sent again while attempts are left`]),
  ].join(', ')
}

function capital(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}
