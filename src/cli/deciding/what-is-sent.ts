import { type ApprovalDifference, differenceWords } from '../../core/approval-digest.js'
import type { Operation, Repeat } from '../../core/operation.js'
import { type Safe, words } from '../../core/safe-text.js'
import type { Deps } from '../deps.js'

type Sent = Pick<
  Operation,
  'tool' | 'target' | 'input' | 'effect' | 'repeat' | 'contract_digest' | 'idempotency_key'
>

/** What would leave the machine, one line each: shown before a person gives leave for it. */
export function sentLines(sent: Sent, { show, redactor }: Deps): Safe[] {
  const { tool, target, input, effect, repeat, contract_digest, idempotency_key } = sent
  const on = target === null ? words`` : words` on ${show(target, { max: 200 })}`
  return [
    words`  tool    ${show(tool)}${on}`,
    words`  input   ${show(JSON.stringify(redactor.value(input)), { max: MOST_INPUT })}`,
    words`  effect  ${show(effect ?? 'not declared: counts as irreversible')}`,
    words`  repeat  ${show(repeatWords(repeat))}`,
    words`  key     ${show(idempotency_key)}`,
    words`  policy  ${show(contract_digest)}`,
  ]
}

/** Longer inputs are cut where a person reads them, with the mark that `show` puts there; the digest is over all of it. */
const MOST_INPUT = 4_000

function repeatWords(repeat: Repeat | null): string {
  if (repeat === null) return 'not declared: never sent again while in doubt'
  const { kind, ...rest } = repeat
  return Object.keys(rest).length === 0 ? kind : `${kind} ${JSON.stringify(rest)}`
}

/** Where something is not what was approved. */
export function differenceLines(
  differences: readonly ApprovalDifference[],
  { show, redactor }: Deps,
): Safe[] {
  const masked = ({ path, approved, now }: ApprovalDifference) => ({
    path,
    approved: redactor.value(approved),
    now: redactor.value(now),
  })
  return differences.map(one => words`    ${show(differenceWords(masked(one)), { max: 400 })}`)
}
