import { isAttemptInDoubt } from '../../attempt.js'
import type { OperationStatus } from '../../operation.js'
import { type Guard, objection } from './guard.js'

/** Chooses a row by what their record says. */
export function recordSays(status: OperationStatus): Guard {
  return {
    id: `record_says_${status}`,
    title: `their record says ${status}`,
    code: 'refused',
    check: ({ request }) =>
      request.type === 'import' && request.status === status
        ? null
        : objection('their record says something else', 'it is kept as evidence'),
  }
}

/** Every decision here and every change of hands raises the fence; taking over what they say does not. */
export const followsTheirs: Guard = {
  id: 'follows_theirs',
  title: 'it came from another system’s record, and nobody here has decided anything about it',
  code: 'conflict',
  check: ({ state: { operation } }) =>
    operation.provenance === 'imported' && operation.lease_fence === 1
      ? null
      : objection(
          'it was decided about here, or written down here first',
          'what their record says is kept as evidence',
        ),
}

/** A settled operation goes on only with an attempt that was not known when it was settled. */
export const theirNewAttempt: Guard = {
  id: 'their_new_attempt',
  title: 'their record tells of an attempt that is not known here',
  code: 'refused',
  check: ({ state: { attempts }, request }) =>
    request.type === 'import' && request.attempts.some(({ n }) => !attempts.some(known => known.n === n))
      ? null
      : objection('their record tells of no further attempt', 'evidence of the opposite is a contradiction'),
}

/** What is in doubt here beside what their record tells of stays in doubt. */
export const theirRecordEndsDoubt: Guard = {
  id: 'their_record_ends_doubt',
  title: 'their record says of every attempt in doubt that it did not take effect',
  code: 'refused',
  check: ({ state: { attempts }, request }) => {
    if (request.type !== 'import') return null
    const isRuledOut = ({ n }: { readonly n: number }) =>
      request.attempts.some(
        ({ n: theirs, end }) => theirs === n && (end === 'not_applied' || end === 'absent'),
      )
    const left = attempts.filter(
      attempt => isAttemptInDoubt(attempt) && (attempt.end === 'applied' || !isRuledOut(attempt)),
    )
    return left.length === 0
      ? null
      : objection(
          `attempt ${left.map(({ n }) => n).join(', ')} may have taken effect all the same`,
          'a person or a probe settles it',
        )
  },
}

/** Another system sends what it wrote down; here it is sent only where a person let it. */
export const oursToSend: Guard = {
  id: 'ours_to_send',
  title: 'it was prepared here, or a person decided here that it may be sent',
  code: 'refused',
  check: move =>
    followsTheirs.check(move) === null
      ? objection(
          'it was taken from another system’s record, and that system may send it',
          'see that the other system does not, then allow-retry',
        )
      : null,
}
