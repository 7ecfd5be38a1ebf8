import { hasArrivalPassed, isAttemptInDoubt } from '../../attempt.js'
import { ledgerCommand } from '../../shell-word.js'
import { targetDifference } from '../../target.js'
import { type Guard, objection } from './guard.js'

export const versionAsSeen: Guard = {
  id: 'version_as_seen',
  title: 'it is as the person saw it',
  code: 'conflict',
  check: ({ state: { operation }, request }) =>
    !('expected_version' in request) ||
    request.expected_version === null ||
    request.expected_version === operation.version
      ? null
      : objection(
          `${operation.operation_id} is ${operation.status} at version ${operation.version} now, you looked at version ${request.expected_version}`,
          `look again: ${ledgerCommand('show', [], operation.operation_id)}`,
        ),
}

export const reasonGiven: Guard = {
  id: 'reason_given',
  title: 'a person says why',
  code: 'refused',
  check: ({ request }) =>
    'reason' in request && request.reason !== null && request.reason.trim() !== ''
      ? null
      : objection('no reason was given', 'give --reason'),
}

export const evidenceGiven: Guard = {
  id: 'evidence_given',
  title: 'it cites evidence',
  code: 'refused',
  check: ({ context }) =>
    context.evidence.length > 0
      ? null
      : objection('no evidence was given', 'give --evidence: a link, an id, what you saw'),
}

export const arrivalPassedOrEarly: Guard = {
  id: 'arrival_passed_or_early',
  title: 'no attempt in doubt can still arrive, or the person says --early',
  code: 'refused',
  check: ({ state: { attempts }, request, context }) => {
    if (request.type === 'resolve_not_executed' && request.early) return null
    const pending = attempts.filter(
      attempt => isAttemptInDoubt(attempt) && !hasArrivalPassed(attempt, context.now),
    )
    if (pending.length === 0) return null
    const latest = pending.map(attempt => attempt.latest_arrival)
    const until = latest.includes(null)
      ? 'and its contract names no bound'
      : `until ${new Date(Math.max(...latest.map(at => at ?? 0))).toISOString()}`
    return objection(
      `an attempt can still arrive ${until}`,
      'wait until then, or give --early and say why in --reason',
    )
  },
}

export const targetAsAsked: Guard = {
  id: 'target_as_asked',
  title: 'it touched the target that was asked for, or the person says --other-target',
  code: 'refused',
  check: ({ state: { operation }, request }) => {
    if (request.type !== 'resolve_confirmed' || request.other_target) return null
    const difference = targetDifference(operation.target, request.external_ids)
    return difference === null
      ? null
      : objection(
          `the target differs: ${difference}`,
          'look at what was touched; if it is to count as done, give --other-target and say why in --reason',
        )
  },
}

export const notSuperseded: Guard = {
  id: 'not_superseded',
  title: 'no edit replaced it',
  code: 'refused',
  check: ({ state: { operation } }) =>
    operation.flags.superseded_by === undefined
      ? null
      : objection(
          `${operation.flags.superseded_by} replaced it: both would be sent`,
          'decide on that one; a further change is a new edit of it',
        ),
}

export const hasDuplicates: Guard = {
  id: 'has_duplicates',
  title: 'more than one object carries its id',
  code: 'refused',
  check: ({ state: { operation } }) =>
    operation.flags.duplicates
      ? null
      : objection(
          operation.flags.acknowledged_duplicates === undefined
            ? 'no second object is on record'
            : 'its duplicates were acknowledged already',
          'nothing is to be acknowledged',
        ),
}

export const notDenied: Guard = {
  id: 'not_denied',
  title: 'nobody denied it',
  code: 'refused',
  check: ({ state: { operation } }) =>
    operation.flags.denied
      ? objection('it was denied', 'a denial is final: another intent is another operation')
      : null,
}
