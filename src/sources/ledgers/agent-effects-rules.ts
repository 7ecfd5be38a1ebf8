import type { AttemptEnd } from '../../core/attempt.js'
import type { Effect, OperationStatus } from '../../core/operation.js'

/** What of a row decides what its status means here. */
export interface EffectState {
  readonly status: string
  /** null where the row does not say (schemas before 1.0) */
  readonly mayHaveApplied: boolean | null
  readonly attempts: number
  /** does their executor's lease hold now? */
  readonly isLeased: boolean
}

export interface StatusRule {
  readonly id: string
  readonly statuses: readonly string[]
  readonly when?: (state: EffectState) => boolean
  readonly status: OperationStatus
  /** how the newest attempt ended */
  readonly end: AttemptEnd | null
  readonly why: string
}

const rule = (
  [id, status, end]: readonly [string, OperationStatus, AttemptEnd | null],
  statuses: readonly string[],
  why: string,
  when?: StatusRule['when'],
): StatusRule => ({
  id: `agent_effects.${id}`,
  statuses,
  status,
  end,
  why,
  ...(when === undefined ? {} : { when }),
})

const isExcluded = ({ mayHaveApplied }: EffectState) => mayHaveApplied === false

/** What a status of agent-effects means here; the first that fits counts. */
export const STATUS_RULES: readonly StatusRule[] = [
  rule(
    ['pending', 'prepared', 'not_applied'],
    ['pending'],
    'It waits to be sent, and no attempt of it may have taken effect.',
    isExcluded,
  ),
  rule(
    ['pending_in_doubt', 'prepared', 'ambiguous'],
    ['pending'],
    'It waits to be sent again, and its row does not rule out that an earlier attempt took effect.',
    ({ attempts }) => attempts > 0,
  ),
  rule(['pending_new', 'prepared', null], ['pending'], 'It waits for its first attempt.'),
  rule(
    ['awaiting_approval_in_doubt', 'prepared', 'ambiguous'],
    ['awaiting_approval'],
    'It waits for an approval, and its row does not rule out that an earlier attempt took effect.',
    state => state.attempts > 0 && !isExcluded(state),
  ),
  rule(['awaiting_approval', 'prepared', 'not_applied'], ['awaiting_approval'], 'It waits for an approval.'),
  rule(
    ['executing', 'in_flight', null],
    ['executing', 'verifying'],
    'An executor holds its lease.',
    ({ isLeased }) => isLeased,
  ),
  rule(
    ['lease_lapsed', 'unknown', 'ambiguous'],
    ['executing', 'verifying'],
    'Its executor’s lease ran out before an outcome was written down.',
  ),
  rule(
    ['unknown', 'unknown', 'ambiguous'],
    ['unknown'],
    'agent-effects could not find out whether it took effect.',
  ),
  rule(
    ['needs_intervention', 'unknown', 'ambiguous'],
    ['needs_intervention'],
    'agent-effects gave it to a person to find out.',
  ),
  rule(['committed', 'confirmed', 'applied'], ['committed'], 'It was committed with its output.'),
  rule(
    ['rejected', 'cancelled', null],
    ['rejected'],
    'Its approval was refused, and nothing was ever sent.',
    ({ attempts }) => attempts === 0,
  ),
  rule(
    ['failed', 'not_executed', 'not_applied'],
    ['failed', 'rejected'],
    'It failed, and its row rules out that any attempt took effect.',
    isExcluded,
  ),
  rule(
    ['failed_in_doubt', 'unknown', 'ambiguous'],
    ['failed', 'rejected'],
    'It failed, and its row does not rule out that an attempt took effect.',
  ),
  rule(
    ['compensated', 'confirmed', 'applied'],
    ['compensating', 'compensated', 'compensation_failed'],
    'It took effect; what undoes it stands beside it.',
  ),
]

export const OTHER_STATUS: StatusRule = rule(
  ['other_status', 'unknown', 'ambiguous'],
  [],
  'Its status is none that is known of agent-effects.',
)

/** What became of the undoing, by the status of what it undoes. */
export const UNDOING_RULES: readonly StatusRule[] = [
  rule(
    ['undoing', 'in_flight', null],
    ['compensating'],
    'It is being undone, under a lease.',
    ({ isLeased }) => isLeased,
  ),
  rule(
    ['undoing_lapsed', 'unknown', 'ambiguous'],
    ['compensating'],
    'It was being undone when the lease ran out.',
  ),
  rule(['undone', 'confirmed', 'applied'], ['compensated'], 'It was undone.'),
  rule(
    ['undoing_failed', 'unknown', 'ambiguous'],
    ['compensation_failed'],
    'Undoing it failed; nothing says how far it came.',
  ),
]

/** `kind` of a row. An idempotent write says what a repeat does, and nothing of undoing. */
export const EFFECT_OF_KIND: Readonly<Record<string, Effect | null>> = {
  read: 'read',
  idempotent_write: null,
  reversible_write: 'reversible',
  irreversible_write: 'irreversible',
}
