import { isAttemptInDoubt } from '../../attempt.js'
import { isLeaseLapsed } from '../../lease.js'
import { type Guard, objection } from './guard.js'

export const attemptIsLive: Guard = {
  id: 'attempt_is_live',
  title: 'the attempt still holds the fence',
  code: 'conflict',
  check: ({ state: { operation, attempts }, request }) => {
    if (!('attempt' in request)) return null
    const held = attempts.find(attempt => attempt.n === request.attempt)
    const isLive =
      operation.status === 'in_flight' &&
      held?.n === operation.attempt &&
      held.end === null &&
      'fence' in request &&
      request.fence === operation.lease_fence
    return isLive
      ? null
      : objection(
          request.attempt === null
            ? `a receipt names its attempt, this one names none of ${operation.operation_id}`
            : `attempt ${request.attempt} no longer holds the fence of ${operation.operation_id}`,
          'its outcome is kept as late evidence',
        )
  },
}

export const onlyThisAttempt: Guard = {
  id: 'no_other_attempt_in_doubt',
  title: 'no other attempt may have taken effect',
  code: 'refused',
  check: ({ state: { attempts }, request }) =>
    'attempt' in request &&
    attempts.some(attempt => attempt.n !== request.attempt && isAttemptInDoubt(attempt))
      ? objection(
          'another attempt may have taken effect',
          'a refusal of one attempt says nothing about the others',
        )
      : null,
}

export const otherAttemptInDoubt: Guard = {
  id: 'other_attempt_in_doubt',
  title: 'another attempt may have taken effect',
  code: 'refused',
  check: move =>
    onlyThisAttempt.check(move) === null
      ? objection('no other attempt may have taken effect', 'reject it')
      : null,
}

export const maybeApplied: Guard = {
  id: 'may_have_applied',
  title: 'an attempt of it may have taken effect',
  code: 'refused',
  check: ({ state: { operation } }) =>
    operation.may_have_applied
      ? null
      : objection('no attempt of it may have taken effect', 'send it, or cancel it if it is not wanted'),
}

export const nothingApplied: Guard = {
  id: 'nothing_may_have_applied',
  title: 'no attempt of it may have taken effect',
  code: 'refused',
  check: ({ state: { operation } }) =>
    operation.may_have_applied
      ? objection(
          'an attempt of it may have taken effect',
          'find out first whether it did: look at the service, then `resolve`',
        )
      : null,
}

export const neverSent: Guard = {
  id: 'never_sent',
  title: 'no attempt was ever announced',
  code: 'refused',
  check: ({ state: { operation } }) =>
    operation.attempt === 0
      ? null
      : objection(`${operation.attempt} attempts were announced`, 'see their ends'),
}

export const wasSent: Guard = {
  id: 'was_sent',
  title: 'an attempt was announced',
  code: 'refused',
  check: move =>
    neverSent.check(move) === null ? objection('nothing was ever sent', 'see its status') : null,
}

export const executorGone: Guard = {
  id: 'executor_gone',
  title:
    'its lease lapsed, its owner is provably gone, or a person says the writer is gone where it takes no leases',
  code: 'refused',
  check: ({ state: { operation }, request, context }) => {
    if (request.type !== 'orphan') return null
    if (isLeaseLapsed(operation, context.now) || context.owner_gone) return null
    if (request.why === 'person' && operation.lease_expires_at === null)
      return request.reason?.trim() ? null : objection('no reason was given', 'give --reason')
    const satisfy =
      operation.lease_expires_at === null
        ? 'its writer takes no leases: a person must say, with a reason, that the writer is gone'
        : `wait until its lease ends (${new Date(operation.lease_expires_at).toISOString()}), or take the task over`
    return objection('its executor may still be alive', satisfy)
  },
}

export const neverReopened: Guard = {
  id: 'never_reopened',
  title: 'nobody reopened it and no evidence contradicted how it was settled',
  code: 'refused',
  check: ({ state: { operation } }) =>
    operation.flags.reopened || operation.flags.contradicted
      ? objection('it was reopened or contradicted', 'a person decides: resolve or allow-retry')
      : null,
}

export const neverContradicted: Guard = {
  id: 'never_contradicted',
  title: 'no evidence contradicted how it was settled',
  code: 'refused',
  check: ({ state: { operation } }) =>
    operation.flags.contradicted
      ? objection('evidence of both kinds is on file', 'a person decides: resolve')
      : null,
}

export const nothingOnFile: Guard = {
  id: 'nothing_on_file',
  title: 'no receipt and no match is on file',
  code: 'refused',
  check: ({ state: { attempts }, context }) =>
    attempts.some(attempt => attempt.end === 'applied') || context.known_external_ids.length > 0
      ? objection('a receipt or an external id is on file', 'look at that object, then resolve')
      : null,
}

/**
 * Chooses the row: does this refusal end the last doubt? An id on file does not stand against it by itself (the
 * service may have taken the request in and given up later), but what was settled by that id and reopened does.
 */
export const endsLastDoubt: Guard = {
  id: 'ends_last_doubt',
  title: 'it ends the last attempt in doubt, and nothing on file says that it took effect',
  code: 'refused',
  check: ({ request, state: { operation, attempts }, context }) => {
    const [doubted, ...others] = attempts.filter(isAttemptInDoubt)
    const isLast =
      request.type === 'late_result' && doubted?.n === request.attempt && doubted.end !== 'applied'
    const isSettledByFile = operation.flags.reopened === true && context.known_external_ids.length > 0
    return isLast && others.length === 0 && !operation.flags.contradicted && !isSettledByFile
      ? null
      : objection('doubt is left', 'a person or a probe settles it')
  },
}

export const clocksTrusted: Guard = {
  id: 'clocks_trusted',
  title: 'the clocks agree since the last commit',
  code: 'refused',
  check: ({ context }) =>
    context.clock_doubt
      ? objection(
          'the clock jumped since the last commit',
          'correct the clock (see `agent-ledger doctor`), then try again',
        )
      : null,
}

export const probeAsSeen: Guard = {
  id: 'probe_as_seen',
  title: "nothing was sent since the probe's first read",
  code: 'conflict',
  check: ({ state: { operation }, request }) =>
    request.type !== 'absent' ||
    (request.seen_attempts === operation.attempt && request.seen_version === operation.version)
      ? null
      : objection('it changed since the probe began', 'run the probe again'),
}

export const isReceipt: Guard = {
  id: 'is_receipt',
  title: 'the executor itself has a receipt',
  code: 'refused',
  check: ({ request }) =>
    request.type === 'confirm' && request.by === 'receipt'
      ? null
      : objection('a probe found it', 'see the probe'),
}

export const isProbe: Guard = {
  id: 'is_probe',
  title: 'a probe found it',
  code: 'conflict',
  check: ({ request }) =>
    request.type === 'confirm' && request.by === 'probe'
      ? null
      : objection('the attempt no longer holds the fence', 'its outcome is kept as late evidence'),
}

/** Chooses a row by how a late attempt ended. */
export function lateEndIs(...ends: readonly string[]): Guard {
  return {
    id: `late_end_is_${ends.join('_or_')}`,
    title: `the late attempt ended ${ends.join(' or ')}`,
    code: 'refused',
    check: ({ request }) =>
      request.type === 'late_result' && ends.includes(request.end)
        ? null
        : objection('it ended otherwise', 'a receipt against a settled operation is recorded as contradict'),
  }
}
