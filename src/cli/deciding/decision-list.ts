import { parseDecisionFile } from '../../config/decision-file.js'
import { digestOf } from '../../core/digest.js'
import type { DecisionEntry } from '../../core/documents/decision-file-schema.js'
import { LedgerError } from '../../core/errors.js'
import type { ExternalId } from '../../core/operation.js'
import type { ResolveOptions } from '../../ledger/decisions.js'
import { evidenceGiven } from './evidence-given.js'
import { textGiven } from './texts.js'

type From = Parameters<typeof evidenceGiven>[1]

/** A decision of a file, complete. */
export interface ListedDecision {
  readonly decision_id: string
  readonly operation_id: string
  readonly how: ResolveOptions
}

/** What the command line says for the decisions that leave it out. */
export interface Defaults {
  readonly as: 'confirmed' | 'not_executed' | undefined
  readonly reason: string | undefined
  readonly evidence: readonly string[]
}

/**
 * The decisions of a file, each with its id. Throws `invalid_input` naming every mistake with its line: nothing is
 * carried out of a file that was not read whole.
 */
export async function listDecisions(
  text: string,
  { path, defaults, io }: { readonly path: string; readonly defaults: Defaults; readonly io: From },
): Promise<ListedDecision[]> {
  const listed: ListedDecision[] = []
  const facts: Record<string, string> = {}
  const lineOf = new Map<string, number>()
  for (const { entry, line } of parseDecisionFile(text, path)) {
    const decision = await complete(entry, defaults, io)
    if (typeof decision === 'string') {
      facts[`line ${line}`] = `${entry.operation_id}: ${decision}`
      continue
    }
    const first = lineOf.get(decision.decision_id)
    if (first !== undefined)
      facts[`line ${line}`] = `decision ${decision.decision_id} stands on line ${first} already`
    lineOf.set(decision.decision_id, first ?? line)
    listed.push(decision)
  }
  const count = Object.keys(facts).length
  if (count === 0) return listed
  throw new LedgerError('invalid_input', `${path} has ${count === 1 ? 'a mistake' : `${count} mistakes`}`, {
    path,
    hint: 'Correct the lines named; nothing was written.',
    facts,
  })
}

/** The decision with what the command line adds, or what is missing. */
async function complete(
  entry: DecisionEntry,
  defaults: Defaults,
  io: From,
): Promise<ListedDecision | string> {
  const { operation_id, result, external_ids, expect_version, without_evidence = false } = entry
  const as = entry.as ?? defaults.as
  // the … of a pasted line is nothing that anybody said
  const reason = textGiven(entry.reason) ?? textGiven(defaults.reason)
  const typed = entry.evidence === undefined ? defaults.evidence : [entry.evidence].flat()
  const evidence = without_evidence ? [] : await evidenceGiven(typed, io)
  if (as === undefined) return 'as is missing; give it here or with --as'
  if (reason === undefined) return 'reason is missing; give it here or with --reason'
  if (!without_evidence && evidence.length === 0)
    return 'evidence is missing; give it here or with --evidence, or say without_evidence'
  const how = {
    as,
    reason,
    ...(without_evidence ? { withoutEvidence: true } : { evidence }),
    ...(result === undefined ? {} : { result }),
    ...(external_ids === undefined ? {} : { externalIds: external_ids.map(defined) }),
    ...(expect_version === undefined ? {} : { expectVersion: expect_version }),
    ...(entry.early === true ? { early: true } : {}),
    ...(entry.other_target === true ? { otherTarget: true } : {}),
  }
  const decision_id = entry.decision_id ?? idOf(operation_id, how)
  return { decision_id, operation_id, how: { ...how, decisionId: decision_id } }
}

// The same decision in the same words is the same decision, whichever file it stands in.
function idOf(operation_id: string, how: object): string {
  return `content-${digestOf({ operation_id, how }).slice('sha256:'.length, 'sha256:'.length + 24)}`
}

function defined({
  kind,
  value,
  url,
  scope,
}: NonNullable<DecisionEntry['external_ids']>[number]): ExternalId {
  return { kind, value, ...(url === undefined ? {} : { url }), ...(scope === undefined ? {} : { scope }) }
}
