import { isSettled, type Operation } from '../operation.js'
import type { Refusal, State, Step } from '../transitions/requests.js'
import type { TakenIn } from './their-record.js'

/** What is on file of earlier readings of their record. */
export interface OnFile {
  /** digests of the states that were read */
  readonly digests: ReadonlySet<string>
  /** when the newest of them was written over there, milliseconds since 1970 UTC; null where none says */
  readonly as_of: number | null
  /** of the ledger that the record is brought into */
  readonly ledger_id: string
}

export type News =
  /** nothing new */
  | { readonly kind: 'same' }
  /** an earlier state of their record than the one on file */
  | { readonly kind: 'earlier' }
  /** to be decided by the table; where it refuses, the evidence is kept alone */
  | { readonly kind: 'steps'; readonly steps: readonly Step[] }
  | { readonly kind: 'refused'; readonly refusal: Refusal }

/** What a reading of their record comes to, given what is here. Pure. */
export function newsOf(state: State | null, taken: TakenIn, onFile: OnFile): News {
  const { theirs, evidence, digest, as_of } = taken
  if (state === null) return { kind: 'steps', steps: [{ request: { type: 'import', ...theirs }, evidence }] }
  if (onFile.digests.has(digest)) return { kind: 'same' }
  const { operation } = state
  if (isOwnPast(operation, taken, onFile)) return { kind: 'same' }
  if (isOtherIntent(operation, taken)) return { kind: 'refused', refusal: otherIntent(operation) }
  if (as_of !== null && onFile.as_of !== null && as_of < onFile.as_of) return { kind: 'earlier' }
  const [first] = evidence
  if (isOpposite(operation, taken) && !hasNewAttempt(state, taken)) {
    const reason = `their record says ${theirs.status}: ${String(theirs.said.why)}`
    const { external_ids } = theirs
    return {
      kind: 'steps',
      steps: [{ request: { type: 'contradict', reason, attempt: null, external_ids }, evidence: [first] }],
    }
  }
  return { kind: 'steps', steps: [{ request: { type: 'import', ...theirs }, evidence: [first] }] }
}

/** What this ledger said of itself in an export is no news to it. */
function isOwnPast(operation: Operation, { theirs: { said } }: TakenIn, { ledger_id }: OnFile): boolean {
  return said.ledger_id === ledger_id && typeof said.version === 'number' && said.version <= operation.version
}

function isOtherIntent(operation: Operation, { theirs: { intent } }: TakenIn): boolean {
  if (operation.tool !== intent.tool || operation.task_id !== intent.task_id) return true
  // an input that one of the two does not keep tells nothing
  if (operation.input === null || intent.input === null) return false
  return operation.input_digest !== intent.input_digest
}

function otherIntent({ operation_id, tool, task_id }: Operation): Refusal {
  return {
    rule: 'other_intent',
    code: 'conflict',
    reason: `${operation_id} is here already with another tool, task or input (${tool} of ${task_id})`,
    satisfy: 'another intent is another operation: find out which of the two systems uses the id',
  }
}

/** Positive evidence of the opposite of how it was settled. */
function isOpposite({ status }: Operation, { theirs }: TakenIn): boolean {
  if (!isSettled(status)) return false
  if (status === 'confirmed') return theirs.status === 'not_executed'
  return theirs.status === 'confirmed'
}

function hasNewAttempt({ operation, attempts }: State, { theirs }: TakenIn): boolean {
  const isTheirs = operation.provenance === 'imported' && operation.lease_fence === 1
  return (
    isTheirs &&
    operation.status === 'not_executed' &&
    theirs.attempts.some(({ n }) => !attempts.some(known => known.n === n))
  )
}
