import { LedgerError } from '../../core/errors.js'
import { words } from '../../core/safe-text.js'
import type { Deps } from '../deps.js'

/**
 * A decision needs an answer that only a person has; without a terminal it must stand in the command line. Whether there
 * is such an operation at all is said first: nobody should look for reasons for one that is not there.
 * @throws LedgerError needs_confirmation; ledger_missing, not_found
 */
export async function requireAnswerable(deps: Deps, about: About | null, needs: string): Promise<void> {
  const { io, global } = deps
  if (global.yes) return
  if (about !== null) await requireThere(deps, about)
  if (io.canAsk) return
  throw new LedgerError('needs_confirmation', 'not decided: there is no terminal to ask on', {
    hint: `Give --yes with ${needs}, or run it on a terminal.`,
  })
}

/** What a decision is about; without `as` an id of either kind. */
interface About {
  readonly id: string
  readonly as?: 'operation' | 'task'
}

async function requireThere(deps: Deps, { id, as }: About): Promise<void> {
  await deps.withLedgerForReading(ledger => ledger.subject(id, as))
}

/** A person was asked and gave no answer: as much a refusal to decide as a no. */
async function recordLeft(decision: string, { about, option }: Wanted, deps: Deps): Promise<void> {
  await deps.withLedger(async ledger => {
    const subject = about === undefined ? null : (await ledger.subject(about.id, about.as)).ref
    await ledger.decline(subject, { decision, left_out: option })
  })
}

interface Wanted {
  /** whether it is there is said before a text is missed */
  readonly about?: About
  /** as typed: `--reason` */
  readonly option: string
  /** what is asked on a terminal, without a colon */
  readonly question: string
  /** what else will be missed: where nobody can be asked it is said at once */
  readonly alsoMissing?: readonly string[]
  /** what was to be decided, as the table of moves calls it: that it was left stands on record. Absent: nothing was */
  readonly decision?: string
}

/** What lines to paste show in the place of a text that only a person has; pasted as it is, it says nothing. */
const PLACEHOLDER = /^(?:…|\.\.\.)$/

/** The text given, trimmed; none where it is empty or the placeholder of a pasted line. */
export function textGiven(given: string | undefined): string | undefined {
  const said = given?.trim() ?? ''
  return said === '' || PLACEHOLDER.test(said) ? undefined : said
}

/**
 * The text given, else what the person types. Asked once; an empty answer is none.
 * @throws LedgerError needs_confirmation where nobody can be asked, declined on an empty answer
 */
export async function textOrAsk(given: string | undefined, wanted: Wanted, deps: Deps): Promise<string> {
  const said = textGiven(given)
  if (said !== undefined) return said
  const { option, question, about } = wanted
  if (deps.global.yes || !deps.io.canAsk) {
    if (about !== undefined) await requireThere(deps, about)
    const missing = [option, ...(wanted.alsoMissing ?? [])]
    const verb = missing.length === 1 ? 'is' : 'are'
    throw new LedgerError('needs_confirmation', `not decided: ${missing.join(' and ')} ${verb} missing`, {
      path: option,
      hint: `Give ${missing.join(' and ')}.`,
    })
  }
  const answer = textGiven(await deps.io.ask(words`${deps.show(question)}: `))
  if (answer !== undefined) return answer
  if (wanted.decision !== undefined) await recordLeft(wanted.decision, wanted, deps)
  throw new LedgerError('declined', `declined: no answer for ${option}; nothing was written`)
}
