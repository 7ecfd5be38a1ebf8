import type { Operation } from './operation.js'
import { elapsedAtMost, type Stamp } from './time.js'

/** Default time after `send_by` in which a request may still reach a service. */
export const DEFAULT_ARRIVAL_BOUND_MS = 15 * 60_000

export interface RepeatAnswer {
  readonly safe: boolean
  readonly reason: string
  /** until when it stays safe; null = not bound by time */
  readonly until: number | null
}

export interface RepeatQuestion {
  readonly operation: Pick<
    Operation,
    | 'status'
    | 'flags'
    | 'may_have_applied'
    | 'repeat'
    | 'key_first_used_at'
    | 'key_retention_ms'
    | 'contract'
    | 'target'
  >
  readonly now: Stamp
  /** was another operation on the same target sent since this one's first send? null = nobody looked */
  readonly targetTouched: boolean | null
  /** the first attempt's announcement by both clocks; left out where only the row was read: then wall time alone */
  readonly firstSent?: Stamp | null
}

/** May the same request be sent again now without a second effect? Decided by the contract copied into the row. */
export function isSafeToRepeat({ operation, now, targetTouched, firstSent }: RepeatQuestion): RepeatAnswer {
  if (!isMaybeApplied(operation)) return yes('no attempt may have taken effect')
  const { repeat } = operation
  if (repeat === null) return no('nobody declared what a repeat does at this service')
  switch (repeat.kind) {
    case 'none':
      return no('this service does not recognise a repeat')
    case 'idempotent':
      return whileUntouched('setting the same state again changes nothing', operation.target, targetTouched)
    case 'conditional':
      return repeat.names === 'permanent'
        ? yes('the name is taken for ever by the first arrival, a refused repeat is compared')
        : whileUntouched('the condition refuses a second arrival', operation.target, targetTouched)
    case 'idempotency_key':
      return whileKeyIsKnown(operation, now, firstSent ?? null)
  }
}

/**
 * Besides the attempts in doubt: the live one, which `may_have_applied` leaves out; and what a person or evidence
 * doubts again after it was settled, whatever the ends of its attempts say.
 */
function isMaybeApplied({ status, flags, may_have_applied }: RepeatQuestion['operation']): boolean {
  const isDoubtedAgain = flags.reopened === true || flags.contradicted === true
  return may_have_applied || status === 'in_flight' || (status === 'unknown' && isDoubtedAgain)
}

/**
 * The key's age is what the clock says that says more: a wall clock set back makes no key younger. `until` is the
 * first moment, in wall time, at which a repeat could arrive after the service has forgotten it.
 */
function whileKeyIsKnown(
  { key_first_used_at, key_retention_ms, contract }: RepeatQuestion['operation'],
  now: Stamp,
  sent: Stamp | null,
): RepeatAnswer {
  const arrival = contract.arrival_bound_ms ?? DEFAULT_ARRIVAL_BOUND_MS
  if (key_first_used_at === null || key_retention_ms === null || arrival === 'unbounded')
    return no('how long the service keeps the key is not known')
  const firstUsed =
    sent !== null && sent.at === key_first_used_at ? sent : { at: key_first_used_at, boot_id: '', boot_ms: 0 }
  const left = key_retention_ms - arrival - elapsedAtMost(firstUsed, now)
  if (left <= 0) return no('the service may have forgotten the key: a repeat would be a new request')
  return { safe: true, reason: 'the service still knows the key', until: now.at + left }
}

function whileUntouched(reason: string, target: string | null, touched: boolean | null): RepeatAnswer {
  if (target === null)
    return no('the target is not named, so nobody can tell whether another write came between')
  if (touched === null) return no('nobody looked whether another write on this target came between')
  return touched ? no('another operation on this target was sent since') : yes(reason)
}

function yes(reason: string): RepeatAnswer {
  return { safe: true, reason, until: null }
}

function no(reason: string): RepeatAnswer {
  return { safe: false, reason, until: null }
}
