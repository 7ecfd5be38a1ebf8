import { type Attempt, isAttemptInDoubt } from './attempt.js'
import type { Operation } from './operation.js'

/** May the same write be made again under another idempotency key, and why. */
export interface NewKey {
  readonly allowed: boolean
  readonly reason: string
}

/** The service keeps another request under the key, so that none under it can ever be this one. */
const MISMATCH = 'key_mismatch'

/**
 * A key is kept through every doubt: under a new one the service takes the same write for another one. It may be
 * renewed once it is settled, once the service declined for certain, or where it says that the key is another's.
 */
export function newKeyAllowed(
  operation: Pick<Operation, 'status' | 'attempt' | 'settled_by' | 'flags'>,
  attempts: readonly Attempt[],
): NewKey {
  const doubted = attempts.filter(isAttemptInDoubt)
  switch (operation.status) {
    case 'confirmed':
      return yes('it is settled as confirmed: whoever wants it once more makes another operation')
    case 'not_executed':
      if (operation.flags.early) return no('a person settled it before it had run out of time to arrive')
      return yes(
        attempts.some(({ error }) => error?.rule === MISMATCH)
          ? 'the service keeps another request under this key'
          : 'no attempt of it took effect',
      )
    case 'unknown':
    case 'in_flight':
      return no(
        doubted.length === 0
          ? 'evidence is in doubt: under a new key the service could do it twice'
          : 'it may have taken effect: under a new key the service could do it twice',
      )
    case 'prepared':
      return no(
        operation.attempt === 0
          ? 'its key was never used: it is sent with that one'
          : 'it is to be sent again with its own key',
      )
    case 'cancelled':
      return yes('nothing of it was ever sent')
    case 'abandoned':
      return no('nobody knows whether it took effect')
  }
}

function yes(reason: string): NewKey {
  return { allowed: true, reason }
}

function no(reason: string): NewKey {
  return { allowed: false, reason }
}
