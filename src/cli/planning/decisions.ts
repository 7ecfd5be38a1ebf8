import { LedgerError } from '../../core/errors.js'
import type { Ask } from '../../ledger/asked-decision.js'
import type { LedgerForReading } from '../../ledger.js'
import type { Given } from '../command.js'
import type { plan } from '../commands/plan.js'
import { type DecisionList, withDecisionList } from '../deciding/decision-list.js'
import { evidenceGiven } from '../deciding/evidence-given.js'
import { textGiven, textOrAsk } from '../deciding/texts.js'
import type { Deps } from '../deps.js'

type Options = Given<typeof plan>

export interface Wanted {
  readonly operationId: string
  readonly ask: Ask
}

/** The decisions to freeze, one by one: of any number in constant memory. */
export type WantedOf = (ledger: LedgerForReading) => AsyncIterable<Wanted> | Iterable<Wanted>

/** Gives what was named, chosen or listed in a file, which is checked whole before and open until `use` is done. */
export async function withWanted<T>(
  given: Options,
  deps: Deps,
  use: (wanted: WantedOf) => Promise<T>,
): Promise<T> {
  const { decision, op, fromFile } = given
  if (fromFile !== undefined)
    return withDecisionList({ path: fromFile, defaults: given, io: deps.io }, list => use(() => listed(list)))
  const ask = await askGiven(decision, given, deps)
  if (op.length > 0) return use(() => op.map(operationId => ({ operationId, ask })))
  return use(ledger => chosen(ledger, given, ask))
}

async function* listed({ decisions }: DecisionList): AsyncGenerator<Wanted> {
  for await (const { operation_id, how } of decisions())
    yield { operationId: operation_id, ask: { type: 'resolve', how } }
}

async function* chosen(ledger: LedgerForReading, given: Options, ask: Ask): AsyncGenerator<Wanted> {
  const { task, tool, rule, cause } = given
  const { rows } = ledger.listing({
    show: rule === undefined ? 'unknown' : 'stalled',
    ...(task === undefined ? {} : { taskId: task }),
    ...(tool === undefined ? {} : { tool }),
    ...(rule === undefined ? {} : { rule }),
    ...(cause === undefined ? {} : { cause }),
  })
  for await (const { operation_id, in_doubt } of rows) if (in_doubt) yield { operationId: operation_id, ask }
}

async function askGiven(decision: Options['decision'], given: Options, deps: Deps): Promise<Ask> {
  const word = decision?.replaceAll('-', '_')
  refuseOthers(word, given)
  const reason = async () => textOrAsk(given.reason, { option: '--reason', question: 'Reason' }, deps)
  switch (word) {
    case 'resolve':
      return resolveAsk(given, deps)
    case 'allow_retry': {
      const acceptDuplicate = textGiven(given.acceptDuplicate)
      return {
        type: 'allow_retry',
        how: { reason: await reason(), ...(acceptDuplicate === undefined ? {} : { acceptDuplicate }) },
      }
    }
    case 'reopen':
    case 'abandon':
    case 'cancel':
      return { type: word, how: { reason: await reason() } }
    default:
      throw new LedgerError('usage', 'no decision was named')
  }
}

async function resolveAsk(given: Options, deps: Deps): Promise<Ask> {
  const { as, withoutEvidence, early, otherTarget } = given
  if (as === undefined)
    throw new LedgerError('usage', '--as is missing', {
      path: '--as',
      hint: 'Give --as confirmed when they took effect, --as not-executed when they did not.',
    })
  const evidence = await evidenceGiven(given.evidence, deps.io)
  if (withoutEvidence === evidence.length > 0)
    throw new LedgerError(
      'usage',
      withoutEvidence ? '--evidence and --without-evidence exclude each other' : '--evidence is missing',
      { path: '--evidence', hint: 'Give --evidence with what you saw, or --without-evidence.' },
    )
  const reason = await textOrAsk(given.reason, { option: '--reason', question: 'Reason' }, deps)
  return {
    type: 'resolve',
    how: {
      as,
      reason,
      ...(withoutEvidence ? { withoutEvidence } : { evidence }),
      ...(early ? { early } : {}),
      ...(otherTarget ? { otherTarget } : {}),
    },
  }
}

/** Options that belong to another decision say something that would not be done. */
function refuseOthers(decision: string | undefined, given: Options): void {
  const ofResolve =
    given.as !== undefined ||
    given.evidence.length > 0 ||
    given.withoutEvidence ||
    given.early ||
    given.otherTarget
  if (decision !== 'resolve' && ofResolve)
    throw new LedgerError('usage', '--as, --evidence and what goes with them belong to resolve', {
      path: '--as',
    })
  if (decision !== 'allow_retry' && given.acceptDuplicate !== undefined)
    throw new LedgerError('usage', '--accept-duplicate belongs to allow-retry', {
      path: '--accept-duplicate',
    })
}
