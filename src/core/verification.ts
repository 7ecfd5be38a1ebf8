import { type Attempt, isAttemptInDoubt } from './attempt.js'
import type { Evidence } from './evidence.js'
import type { JsonValue } from './json.js'
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

function showsIt({ kind, body }: Evidence): boolean {
  if (kind !== 'probe') return false
  return listOf(body, 'matches').some(match => {
    const by = fieldOf(match, 'matched_by')
    return by === 'key' || by === 'operation_id'
  })
}

/** A complete reading after everything had arrived and the service had caught up, in which nothing was found. */
function showsAbsence({ kind, body }: Evidence, attempts: readonly Attempt[]): boolean {
  if (kind !== 'probe' || fieldOf(body, 'completeness') !== 'complete') return false
  const observed = fieldOf(body, 'observed_at')
  const settle = fieldOf(fieldOf(body, 'terms'), 'settle_ms')
  const arrivals = attempts.filter(wasInDoubt).map(({ latest_arrival }) => latest_arrival)
  return (
    listOf(body, 'matches').length === 0 &&
    fieldOf(body, 'grade') !== 'D' &&
    typeof observed === 'number' &&
    arrivals.every(at => at !== null && observed >= at + (typeof settle === 'number' ? settle : 0))
  )
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

function listOf(body: JsonValue, name: string): readonly unknown[] {
  const found = fieldOf(body, name)
  return Array.isArray(found) ? found : []
}

/** The same in words. */
export const VERIFICATION_WORDS: Readonly<Record<Verification, string>> = {
  without_evidence: 'on nothing: no evidence was given',
  attested: 'on their word alone: no receipt and no look-up has confirmed it since',
  verified: 'and a receipt or a look-up says the same',
}
