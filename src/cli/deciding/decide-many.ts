import { counted } from '../../core/counted.js'
import { decisionCode } from '../../core/decision-code.js'
import { DECISION_FIELDS, type DecisionBody, sendingBody, standing } from '../../core/documents/decision.js'
import type { ListedOperation } from '../../core/documents/list.js'
import { RESOLVE_FIELDS, type ResolveBody } from '../../core/documents/resolve.js'
import { formatAge } from '../../core/duration.js'
import { ERROR_RULES, LedgerError } from '../../core/errors.js'
import type { JsonObject } from '../../core/json.js'
import { join, type Safe, safe, words } from '../../core/safe-text.js'
import type { Refusal } from '../../core/transitions/requests.js'
import type { Ask } from '../../ledger/asked-decision.js'
import { dangersOf } from '../../ledger/dangers.js'
import type { Decided } from '../../ledger/decide.js'
import type { Deps } from '../deps.js'
import { chosenFields, pick } from '../output/fields.js'
import { documentHead, printableJson } from '../output/json.js'
import { confirmOnRecord } from './confirm-on-record.js'
import { asSeen, decisionTypeOf } from './decide-operation.js'
import { type Opened, withLedger } from './opened.js'
import { outcomeLines } from './outcome.js'
import { type Selectors, selected } from './selection.js'

interface Wanted {
  readonly ask: Ask
  readonly selectors: Selectors
  /** `Resolve`; the count follows */
  readonly verb: Safe
  /** ` as confirmed` */
  readonly how?: Safe
}

/**
 * One decision on all that the selectors choose: shows how many and which, asks, and decides them in one commit, each for
 * the version that was shown. All or none, unless those that changed meanwhile may be left out.
 */
export function decideMany(wanted: Wanted, given: Deps): Promise<number> {
  const { ask, selectors } = wanted
  chosenFields(given.global.fields, ask.type === 'resolve' ? RESOLVE_FIELDS : DECISION_FIELDS)
  return withLedger(given, async opened => {
    const { ledger, deps } = opened
    const chosen = await selected(ledger, selectors)
    if (chosen.length === 0) throw nothingChosen()
    requireCount(chosen.length, selectors, deps)
    const dangers = await previewAll(opened, chosen, ask)
    await askFor({ chosen, dangers, wanted }, opened)
    const asks = chosen.map(({ operation_id, version }) => ({
      operationId: operation_id,
      ask: asSeen(ask, version),
    }))
    const { decided, skipped } = await ledger.decideAll(asks, { skipChanged: selectors.skipChanged })
    for (const one of decided) await printOne(one, ask, opened)
    for (const { message, hint } of skipped)
      await deps.say(words`left out: ${deps.show(message)}; ${deps.show(hint)}`)
    await deps.say(words`${decided.length} of ${chosen.length} decided`)
    return skipped.length === 0 ? 0 : ERROR_RULES.some_failed.exitCode
  })
}

function nothingChosen(): LedgerError {
  return new LedgerError('not_found', 'nothing in doubt is chosen by that', {
    hint: 'See what there is: agent-ledger list --unknown, with the same --task, --tool or --cause.',
  })
}

/** The count that a script saw before must still hold; `--yes` alone says nothing about how many. */
function requireCount(count: number, { expect }: Selectors, { global, io }: Deps): void {
  if (expect !== undefined && expect !== count)
    throw new LedgerError('conflict', `${count} are chosen, ${expect} were expected; none was decided`, {
      hint: 'Look at the list again, then name how many there are.',
    })
  if (expect === undefined && (global.yes || !io.canAsk))
    throw new LedgerError(
      'needs_confirmation',
      `not decided: ${count} are chosen, and nobody was shown which`,
      {
        path: '--expect',
        hint: `Give --yes --expect ${count}, or run it on a terminal.`,
      },
    )
}

/**
 * What would be refused for one is refused for all, before anybody is asked; each refusal is told. Returns the titles of
 * what is dangerous about them: of thousands no more is kept.
 */
async function previewAll(
  { ledger }: Opened,
  chosen: readonly ListedOperation[],
  ask: Ask,
): Promise<ReadonlySet<string>> {
  const dangers = new Set<string>()
  const refused: string[] = []
  let first: { readonly id: string; readonly refusal: Refusal } | null = null
  for (const { operation_id: id } of chosen) {
    const preview = await ledger.preview(id, ask)
    const { refusal, now } = preview
    for (const { title } of dangersOf({ type: decisionTypeOf(ask), preview, now })) dangers.add(title)
    if (refusal === null) continue
    first ??= { id, refusal }
    refused.push(`${id}: ${refusal.reason}`)
  }
  if (first === null) return dangers
  const { id, refusal } = first
  throw new LedgerError(refusal.code, `none of ${chosen.length} was decided: ${id}: ${refusal.reason}`, {
    id,
    rule: refusal.rule,
    hint: refusal.satisfy,
    facts: { refused },
  })
}

interface Question {
  readonly chosen: readonly ListedOperation[]
  readonly dangers: ReadonlySet<string>
  readonly wanted: Wanted
}

async function askFor({ chosen, dangers, wanted }: Question, opened: Opened): Promise<void> {
  const { deps } = opened
  const { ask, verb, how = words`` } = wanted
  const { show } = deps
  const count = counted(chosen.length, 'operation')
  // over every id and version, so that the code names exactly this choice
  const seen = JSON.stringify(chosen.map(({ operation_id, version }) => [operation_id, version]))
  const code = show(decisionCode(seen, chosen.length))
  const isDangerous = dangers.size > 0
  if (!deps.global.yes) {
    const lines = chosen.map(
      ({ operation_id, task_id, tool, status, age_ms }) =>
        words`  ${show(operation_id)}  ${safe(status)}, ${show(tool)}, of ${show(task_id)}, ${safe(formatAge(age_ms))} old`,
    )
    const warnings = [...dangers].map(title => words`  ! ${show(title)}`)
    const head = words`${count}${how}:${isDangerous ? words`   code ${code}` : words``}`
    await deps.say(
      join([head, ...lines, words`  reason: ${show(ask.how.reason, { max: 400 })}`, ...warnings], '\n'),
    )
  }
  await confirmOnRecord(opened, {
    label: words`${verb} ${count}${how}`,
    about: null,
    decision: decisionTypeOf(ask),
    facts: { operations: chosen.map(({ operation_id }) => operation_id) },
    ...(isDangerous ? { code } : {}),
  })
}

async function printOne(decided: Decided, ask: Ask, { ledger, deps }: Opened): Promise<void> {
  const { json, jsonl, fields } = deps.global
  if (!json && !jsonl && fields === undefined) {
    await deps.print(outcomeLines({ ...decided, decision: decided.decision }, deps, ledger.actor))
    return
  }
  const isResolve = ask.type === 'resolve'
  const body: JsonObject = isResolve ? resolveBody(decided, ask) : decisionBody(decided, ledger.actor)
  const schema = isResolve ? 'resolve@1' : 'decision@1'
  const chosen = chosenFields(fields, isResolve ? RESOLVE_FIELDS : DECISION_FIELDS)
  const document = { ...documentHead({ schema, ledger: ledger.location }, deps.now), ...pick(body, chosen) }
  await deps.io.stdout.write(`${printableJson(deps.redactor.json(document))}\n`)
}

function resolveBody(
  { operation_id, after, undo }: Decided,
  { how }: Extract<Ask, { type: 'resolve' }>,
): ResolveBody {
  const { status, version } = after
  return { decision_id: null, operation_id, as: how.as, outcome: 'done', status, version, undo, error: null }
}

function decisionBody(
  { decision, operation_id, before, after, still_sending, undo }: Decided,
  actor: string,
): DecisionBody {
  return {
    decision,
    operation_id,
    task_id: after.task_id,
    actor,
    before: standing(before),
    after: standing(after),
    moved: [],
    still_sending: sendingBody(still_sending),
    approvals: [],
    until: null,
    undo,
  }
}
