import { isDecisionCode } from '../core/decision-code.js'
import { LedgerError } from '../core/errors.js'
import { type Safe, words } from '../core/safe-text.js'
import type { Deps } from './deps.js'

interface Question {
  /** what would be decided, with the consequences shown above it; without a question mark */
  readonly decision: Safe
  /** the code shown beside the id, which a dangerous decision asks to type; absent: y or n */
  readonly code?: Safe
  /** what `--yes` alone does not excuse from, for the hint without a terminal */
  readonly needs?: string
}

/**
 * Returns when the person said yes, or `--yes` was given. `CI=true` is no yes.
 * @throws LedgerError needs_confirmation without a terminal to ask on, declined on anything but yes
 */
export async function confirm({ decision, code, needs }: Question, { io, global, say }: Deps): Promise<void> {
  if (global.yes) return
  if (!io.canAsk) {
    throw new LedgerError('needs_confirmation', `not decided: ${decision}`, {
      hint: `There is no terminal to ask on: give --yes${needs === undefined ? '' : ` and ${needs}`}.`,
    })
  }
  const question =
    code === undefined ? words`${decision}? [y/N] ` : words`${decision}? Type ${code} to confirm: `
  const answer = (await io.ask(question))?.trim()
  const isYes = code === undefined ? /^y(?:es)?$/i.test(answer ?? '') : isDecisionCode(answer ?? '', code)
  if (isYes) return
  if (answer === undefined) await say(words``)
  const isWrongCode = code !== undefined && answer !== undefined && answer !== ''
  throw new LedgerError(
    'declined',
    `declined${isWrongCode ? `: what was typed is not the code ${code}` : ''}; nothing was written`,
  )
}
