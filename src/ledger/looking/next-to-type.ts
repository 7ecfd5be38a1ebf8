import type { NextStep } from '../../core/documents/report.js'
import type { StatusDocument } from '../../core/documents/status.js'
import { ledgerCommand } from '../../core/shell-word.js'

type Facts = Omit<StatusDocument, 'next'>

interface Advice {
  readonly id: string
  readonly title: string
  readonly step: (facts: Facts, onlyTask: string | null) => NextStep | null
}

/** The next line to type, the most pressing first. */
export const ADVICE: readonly Advice[] = [
  {
    id: 'receipts_waiting',
    title: 'an outcome waits beside the ledger',
    step: ({ receipts_waiting }) =>
      receipts_waiting.length === 0
        ? null
        : {
            command: ledgerCommand('reconcile', ['--all']),
            why: 'take in what waits beside the ledger, which may settle a doubt, and ask about the rest',
          },
  },
  {
    id: 'in_doubt_in_one_task',
    title: 'all doubts are of one task: its report tells all of it',
    step: ({ in_doubt }, onlyTask) =>
      in_doubt.count === 0 || onlyTask === null
        ? null
        : {
            command: ledgerCommand('report', [], onlyTask),
            why: `what ${onlyTask} did for certain, what it may have done, and where to find out`,
          },
  },
  {
    id: 'in_doubt',
    title: 'several tasks are in doubt',
    step: ({ in_doubt }) =>
      in_doubt.count === 0
        ? null
        : {
            command: ledgerCommand('list', ['--unknown']),
            why: 'what may have taken effect, riskiest first',
          },
  },
  {
    id: 'asked',
    title: 'a person is asked',
    step: ({ awaiting_approval, flagged, not_sent }) => {
      if (awaiting_approval + flagged === 0) return null
      // The only one there is has a page of its own.
      return awaiting_approval === 1 && flagged === 0 && not_sent.count === 1 && not_sent.oldest !== null
        ? { command: ledgerCommand('show', [], not_sent.oldest), why: 'what a person is asked to approve' }
        : { command: ledgerCommand('list', []), why: 'what waits for a person' }
    },
  },
  {
    id: 'stalled',
    title: 'something stands still',
    step: ({ stalled }) =>
      stalled.some(({ of }) => of === 'operation')
        ? { command: ledgerCommand('list', ['--stalled']), why: 'what does not move, and by which rule' }
        : null,
  },
  {
    id: 'stalled_tasks',
    title: 'a task stands still with nothing open',
    step: ({ stalled }) =>
      stalled.length === 0
        ? null
        : { command: ledgerCommand('report', []), why: 'the task that needs a person most' },
  },
  {
    id: 'not_running',
    title: 'a task is held by a person, or paused',
    step: ({ tasks }) =>
      tasks.taken_over + tasks.paused.length === 0
        ? null
        : { command: ledgerCommand('tasks', []), why: 'which tasks do not run, and who holds them' },
  },
  {
    id: 'in_flight',
    title: 'something is under way',
    step: ({ in_flight }) =>
      in_flight.count === 0
        ? null
        : {
            command: ledgerCommand('list', ['--status=in_flight']),
            why: 'nothing needs a person now; this is what is under way',
          },
  },
  {
    id: 'not_sent',
    title: 'something waits for its run',
    step: ({ not_sent }) =>
      not_sent.count === 0
        ? null
        : {
            command: ledgerCommand('list', ['--status=prepared']),
            why: 'nothing needs a person now; this waits for its run',
          },
  },
]

export function nextToType(
  facts: Facts,
  { onlyTask, hasNoHistory }: { readonly onlyTask: string | null; readonly hasNoHistory: boolean },
): NextStep {
  for (const { step } of ADVICE) {
    const found = step(facts, onlyTask)
    if (found !== null) return found
  }
  // an empty ledger has no tasks to show either
  if (hasNoHistory)
    return {
      command: 'agent-ledger exec --help',
      why: 'nothing was written down yet; this guards a first command line',
    }
  return {
    command: ledgerCommand('tasks', ['--all']),
    why: 'nothing is open; these are the tasks there were',
  }
}
