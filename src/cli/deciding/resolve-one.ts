import { RESOLVE_FIELDS, type ResolveBody } from '../../core/documents/resolve.js'
import { LedgerError } from '../../core/errors.js'
import type { GivenEvidence } from '../../core/given-evidence.js'
import { keptResult } from '../../core/kept-result.js'
import type { Operation } from '../../core/operation.js'
import { type Safe, words } from '../../core/safe-text.js'
import type { Decided } from '../../ledger/decide.js'
import type { ResolveOptions } from '../../ledger/decisions.js'
import type { Given } from '../command.js'
import type { resolve } from '../commands/resolve.js'
import type { Deps } from '../deps.js'
import { printDocument } from '../output/document.js'
import { decideMany } from './decide-many.js'
import { decideOperation } from './decide-operation.js'
import { evidenceGiven as readEvidence } from './evidence-given.js'
import { jsonOrFile } from './given-json.js'
import { withLedger } from './opened.js'
import { outcomeLines } from './outcome.js'
import { requireAnswerable, textGiven, textOrAsk } from './texts.js'

type Options = Given<typeof resolve>

/** Settles one operation, from what was typed to what it changed. */
export async function resolveOne(operationId: string, given: Options, deps: Deps): Promise<number> {
  await requireAnswerable(deps, { id: operationId, as: 'operation' }, '--evidence and --reason')
  const how = await howGiven(given, deps)
  return withLedger(deps, async opened => {
    const { show } = deps
    const label = words`Resolve ${show(operationId)} as ${show(how.as)}`
    const about = ({ before }: Pick<Decided, 'before'>) => resultMissing(how, before)
    const decided = await decideOperation(opened, {
      operationId,
      ask: { type: 'resolve', how },
      label,
      about,
    })
    const { after, undo } = decided
    const body: ResolveBody = {
      decision_id: null,
      operation_id: operationId,
      as: how.as,
      outcome: 'done',
      status: after.status,
      version: after.version,
      undo,
      error: null,
    }
    await printDocument(
      {
        schema: 'resolve@1',
        ledger: opened.ledger.location,
        body,
        fields: RESOLVE_FIELDS,
        text: () => outcomeLines({ ...decided, decision: 'resolve' }, deps, opened.ledger.actor),
      },
      deps,
    )
    // who was asked has read it before the question
    if (deps.global.yes) for (const line of about(decided)) await deps.say(line)
    const { left_out } = keptResult(how.result)
    if (left_out !== null) await deps.say(words`the result is kept by digest alone: ${show(left_out)}`)
    return 0
  })
}

/** A run that goes on gets its handler's result from here; a command line that is guarded need not have one. */
function resultMissing({ as, result }: ResolveOptions, { provenance }: Operation): readonly Safe[] {
  if (as !== 'confirmed' || result !== undefined || provenance === 'exec' || provenance === 'imported')
    return []
  return [
    words`no result is given: a run that goes on finds it confirmed and gets none; where it needs one, resolve with --result <json>`,
  ]
}

/** Settles all that the selectors choose alike, in one commit. */
export async function resolveMany(given: Options, deps: Deps): Promise<number> {
  const single =
    given.result !== undefined || given.externalId.length > 0 || given.expectVersion !== undefined
  if (single)
    throw new LedgerError('usage', '--result, --external-id and --expect-version are for one operation', {
      hint: 'Settle those one by one, or with --file.',
    })
  const how = await howGiven(given, deps)
  const wanted = { ask: { type: 'resolve', how }, selectors: given, verb: words`Resolve` } as const
  return decideMany({ ...wanted, how: words` as ${deps.show(how.as)}` }, deps)
}

async function howGiven(given: Options, deps: Deps): Promise<ResolveOptions> {
  const { as, externalId, expectVersion, early, otherTarget, withoutEvidence } = given
  if (as === undefined)
    throw new LedgerError('usage', '--as is missing', {
      path: '--as',
      hint: 'Give --as confirmed when it took effect, --as not-executed when it did not; leave it unknown when you cannot tell.',
    })
  const result = given.result === undefined ? undefined : await jsonOrFile(given.result, '--result', deps.io)
  const evidence = await evidenceGiven(given, deps)
  const about = given.op === undefined ? {} : { about: { id: given.op, as: 'operation' as const } }
  const reason = await textOrAsk(
    given.reason,
    { option: '--reason', question: 'Reason', decision: decisionOf(as), ...about },
    deps,
  )
  return {
    as,
    reason,
    ...(withoutEvidence ? { withoutEvidence } : { evidence }),
    ...(result === undefined ? {} : { result }),
    ...(externalId.length === 0
      ? {}
      : { externalIds: externalId.map(({ key, value }) => ({ kind: key, value })) }),
    ...(expectVersion === undefined ? {} : { expectVersion }),
    ...(early ? { early } : {}),
    ...(otherTarget ? { otherTarget } : {}),
  }
}

function decisionOf(as: Options['as']): string {
  return as === 'confirmed' ? 'resolve_confirmed' : 'resolve_not_executed'
}

async function evidenceGiven(
  { evidence: given, reason, withoutEvidence, op, as }: Options,
  deps: Deps,
): Promise<readonly GivenEvidence[]> {
  const evidence = await readEvidence(given, deps.io)
  if (withoutEvidence && evidence.length > 0)
    throw new LedgerError('usage', '--evidence and --without-evidence exclude each other', {
      path: '--evidence',
    })
  if (withoutEvidence || evidence.length > 0) return evidence
  const asked = {
    option: '--evidence',
    question: 'Evidence (a link, an id, what you saw)',
    decision: decisionOf(as),
    alsoMissing: textGiven(reason) === undefined ? ['--reason'] : [],
    ...(op === undefined ? {} : { about: { id: op, as: 'operation' as const } }),
  }
  return readEvidence([await textOrAsk(undefined, asked, deps)], deps.io)
}
