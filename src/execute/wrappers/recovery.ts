import type { NextAction } from '../../core/next-action.js'
import type { RunOutcome } from '../../core/run-outcome.js'
import { shellWord } from '../../core/shell-word.js'

/** What a framework is handed where a call did not come to a result: for a person, and for the code that resumes. */
export interface Recovery {
  readonly status: Exclude<RunOutcome['status'], 'confirmed' | 'unrecorded'>
  readonly operation_id: string
  readonly tool: string
  readonly reason: string
  /** null where nothing is in doubt */
  readonly next_action: NextAction | null
  /** do nothing before this moment, milliseconds since 1970 UTC */
  readonly until: number | null
  /** what a person types to look at it */
  readonly command: string
  /** what a model may be told */
  readonly told: string
}

type Unfinished = Extract<RunOutcome, { status: Recovery['status'] }>

export interface CallRef {
  readonly id: string
  readonly tool: string
}

/** The recovery record of a call that came to no result. */
export function recoveryOf(outcome: Unfinished, { id, tool }: CallRef): Recovery {
  return {
    status: outcome.status,
    operation_id: id,
    tool,
    reason: reasonOf(outcome),
    next_action: outcome.status === 'unknown' ? outcome.next_action : null,
    until: untilOf(outcome),
    command: `agent-ledger show ${shellWord(id)}`,
    told: toldModel(outcome, { id, tool }),
  }
}

/** What a model is told. It never invites to another try of what may have happened. */
export function toldModel(outcome: Unfinished, { id, tool }: CallRef): string {
  const what = `${tool} (operation ${id})`
  switch (outcome.status) {
    case 'unknown':
      return `UNKNOWN: ${what} may have taken effect. Do not call it again, also not with other words. Verify whether it happened, or leave that to a person: ${reasonOf(outcome)}.`
    case 'in_progress':
      return `IN PROGRESS: ${what} is being carried out elsewhere. Do not call it again; its outcome will be on record.`
    case 'waiting':
      return `WAITING: ${what} was not sent; it waits for ${AWAITED[outcome.for]}: ${outcome.reason}. Do not call it again.`
    case 'not_executed':
      return `NOT EXECUTED: ${what} certainly did not take effect: ${outcome.reason}.`
    case 'cancelled':
      return `CANCELLED: ${what} was not sent and will not be: a person cancelled it. Do not call it again.`
    case 'abandoned':
      return `ABANDONED: nobody knows whether ${what} took effect, and a person decided to stop asking. Do not call it again.`
  }
}

const AWAITED = {
  approval: 'an approval',
  retry: 'the time of its next attempt',
  person: 'a person',
} as const

function reasonOf(outcome: Unfinished): string {
  switch (outcome.status) {
    case 'unknown':
      return outcome.next_action.reason
    case 'waiting':
    case 'not_executed':
      return outcome.reason
    case 'in_progress':
      return 'another executor holds it'
    case 'cancelled':
      return 'a person cancelled it'
    case 'abandoned':
      return 'a person stopped asking'
  }
}

function untilOf(outcome: Unfinished): number | null {
  switch (outcome.status) {
    case 'unknown':
      return outcome.next_action.not_before
    case 'in_progress':
      return outcome.until
    case 'waiting':
      return outcome.until ?? null
    case 'not_executed':
    case 'cancelled':
    case 'abandoned':
      return null
  }
}
