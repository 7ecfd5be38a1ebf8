import { decisionFile, type EntryOfFile } from '../../config/decision-file.js'
import { firstLines } from '../../config/first-lines.js'
import { mistakeFacts } from '../../config/mistakes.js'
import { digestOf } from '../../core/digest.js'
import type { DecisionEntry } from '../../core/documents/decision-file-schema.js'
import { LedgerError } from '../../core/errors.js'
import type { GivenEvidence } from '../../core/given-evidence.js'
import type { ExternalId } from '../../core/operation.js'
import type { ResolveOptions } from '../../ledger/decisions.js'
import { evidenceGiven } from './evidence-given.js'
import { withBytes } from './given-bytes.js'
import { textGiven } from './texts.js'

type From = Parameters<typeof evidenceGiven>[1]

/** A decision of a file, complete. */
export interface ListedDecision {
  readonly decision_id: string
  readonly operation_id: string
  readonly how: ResolveOptions
  /** of the file, where it begins */
  readonly line: number
}

/** What the command line says for the decisions that leave it out. */
export interface Defaults {
  readonly as: 'confirmed' | 'not_executed' | undefined
  readonly reason: string | undefined
  readonly evidence: readonly string[]
}

/** The decisions of a file that was checked whole. */
export interface DecisionList {
  readonly count: number
  /** each with its id, in their order; read once more, a piece at a time */
  readonly decisions: () => AsyncIterable<ListedDecision>
}

interface Wanted {
  /** `-`: stdin */
  readonly path: string
  readonly defaults: Defaults
  readonly io: From
}

/**
 * Opens a file of decisions and checks all of it before any of it is used: `invalid_input` names the mistakes with their
 * lines. However many decisions JSONL holds, memory holds one.
 */
export async function withDecisionList<T>(
  { path, defaults, io }: Wanted,
  use: (list: DecisionList) => Promise<T>,
): Promise<T> {
  return withBytes(path, io, async bytes => {
    const name = path === '-' ? 'stdin' : path
    const entries = await decisionFile(bytes, name)
    const complete = await completing(defaults, io)
    const count = await checked(entries(), complete, name)
    const decisions = async function* () {
      for await (const entry of entries()) {
        const read = await complete(entry)
        // what was in order a moment ago, and is written over while it is carried out
        if ('mistakes' in read) throw mistaken(name, read.mistakes)
        yield read.decision
      }
    }
    return use({ count, decisions })
  })
}

type Completed =
  | { readonly decision: ListedDecision }
  | { readonly mistakes: Readonly<Record<string, string>> }

/** A file of another kind has a mistake on every line. */
const MOST_NAMED = 100

async function checked(
  entries: AsyncIterable<EntryOfFile>,
  complete: (entry: EntryOfFile) => Promise<Completed>,
  path: string,
): Promise<number> {
  const listed = firstLines()
  const mistakes: Record<string, string> = {}
  let count = 0
  for await (const entry of entries) {
    const read = await complete(entry)
    if ('mistakes' in read) Object.assign(mistakes, read.mistakes)
    else {
      const { decision_id, line } = read.decision
      const first = listed.of(decision_id)
      if (first !== undefined)
        mistakes[`line ${line}`] = `decision ${decision_id} stands on line ${first} already`
      listed.keep(decision_id, line)
    }
    count++
    if (Object.keys(mistakes).length >= MOST_NAMED) break
  }
  if (Object.keys(mistakes).length > 0) throw mistaken(path, mistakes)
  if (count > 0) return count
  throw new LedgerError('invalid_input', `${path} holds no decisions`, {
    path,
    hint: 'Give a list of {operation_id, as, evidence, reason}.',
  })
}

function mistaken(path: string, mistakes: Readonly<Record<string, string>>): LedgerError {
  const count = Object.keys(mistakes).length
  const many = count < MOST_NAMED ? `${count} mistakes` : `${count} mistakes, and was read no further`
  return new LedgerError('invalid_input', `${path} has ${count === 1 ? 'a mistake' : many}`, {
    path,
    hint: 'Correct the lines named; nothing was written.',
    facts: mistakes,
  })
}

/** Adds to a decision what the command line says for all of them, or tells what is missing. */
async function completing(defaults: Defaults, io: From): Promise<(entry: EntryOfFile) => Promise<Completed>> {
  // stdin comes only once, and the file is gone through twice
  let stdin: Promise<string> | undefined
  const readAll = () => {
    stdin ??= io.readAll()
    return stdin
  }
  const from = { cwd: io.cwd, readAll }
  const evidence = await evidenceGiven(defaults.evidence, from)
  return async read => {
    if ('mistakes' in read) return { mistakes: mistakeFacts(read.mistakes) }
    const { entry, line } = read
    const own = entry.evidence === undefined ? evidence : await evidenceGiven([entry.evidence].flat(), from)
    const decision = complete(entry, { ...defaults, evidence: own })
    if (typeof decision !== 'string') return { decision: { ...decision, line } }
    return { mistakes: { [`line ${line}`]: `${entry.operation_id}: ${decision}` } }
  }
}

interface Given extends Omit<Defaults, 'evidence'> {
  readonly evidence: readonly GivenEvidence[]
}

function complete(entry: DecisionEntry, given: Given): Omit<ListedDecision, 'line'> | string {
  const { operation_id, result, external_ids, expect_version, without_evidence = false } = entry
  const as = entry.as ?? given.as
  // the … of a pasted line is nothing that anybody said
  const reason = textGiven(entry.reason) ?? textGiven(given.reason)
  const evidence = without_evidence ? [] : given.evidence
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
