import { actorWords } from '../../core/actor.js'
import { counted } from '../../core/counted.js'
import { decisionCode } from '../../core/decision-code.js'
import type { Operation } from '../../core/operation.js'
import { riskOf } from '../../core/risk.js'
import { join, type Safe, words } from '../../core/safe-text.js'
import type { Previewed } from '../../ledger/preview.js'
import type { Deps } from '../deps.js'

interface Shown {
  readonly preview: Previewed
  readonly reason: string
  readonly evidence: readonly string[]
  readonly dangers: readonly { readonly title: string }[]
  /** further lines, after what becomes of it */
  readonly more: readonly Safe[]
}

/**
 * What a person reads before they say yes: what it is, what becomes of it, on what it rests, what could go wrong. It goes
 * to stderr, for which there are no colours.
 */
export function summaryLines({ preview, reason, evidence, dangers, more }: Shown, deps: Deps): Safe {
  const { show, times } = deps
  const { before, after, moves, task, claimed_by_other } = preview
  const code = dangers.length === 0 ? words`` : words`   code ${codeOf(before, deps)}`
  const lines = [
    words`${show(before.operation_id)}: ${change(before, after.operation, deps)}${code}`,
    words`  ${about(before, deps)}`,
  ]
  const { last_error } = before
  if (last_error !== null)
    lines.push(
      words`  last error: ${show(last_error.message, { max: 200 })} (${times.relative(last_error.at)})`,
    )
  for (const { means } of moves) lines.push(words`  ${show(means)}`)
  lines.push(...more)
  for (const text of evidence) lines.push(words`  evidence: ${show(text, { max: 400 })}`)
  lines.push(words`  reason: ${show(reason, { max: 400 })}`)
  if (task.taken_over_by !== null)
    lines.push(words`  ! ${show(task.task_id)} is held by ${show(actorWords(task.taken_over_by))}`)
  if (claimed_by_other !== null) {
    const { actor, until } = claimed_by_other
    lines.push(words`  ! ${show(actorWords(actor))} is looking at it until ${times.exact(until)}`)
  }
  for (const { title } of dangers) lines.push(words`  ! ${show(title)}`)
  return join(lines, '\n')
}

/** The six characters to type for a dangerous decision on this version. */
export function codeOf(
  { operation_id, version }: Pick<Operation, 'operation_id' | 'version'>,
  { show }: Pick<Deps, 'show'>,
): Safe {
  return show(decisionCode(operation_id, version))
}

/** `unknown → confirmed (version 3 → 4)`. */
export function change(
  before: { readonly status: string; readonly version: number },
  after: { readonly status: string; readonly version: number },
  { show }: Pick<Deps, 'show'>,
): Safe {
  const status =
    before.status === after.status
      ? words`stays ${show(after.status)}`
      : words`${show(before.status)} → ${show(after.status)}`
  return before.version === after.version
    ? words`${status} (version ${after.version})`
    : words`${status} (version ${before.version} → ${after.version})`
}

function about(operation: Operation, { show }: Deps): Safe {
  const { tool, target, task_id, attempt } = operation
  const where = target === null ? words`` : words` on ${show(target, { max: 80 })}`
  const risk = riskOf(operation)
  const effect = risk === 'undeclared' ? 'effect undeclared' : risk
  const attempts = counted(attempt, 'attempt')
  return words`${show(tool)}${where}, ${show(effect)}, ${attempts}, of ${show(task_id)}`
}
