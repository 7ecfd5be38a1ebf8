import type { AdvisedAction, CheckpointAdvice, CheckpointThread } from './checkpoint.js'

/** A thread before it is advised on. */
export type ThreadFacts = Omit<CheckpointThread, 'advice'>

interface AdviceRule {
  readonly id: string
  readonly title: string
  readonly action: AdvisedAction
  /** why it applies; none = it does not */
  readonly reasons: (thread: ThreadFacts, recorded: Recorded | undefined) => readonly string[]
}

/** What is known of the outside writes of a thread. */
export interface Recorded {
  /** for which an operation is known */
  readonly nodes: ReadonlySet<string>
  /** the operations were read from the store itself: what a node does without saying so there, nobody wrote down */
  readonly isOfStore: boolean
}

/**
 * What to do with a thread, the most careful first: the first rule with a reason gives the action, the reasons of all are
 * shown. Nothing here takes an empty list for "done", and a resume without an answer is never advised while a stored
 * answer would be used for it.
 */
export const ADVICE_RULES: readonly AdviceRule[] = [
  {
    id: 'not_readable',
    title: 'what would run is not known',
    action: 'hand_over',
    reasons: thread =>
      messagesOf(thread, [
        'checkpoint_unreadable',
        'checkpoint_missing',
        'route_not_stored',
        'truncated',
        'cut_short',
        'torn',
        'gap_in_events',
        'history_is_older',
      ]),
  },
  {
    id: 'in_doubt',
    title: 'an outside write may have happened',
    action: 'reconcile_first',
    reasons: ({ replay_risk }) =>
      replay_risk
        .filter(({ status }) => status !== 'confirmed')
        .map(({ operation_id, why }) => `${operation_id}: ${why}`),
  },
  {
    id: 'unanswered_action',
    title: 'the framework lost track of an action, or will carry it out once more',
    action: 'reconcile_first',
    reasons: thread =>
      messagesOf(thread, [
        'runs_without_asking',
        'action_outside_branch',
        'answered_by_an_error',
        'made_up_answer',
      ]),
  },
  {
    id: 'sent_twice',
    title: 'an outside write would happen twice',
    action: 'change_first',
    reasons: ({ replay_risk }) =>
      replay_risk
        .filter(({ status }) => status === 'confirmed')
        .map(({ operation_id, why }) => `${operation_id}: ${why}`),
  },
  {
    id: 'no_checkpoint',
    title: 'records are there, and no checkpoint',
    action: 'hand_over',
    reasons: thread => messagesOf(thread, ['no_checkpoint']),
  },
  {
    id: 'route_lost',
    title: 'a resume would run nothing of what should follow',
    action: 'change_first',
    reasons: thread => messagesOf(thread, ['router_failed']),
  },
  {
    id: 'phase_invalid',
    title: 'what it stands on is not as it was',
    action: 'change_first',
    reasons: thread => messagesOf(thread, ['phase_invalid']),
  },
  {
    id: 'answer_stored',
    title: 'a resume without an answer would use a stored one',
    action: 'hand_over',
    reasons: thread =>
      messagesOf(thread, ['answer_stored']).map(message => `${message}; answer by id instead`),
  },
  {
    id: 'questions_open',
    title: 'a person’s answer is needed',
    action: 'hand_over',
    reasons: ({ interrupts }) => {
      const open = interrupts.filter(({ state }) => state === 'open' || state === 'answer_reused')
      if (open.length === 0) return []
      const names = open.map(({ id, node }) => `${id ?? 'no id'} (${node ?? 'unknown node'})`)
      return [`waiting for ${open.length} answer${open.length === 1 ? '' : 's'}: ${names.join(', ')}`]
    },
  },
  {
    id: 'effects_not_recorded',
    title: 'nobody recorded what the nodes did outside',
    action: 'reconcile_first',
    reasons: ({ will_run, enclosing }, recorded) => {
      if (recorded !== undefined && !recorded.isOfStore) return []
      const untold = [...enclosing, ...will_run].filter(({ node }) => !recorded?.nodes.has(node))
      if (untold.length === 0 || will_run.every(({ node }) => recorded?.nodes.has(node))) return []
      const why = recorded === undefined ? 'no ledger was asked' : 'no ledger knows this run'
      return [
        `${why}: look first whether what ${nodesOf(untold)} does outside has happened; the checkpoint cannot tell a node that never started from one stopped after its last effect`,
      ]
    },
  },
  {
    id: 'ended_in_doubt',
    title: 'the run has ended, and an outside write was open or is not known',
    action: 'reconcile_first',
    reasons: thread => messagesOf(thread, ['ended_with_open_work', 'outcomes_unknown']),
  },
  {
    id: 'run_ended',
    title: 'the run has ended before its work was done',
    action: 'resume_from',
    reasons: thread => messagesOf(thread, ['run_ended']),
  },
  {
    id: 'question_set_aside',
    title: 'nothing is left to run, and a question was dropped',
    action: 'resume_from',
    reasons: thread =>
      thread.will_run.length === 0 && thread.interrupts.some(({ state }) => state === 'discarded')
        ? messagesOf(thread, ['work_discarded', 'forked'])
        : [],
  },
  {
    id: 'nothing_left',
    title: 'a resume would run nothing',
    action: 'resume',
    reasons: thread => {
      if (thread.will_run.length > 0) return []
      const known = messagesOf(thread, ['run_completed', 'waits'])
      const hasEnded = messagesOf(thread, ['run_ended']).length > 0
      if (known.length > 0 || hasEnded || thread.checkpoint_id === null) return known
      return [
        `nothing is left to run at checkpoint ${thread.checkpoint_id}; work past it may have been stored nowhere`,
      ]
    },
  },
  {
    id: 'runs_again',
    title: 'nodes run again from their first line',
    action: 'resume',
    reasons: ({ will_run, enclosing }, recorded) => {
      if (will_run.length === 0) return []
      const around = enclosing.length === 0 ? '' : `, inside ${nodesOf(enclosing)}`
      const isAsked = recorded !== undefined && !recorded.isOfStore
      const unrecorded = isAsked && will_run.filter(({ node }) => !recorded.nodes.has(node))
      return [
        `a resume runs ${nodesOf(will_run)}${around} from the first line, provided that the code still has what is named so`,
        ...(unrecorded && unrecorded.length > 0
          ? [
              `no operation is recorded for ${nodesOf(unrecorded)}: what goes out past the ledger is not known here`,
            ]
          : []),
      ]
    },
  },
]

/** `recorded`: undefined where nobody was asked. */
export function adviseOn(thread: ThreadFacts, recorded?: Recorded): CheckpointAdvice {
  const found = ADVICE_RULES.map(({ action, reasons }) => ({
    action,
    reasons: reasons(thread, recorded),
  })).filter(({ reasons }) => reasons.length > 0)
  return {
    action: found[0]?.action ?? 'hand_over',
    reasons:
      found.length === 0 ? ['the thread says nothing of itself'] : found.flatMap(({ reasons }) => reasons),
  }
}

function messagesOf({ warnings }: ThreadFacts, codes: readonly string[]): string[] {
  return warnings.filter(({ code }) => codes.includes(code)).map(({ message }) => message)
}

function nodesOf(list: readonly { readonly node: string }[]): string {
  return [...new Set(list.map(({ node }) => node))].join(', ')
}
