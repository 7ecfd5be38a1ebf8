import type { OperationStatus } from '../../../src/core/operation.js'
import type { Context, Request, State } from '../../../src/core/transitions/requests.js'
import { asked, following, NOON, SEEN, stampAt, TICKET, theirAttempt } from '../builders.js'

/** One way to reach one row of the table from one status. */
export interface Case {
  readonly state: State | null
  readonly request: Request
  readonly context: Partial<Context>
  readonly to: OperationStatus
}

const HOUR = 3_600_000
const LEASE_END = { now: stampAt(NOON + 60_000) }
const ARRIVED = { now: stampAt(NOON + HOUR), evidence: [SEEN] }
const keyed = { repeat: { kind: 'idempotency_key', retention_ms: 24 * HOUR } } as const
const accepted = asked.allowRetry({ accept_duplicate: 'it may be there twice' })

const KNOWN = { known_external_ids: [TICKET] }

export const states = {
  prepared: () => following([asked.prepare()]),
  sent: () => following([asked.prepare(), asked.send()]),
  lost: () => following([asked.prepare(), asked.send(), asked.lose()]),
  keyedLost: () => following([asked.prepare(keyed), asked.send(), asked.lose()]),
  confirmed: () => following([asked.prepare(), asked.send(), asked.confirm()]),
  refused: () => following([asked.prepare(), asked.send(), asked.reject()]),
  waiting: () => following([asked.prepare(), asked.send(), asked.scheduleRetry()]),
  cancelled: () => following([asked.prepare(), asked.cancel()]),
  /** a receipt named a second object */
  doubled: () =>
    following(
      [asked.late('applied', { external_ids: [{ kind: 'ticket', value: 'T-2' }] })],
      KNOWN,
      states.confirmed(),
    ),
  doubledAndDoubted: () => following([asked.reopen()], KNOWN, states.doubled()),
  abandoned: () => following([asked.abandon()], {}, states.lost()),
  preparedInDoubt: () => following([accepted], {}, states.lost()),
  /** attempt 1 lost, attempt 2 in flight under fence 4 */
  sentAgain: () => following([asked.send()], {}, states.preparedInDoubt()),
}

const second = { attempt: 2, fence: 4 }

const lost = [theirAttempt(1, 'ambiguous')]
const refused = [theirAttempt(1, 'not_applied')]
const inTheAir = [theirAttempt(1, null)]
const inTheAirAgain = [...refused, theirAttempt(2, null)]
const theirs = {
  prepared: () => following([asked.imported({ status: 'prepared', attempts: [] })]),
  preparedInDoubt: () => following([asked.imported({ status: 'prepared', attempts: lost })]),
  inFlight: () => following([asked.imported({ status: 'in_flight', attempts: inTheAir })]),
  unknown: () => following([asked.imported({ status: 'unknown', attempts: lost })]),
  confirmed: () => following([asked.imported()]),
  refused: () => following([asked.imported({ status: 'not_executed', attempts: refused })]),
  cancelled: () => following([asked.imported({ status: 'cancelled', attempts: [] })]),
  abandoned: () => following([asked.imported({ status: 'abandoned', attempts: lost })]),
}
const notExecuted = asked.imported({ status: 'not_executed', attempts: refused })

/** From each status that their record can be read again in. */
const IMPORTS: readonly Case[] = [
  to('prepared', null, asked.imported({ status: 'prepared', attempts: [] })),
  to('in_flight', null, asked.imported({ status: 'in_flight', attempts: inTheAir })),
  to('confirmed', null, asked.imported()),
  to('not_executed', null, notExecuted),
  to('unknown', null, asked.imported({ status: 'unknown', attempts: lost })),
  to('cancelled', null, asked.imported({ status: 'cancelled', attempts: [] })),
  to('abandoned', null, asked.imported({ status: 'abandoned', attempts: lost })),
  to('confirmed', theirs.prepared(), asked.imported()),
  to('confirmed', theirs.inFlight(), asked.imported()),
  to('confirmed', theirs.unknown(), asked.imported()),
  to('not_executed', theirs.preparedInDoubt(), notExecuted),
  to('not_executed', theirs.inFlight(), notExecuted),
  to('not_executed', theirs.unknown(), notExecuted),
  to('unknown', theirs.prepared(), asked.imported({ status: 'unknown', attempts: lost })),
  to('unknown', theirs.inFlight(), asked.imported({ status: 'unknown', attempts: lost })),
  to('in_flight', theirs.prepared(), asked.imported({ status: 'in_flight', attempts: inTheAir })),
  to('in_flight', theirs.unknown(), asked.imported({ status: 'in_flight', attempts: inTheAirAgain })),
  to('prepared', theirs.inFlight(), asked.imported({ status: 'prepared', attempts: refused })),
  to('prepared', theirs.unknown(), asked.imported({ status: 'prepared', attempts: lost })),
  to('cancelled', theirs.prepared(), asked.imported({ status: 'cancelled', attempts: [] })),
  to('abandoned', theirs.unknown(), asked.imported({ status: 'abandoned', attempts: lost })),
  to(
    'prepared',
    theirs.refused(),
    asked.imported({ status: 'prepared', attempts: [...refused, theirAttempt(2, 'not_applied')] }),
  ),
  to('in_flight', theirs.refused(), asked.imported({ status: 'in_flight', attempts: inTheAirAgain })),
  to(
    'unknown',
    theirs.refused(),
    asked.imported({ status: 'unknown', attempts: [...refused, theirAttempt(2, 'ambiguous')] }),
  ),
  to('confirmed', theirs.refused(), asked.imported({ attempts: [...refused, theirAttempt(2, 'applied')] })),
  to('prepared', theirs.prepared(), asked.imported({ status: 'prepared', attempts: [] })),
  to('in_flight', theirs.inFlight(), asked.imported({ status: 'in_flight', attempts: inTheAir })),
  to('unknown', theirs.unknown(), asked.imported({ status: 'unknown', attempts: lost })),
  to('confirmed', theirs.confirmed(), asked.imported()),
  to('not_executed', theirs.refused(), notExecuted),
  to('cancelled', theirs.cancelled(), asked.imported({ status: 'cancelled', attempts: [] })),
  to('abandoned', theirs.abandoned(), asked.imported({ status: 'abandoned', attempts: lost })),
]

/** At least one case a row of the table and status it starts from; table.test.ts fails when one is missing. */
export const CASES: readonly Case[] = [
  to('prepared', null, asked.prepare()),
  to('in_flight', states.prepared(), asked.send()),
  to('in_flight', states.sent(), asked.accept()),
  to('confirmed', states.sent(), asked.confirm()),
  to('confirmed', states.sent(), asked.match()),
  to('confirmed', states.lost(), asked.match()),
  to('confirmed', states.preparedInDoubt(), asked.match()),
  to('not_executed', states.sent(), asked.reject()),
  to('unknown', states.sentAgain(), asked.rejectInDoubt(second)),
  to('prepared', states.sent(), asked.scheduleRetry()),
  to('unknown', states.sent(), asked.lose()),
  to('unknown', states.sent(), asked.orphan(), LEASE_END),
  to('unknown', states.sent(), asked.takeover()),
  to('prepared', states.prepared(), asked.takeover()),
  to('prepared', states.keyedLost(), asked.resend()),
  to('prepared', states.refused(), asked.rerun()),
  to('prepared', states.keyedLost(), asked.allowRetry()),
  to('prepared', states.refused(), asked.allowRetry()),
  to('prepared', states.cancelled(), asked.allowRetry()),
  to('unknown', states.preparedInDoubt(), asked.withdraw()),
  to('not_executed', states.waiting(), asked.withdraw()),
  to('prepared', states.prepared(), asked.withdraw()),
  to('not_executed', states.lost(), asked.absent()),
  to('confirmed', states.lost(), asked.resolveConfirmed()),
  to('confirmed', states.refused(), asked.resolveConfirmed()),
  to('confirmed', states.preparedInDoubt(), asked.resolveConfirmed()),
  to('not_executed', states.lost(), asked.resolveNotExecuted(), ARRIVED),
  to('not_executed', states.preparedInDoubt(), asked.resolveNotExecuted(), ARRIVED),
  to('confirmed', states.preparedInDoubt(), asked.late('applied')),
  to('confirmed', states.sentAgain(), asked.late('applied')),
  to('confirmed', states.lost(), asked.late('applied')),
  to('confirmed', states.confirmed(), asked.late('applied')),
  to('not_executed', states.lost(), asked.late('not_applied')),
  to('prepared', states.preparedInDoubt(), asked.late('not_applied')),
  to('in_flight', states.sentAgain(), asked.late('not_applied')),
  to('confirmed', states.confirmed(), asked.late('ambiguous')),
  to('not_executed', states.refused(), asked.late('ambiguous')),
  to('unknown', states.lost(), asked.late('ambiguous')),
  to('cancelled', states.cancelled(), asked.late('ambiguous')),
  to('abandoned', states.abandoned(), asked.late('not_applied')),
  to('unknown', states.confirmed(), asked.contradict()),
  to('unknown', states.refused(), asked.contradict({ attempt: 1, external_ids: [TICKET] })),
  to('unknown', states.cancelled(), asked.contradict()),
  to('unknown', states.abandoned(), asked.contradict()),
  to('unknown', states.confirmed(), asked.reopen()),
  to('unknown', states.refused(), asked.reopen()),
  to('unknown', states.abandoned(), asked.reopen()),
  ...[asked.cancel(), asked.deny()].flatMap(stop => [
    to('cancelled', states.prepared(), stop),
    to('not_executed', states.waiting(), stop),
    to('unknown', states.preparedInDoubt(), stop),
    to('in_flight', states.sent(), stop),
    to('unknown', states.lost(), stop),
  ]),
  to('in_flight', states.sent(), asked.question()),
  to('unknown', states.lost(), asked.question()),
  to('confirmed', states.confirmed(), asked.question()),
  to('confirmed', states.doubled(), asked.acknowledge()),
  to('unknown', states.doubledAndDoubted(), asked.acknowledge()),
  to('abandoned', states.lost(), asked.abandon()),
  ...IMPORTS,
]

function to(
  target: OperationStatus,
  state: State | null,
  request: Request,
  context: Partial<Context> = {},
): Case {
  return { state, request, context, to: target }
}
