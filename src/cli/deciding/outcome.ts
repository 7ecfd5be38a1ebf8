import { actorWords } from '../../core/actor.js'
import type { Approval } from '../../core/approval.js'
import {
  approvalsBody,
  DECISION_FIELDS,
  type DecisionBody,
  type Moved,
  sendingBody,
  standing,
} from '../../core/documents/decision.js'
import { isoTime } from '../../core/iso-time.js'
import { join, type Safe, words } from '../../core/safe-text.js'
import type { StillSending } from '../../core/still-sending.js'
import type { Deps } from '../deps.js'
import { printDocument } from '../output/document.js'
import type { Opened } from './opened.js'
import { change } from './summary.js'

type Versioned = { readonly status: string; readonly version: number }

/** What a decision changed, for people and for programs. */
export interface Outcome {
  readonly decision: string
  readonly operation_id?: string
  readonly task_id?: string
  readonly before?: Versioned
  readonly after?: Versioned
  readonly moved?: readonly Moved[]
  readonly still_sending?: readonly StillSending[]
  readonly approvals?: readonly Approval[]
  readonly until?: number | null
  readonly undo: string | null
  /** the line for people, when it is no change of a status */
  readonly line?: Safe
}

/** Prints what changed (before → after), which bytes may still leave, and what takes it back. */
export async function printOutcome(outcome: Outcome, { ledger, deps }: Opened): Promise<void> {
  const { before, after, until } = outcome
  const body: DecisionBody = {
    decision: outcome.decision,
    operation_id: outcome.operation_id ?? null,
    task_id: outcome.task_id ?? null,
    actor: ledger.actor,
    before: before === undefined ? null : standing(before),
    after: after === undefined ? null : standing(after),
    moved: outcome.moved ?? [],
    still_sending: sendingBody(outcome.still_sending ?? []),
    approvals: approvalsBody(outcome.approvals ?? []),
    until: until === undefined || until === null ? null : isoTime(until),
    undo: outcome.undo,
  }
  await printDocument(
    {
      schema: 'decision@1',
      ledger: ledger.location,
      body,
      fields: DECISION_FIELDS,
      text: () => outcomeLines(outcome, deps, ledger.actor),
    },
    deps,
  )
}

/** The same as lines. */
export function outcomeLines(outcome: Outcome, deps: Deps, actor: string): Safe {
  const { show } = deps
  const { before, after, moved = [], undo } = outcome
  const id = show(outcome.operation_id ?? outcome.task_id ?? '')
  const lines = [
    outcome.line ??
      (before === undefined || after === undefined
        ? words`${id}: done, by ${show(actorWords(actor))}`
        : words`${id}: ${change(before, after, deps)}, by ${show(actorWords(actor))}`),
  ]
  for (const one of moved)
    lines.push(words`  ${show(one.operation_id)}: now ${show(one.status)} (version ${one.version})`)
  lines.push(...sendingLines(outcome.still_sending ?? [], deps))
  if (undo !== null) lines.push(words`undo: ${show(undo)}`)
  return join(lines, '\n')
}

/** One line for each attempt that nobody can call back. */
export function sendingLines(still: readonly StillSending[], { show, times, paint }: Deps): Safe[] {
  return still.map(({ operation_id, attempt, send_by }) =>
    paint.alarm(
      words`  ! bytes of ${show(operation_id)} (attempt ${attempt}) may still leave until ${times.exact(send_by)}, ${times.relative(send_by)}`,
    ),
  )
}
