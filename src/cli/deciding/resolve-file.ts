import { type FirstLines, firstLines } from '../../config/first-lines.js'
import { counted } from '../../core/counted.js'
import { RESOLVE_FIELDS, type ResolveBody } from '../../core/documents/resolve.js'
import { ERROR_RULES, isLedgerError, LedgerError } from '../../core/errors.js'
import { join, type Safe, words } from '../../core/safe-text.js'
import type { Ledger, LedgerForReading } from '../../ledger.js'
import type { Given } from '../command.js'
import type { resolve } from '../commands/resolve.js'
import type { Deps } from '../deps.js'
import { chosenFields, pick } from '../output/fields.js'
import { documentHead, printableJson } from '../output/json.js'
import { withProgress } from '../output/progress.js'
import { type DecisionList, type ListedDecision, withDecisionList } from './decision-list.js'
import { type Opened, withLedger, withLedgerForReading } from './opened.js'

type Options = Given<typeof resolve>

/**
 * Carries out a file of decisions, one commit each, in their order; without --yes it only tells what would be done.
 * 0 when each is done or was done before, 6 when some were not. What is done stays done when it is interrupted.
 */
export async function resolveFile(path: string, given: Options, deps: Deps): Promise<number> {
  refuseSingle(given)
  chosenFields(deps.global.fields, RESOLVE_FIELDS)
  return withDecisionList({ path, defaults: given, io: deps.io }, list =>
    deps.global.yes
      ? withLedger(deps, opened => each(list, opened, decision => carryOut(opened.ledger, decision)))
      : withLedgerForReading(deps, opened => dryRun(list, opened)),
  )
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

async function dryRun(list: DecisionList, opened: Opened<LedgerForReading>): Promise<number> {
  const settled = firstLines()
  const code = await each(list, opened, decision => foretell(opened.ledger, decision, settled))
  await opened.deps.say(words`dry run: nothing was written; with --yes it is carried out`)
  return code
}

async function each<L extends LedgerForReading>(
  { count, decisions }: DecisionList,
  { ledger, deps }: Opened<L>,
  work: (decision: ListedDecision) => Promise<ResolveBody>,
): Promise<number> {
  const counts = new Map<string, number>()
  let begun = 0
  const isDone = await withProgress('decisions', deps, async progress => {
    for await (const decision of decisions()) {
      if (deps.signal.aborted) {
        await deps.say(words`interrupted: ${count - begun} of ${count} were not begun; run it again`)
        return false
      }
      begun++
      progress.at(begun, count)
      const body = await work(decision)
      counts.set(body.outcome, (counts.get(body.outcome) ?? 0) + 1)
      if (deps.io.stdout.isTerminal) await progress.clear()
      await printBody(body, ledger.location, deps)
    }
    return true
  })
  if (!isDone) return INTERRUPTED
  const parts = [...counts].map(
    ([outcome, count]) => words`${count} ${deps.show(outcome.replaceAll('_', ' '))}`,
  )
  await deps.say(words`${counted(count, 'decision')}: ${join(parts, ', ')}`)
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
  settled: FirstLines,
): Promise<ResolveBody> {
  const { operation_id, how, decision_id, line } = decision
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
    const first = settled.of(operation_id)
    if (first !== undefined)
      throw new LedgerError('conflict', `the decision of line ${first} settles ${operation_id}`, {
        id: operation_id,
        hint: 'Keep one decision for each operation.',
      })
    if (refusal !== null)
      throw new LedgerError(refusal.code, refusal.reason, {
        id: operation_id,
        rule: refusal.rule,
        hint: refusal.satisfy,
      })
    settled.keep(operation_id, line)
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
