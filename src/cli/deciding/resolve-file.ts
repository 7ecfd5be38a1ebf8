import { RESOLVE_FIELDS, type ResolveBody } from '../../core/documents/resolve.js'
import { ERROR_RULES, isLedgerError, LedgerError } from '../../core/errors.js'
import { join, type Safe, words } from '../../core/safe-text.js'
import type { Ledger, LedgerForReading } from '../../ledger.js'
import type { Given } from '../command.js'
import type { resolve } from '../commands/resolve.js'
import type { Deps } from '../deps.js'
import { chosenFields, pick } from '../output/fields.js'
import { documentHead, printableJson } from '../output/json.js'
import { type ListedDecision, listDecisions } from './decision-list.js'
import { textOfFile } from './given-json.js'
import { type Opened, withLedger, withLedgerForReading } from './opened.js'

type Options = Given<typeof resolve>

/**
 * Carries out a file of decisions, one commit each, in their order; without --yes it only tells what would be done.
 * 0 when each is done or was done before, 6 when some were not. What is done stays done when it is interrupted.
 */
export async function resolveFile(path: string, given: Options, deps: Deps): Promise<number> {
  refuseSingle(given)
  chosenFields(deps.global.fields, RESOLVE_FIELDS)
  const text = await textOfFile(path, deps.io)
  const decisions = await listDecisions(text, {
    path: path === '-' ? 'stdin' : path,
    defaults: given,
    io: deps.io,
  })
  return deps.global.yes
    ? withLedger(deps, opened => each(decisions, opened, decision => carryOut(opened.ledger, decision)))
    : withLedgerForReading(deps, opened => dryRun(decisions, opened))
}

function refuseSingle({
  result,
  externalId,
  expectVersion,
  early,
  otherTarget,
  withoutEvidence,
}: Options): void {
  const isGiven =
    result !== undefined ||
    externalId.length > 0 ||
    expectVersion !== undefined ||
    early ||
    otherTarget ||
    withoutEvidence
  if (!isGiven) return
  throw new LedgerError(
    'usage',
    'with --file only --as, --evidence and --reason stand for what a decision leaves out',
    {
      path: '--file',
      hint: 'Write the rest into the file: result, external_ids, expect_version, early, other_target, without_evidence.',
    },
  )
}

async function dryRun(
  decisions: readonly ListedDecision[],
  opened: Opened<LedgerForReading>,
): Promise<number> {
  const seen = new Set<string>()
  const code = await each(decisions, opened, decision => foretell(opened.ledger, decision, seen))
  await opened.deps.say(words`dry run: nothing was written; with --yes it is carried out`)
  return code
}

async function each<L extends LedgerForReading>(
  decisions: readonly ListedDecision[],
  { ledger, deps }: Opened<L>,
  work: (decision: ListedDecision) => Promise<ResolveBody>,
): Promise<number> {
  const counts = new Map<string, number>()
  for (const [i, decision] of decisions.entries()) {
    if (deps.signal.aborted) {
      await deps.say(
        words`interrupted: ${decisions.length - i} of ${decisions.length} were not begun; run it again`,
      )
      return INTERRUPTED
    }
    const body = await work(decision)
    counts.set(body.outcome, (counts.get(body.outcome) ?? 0) + 1)
    await printBody(body, ledger.location, deps)
  }
  const parts = [...counts].map(
    ([outcome, count]) => words`${count} ${deps.show(outcome.replaceAll('_', ' '))}`,
  )
  const count = decisions.length === 1 ? words`1 decision` : words`${decisions.length} decisions`
  await deps.say(words`${count}: ${join(parts, ', ')}`)
  return (counts.get('not_done') ?? 0) > 0 ? ERROR_RULES.some_failed.exitCode : 0
}

const INTERRUPTED = 130

async function carryOut(ledger: Ledger, decision: ListedDecision): Promise<ResolveBody> {
  const { operation_id, how } = decision
  try {
    const { after, repeated, undo } = await ledger.resolve(operation_id, how)
    const { status, version } = after
    return { ...bodyOf(decision), outcome: repeated ? 'already' : 'done', status, version, undo }
  } catch (error) {
    return notDone(decision, error)
  }
}

async function foretell(
  ledger: LedgerForReading,
  decision: ListedDecision,
  seen: Set<string>,
): Promise<ResolveBody> {
  const { operation_id, how, decision_id } = decision
  try {
    const on = await ledger.carriedOut(decision_id)
    const { before, after, refusal } = await ledger.preview(operation_id, { type: 'resolve', how })
    if (on === operation_id) return { ...bodyOf(decision), outcome: 'already', ...standing(before) }
    if (on !== null)
      throw new LedgerError(
        'conflict',
        `decision ${decision_id} was carried out on ${on}, not on ${operation_id}`,
        {
          id: operation_id,
          hint: 'Give each decision an id of its own.',
        },
      )
    if (seen.has(operation_id))
      throw new LedgerError('conflict', `an earlier decision of this file settles ${operation_id}`, {
        id: operation_id,
        hint: 'Keep one decision for each operation.',
      })
    if (refusal !== null)
      throw new LedgerError(refusal.code, refusal.reason, {
        id: operation_id,
        rule: refusal.rule,
        hint: refusal.satisfy,
      })
    seen.add(operation_id)
    return { ...bodyOf(decision), outcome: 'would_be_done', ...standing(after.operation) }
  } catch (error) {
    return notDone(decision, error)
  }
}

function standing({ status, version }: { readonly status: string; readonly version: number }) {
  return { status, version }
}

function bodyOf({ decision_id, operation_id, how }: ListedDecision) {
  return { decision_id, operation_id, as: how.as, status: null, version: null, undo: null, error: null }
}

// What concerns one decision is its result; a ledger that cannot be written ends the run.
function notDone(decision: ListedDecision, error: unknown): ResolveBody {
  if (!isLedgerError(error) || !OF_ONE.has(error.code)) throw error
  const { code, message, rule = null, hint, exitCode } = error
  return {
    ...bodyOf(decision),
    outcome: 'not_done',
    error: { code, message, rule, hint, exit_code: exitCode },
  }
}

const OF_ONE: ReadonlySet<string> = new Set(['not_found', 'conflict', 'refused', 'invalid_input'])

async function printBody(body: ResolveBody, ledger: string, deps: Deps): Promise<void> {
  const { json, jsonl } = deps.global
  const fields = chosenFields(deps.global.fields, RESOLVE_FIELDS)
  if (!json && !jsonl && fields === undefined) {
    await deps.print(lineOf(body, deps))
    return
  }
  const document = { ...documentHead({ schema: 'resolve@1', ledger }, deps.now), ...pick(body, fields) }
  await deps.io.stdout.write(`${printableJson(deps.redactor.json(document))}\n`)
}

function lineOf(
  { operation_id, as, outcome, status, version, error }: ResolveBody,
  { show, paint }: Deps,
): Safe {
  const id = show(operation_id)
  if (error !== null)
    return join(
      [paint.alarm(words`${id}: not done: ${show(error.message)}`), words`  hint: ${show(error.hint)}`],
      '\n',
    )
  const stands = words`${show(status ?? 'unknown')} (version ${version ?? 0})`
  switch (outcome) {
    case 'done':
      return words`${id}: now ${stands}`
    case 'already':
      return words`${id}: already carried out; it is ${stands}`
    case 'would_be_done':
      return words`${id}: would be ${stands}`
    case 'not_done':
      return words`${id}: not done as ${show(as)}`
  }
}
