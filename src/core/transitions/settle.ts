import { type Attempt, isAttemptInDoubt } from '../attempt.js'
import type { NewEvidence } from '../evidence.js'
import type { JsonValue } from '../json.js'
import { type ExternalId, isSettled, type LastError } from '../operation.js'
import type { Request, State, Step } from './requests.js'

/** How an attempt ended, as its executor saw it and the classifier read it. */
export type Ended = {
  readonly attempt: number
  /** the fence the attempt was sent under */
  readonly fence: number
  readonly external_ids: readonly ExternalId[]
  readonly evidence: readonly NewEvidence[]
} & (
  | { readonly end: 'applied'; readonly result: JsonValue; readonly result_digest: string | null }
  | {
      readonly end: 'not_applied' | 'ambiguous'
      readonly error: LastError
      /** what is known of trying again; left out where whoever tells it does not ask for that */
      readonly retry?: RetryHint
    }
)

export interface RetryHint {
  /** the refusal is of the moment; says nothing of a lost answer, whose repeat its contract decides */
  readonly retryable: boolean
  /** the service asks to wait at least this long, milliseconds; null where it says nothing */
  readonly retry_after_ms: number | null
}

/** Is the attempt the one that may write the outcome now? */
export function isHeld({ operation, attempts }: State, { attempt, fence }: Pick<Ended, 'attempt' | 'fence'>) {
  const held = attempts.find(({ n }) => n === attempt)
  return (
    operation.status === 'in_flight' &&
    operation.attempt === attempt &&
    operation.lease_fence === fence &&
    held?.end === null
  )
}

/**
 * What the end of an attempt comes to. While it holds the fence it is the outcome; later it is late evidence: a
 * receipt still confirms what is open and contradicts what was settled otherwise. An end that is on record
 * already gives no step, so telling it twice changes nothing. Unknown attempts are for the caller to refuse.
 */
export function settle(state: State, ended: Ended, knownIds: readonly ExternalId[]): Step[] {
  if (isHeld(state, ended)) return [{ request: outcome(state, ended), evidence: ended.evidence }]
  const known = state.attempts.find(({ n }) => n === ended.attempt)
  if (known === undefined || isOnRecord(known, ended, knownIds)) return []
  const evidence = ended.evidence.map(piece => ({ ...piece, kind: 'late_result' as const }))
  return [{ request: late(state, ended), evidence }]
}

function outcome({ attempts }: State, ended: Ended): Request {
  const { attempt, fence } = ended
  switch (ended.end) {
    case 'applied': {
      const { external_ids, result, result_digest } = ended
      const receipt = { external_ids, result, result_digest, duplicates: false }
      return { type: 'confirm', by: 'receipt', attempt, fence, ...receipt }
    }
    case 'ambiguous':
      return { type: 'lose', attempt, fence, error: ended.error, external_ids: ended.external_ids }
    case 'not_applied': {
      const isDoubted = attempts.some(other => other.n !== attempt && isAttemptInDoubt(other))
      return { type: isDoubted ? 'reject_in_doubt' : 'reject', attempt, fence, error: ended.error }
    }
  }
}

function late({ operation }: State, ended: Ended): Request {
  const { attempt, fence, end, external_ids } = ended
  if (end !== 'applied') {
    const { error } = ended
    return {
      type: 'late_result',
      attempt,
      fence,
      end,
      external_ids,
      result: null,
      result_digest: null,
      error,
    }
  }
  if (isSettled(operation.status) && operation.status !== 'confirmed') {
    const reason = `attempt ${attempt} reported a receipt after it was settled as ${operation.status}`
    return { type: 'contradict', reason, attempt, external_ids }
  }
  const { result, result_digest } = ended
  return { type: 'late_result', attempt, fence, end, external_ids, result, result_digest, error: null }
}

function isOnRecord(known: Attempt, ended: Ended, knownIds: readonly ExternalId[]): boolean {
  if (known.end !== ended.end) return false
  if (ended.end !== 'applied') return known.error?.message === ended.error.message
  return ended.external_ids.every(id => knownIds.some(other => isSameId(id, other)))
}

function isSameId(a: ExternalId, b: ExternalId): boolean {
  return a.kind === b.kind && a.value === b.value && a.scope === b.scope
}
