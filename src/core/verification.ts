import { type Attempt, isAttemptInDoubt } from './attempt.js'
import type { Evidence } from './evidence.js'
import type { Operation } from './operation.js'

/**
 * What stands behind a settlement by hand: nothing (`without_evidence`), only what the person said (`attested`), or
 * also what a machine saw (`verified`): a receipt of one of its attempts, or a look-up that agrees. One that disagrees
 * opens the operation again, so a settled one is never contradicted.
 */
export type Verification = 'without_evidence' | 'attested' | 'verified'

interface Settled {
  readonly operation: Pick<Operation, 'status' | 'settled_by' | 'by_hand' | 'flags'>
  readonly attempts: readonly Attempt[]
  readonly evidence: readonly Evidence[]
}

/** Null for what no person settled, or what is not settled now as a person said. */
export function verificationOf({ operation, attempts, evidence }: Settled): Verification | null {
  const { status, settled_by, by_hand, flags } = operation
  if (by_hand === null || settled_by !== 'person') return null
  if (status !== 'confirmed' && status !== 'not_executed') return null
  const isSeen =
    status === 'confirmed'
      ? attempts.some(({ end }) => end === 'applied') || evidence.some(showsIt)
      : !attempts.some(wasInDoubt) || evidence.some(piece => showsAbsence(piece, attempts))
  if (isSeen) return 'verified'
  return flags.without_evidence ? 'without_evidence' : 'attested'
}

// What a person settles as not executed ends `absent`, on their word; what its executor saw ends otherwise.
function wasInDoubt(attempt: Attempt): boolean {
  return isAttemptInDoubt(attempt) || attempt.end === 'absent'
}

function showsIt(piece: Evidence): boolean {
  const seen = readingOf(piece)
  if (fieldOf(seen, 'grade') === 'D') return false
  return listOf(seen, 'matches').some(match => {
    const by = fieldOf(match, 'matched_by')
    return (by === 'key' || by === 'operation_id') && fieldOf(match, 'differs') === undefined
  })
}

/** A complete reading after everything had arrived and the service had caught up, in which nothing was found. */
function showsAbsence(piece: Evidence, attempts: readonly Attempt[]): boolean {
  const seen = readingOf(piece)
  const observed = fieldOf(seen, 'observed_at')
  const settle = fieldOf(fieldOf(seen, 'terms'), 'settle_ms')
  const arrivals = attempts.filter(wasInDoubt).map(({ latest_arrival }) => latest_arrival)
  return (
    fieldOf(seen, 'completeness') === 'complete' &&
    fieldOf(seen, 'parent') === 'readable' &&
    listOf(seen, 'matches').length === 0 &&
    fieldOf(seen, 'remote') === null &&
    fieldOf(seen, 'grade') !== 'D' &&
    typeof observed === 'number' &&
    arrivals.every(at => at !== null && observed >= at + (typeof settle === 'number' ? settle : 0))
  )
}

/** What a look-up saw, as `reconcile` keeps it: beside the verdict it led to. */
function readingOf({ kind, origin, body }: Evidence): unknown {
  return kind === 'probe' && origin === 'looked_up' ? fieldOf(body, 'observation') : undefined
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

function listOf(body: unknown, name: string): readonly unknown[] {
  const found = fieldOf(body, name)
  return Array.isArray(found) ? found : []
}

/** The same in words. */
export const VERIFICATION_WORDS: Readonly<Record<Verification, string>> = {
  without_evidence: 'on nothing: no evidence was given',
  attested: 'on their word alone: no receipt and no look-up has confirmed it since',
  verified: 'and a receipt or a look-up says the same',
}
