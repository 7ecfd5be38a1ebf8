import type { AttemptEnd } from '../attempt.js'
import type { OperationStatus } from '../operation.js'
import type { Guard } from './guards/guard.js'
import type { EventType } from './requests.js'

/** One move, one target. The first row whose `from` and `when` fit is the one whose guards decide. */
export interface Transition {
  readonly event: EventType
  readonly from: readonly (OperationStatus | 'none')[]
  readonly to: OperationStatus
  /** chooses among rows of one event */
  readonly when?: readonly Guard[]
  /** must hold, or the move is refused with the first that does not */
  readonly guards?: readonly Guard[]
  /** how the live attempt ends by this move */
  readonly liveEnds?: AttemptEnd
  /** raises the fence: whoever held it can write no outcome any more */
  readonly fences?: true
  readonly means: string
}

/** One row of the table, in the order in which it is read aloud. */
export function row(
  event: EventType,
  from: Transition['from'],
  to: OperationStatus,
  means: string,
  rest: Omit<Transition, 'event' | 'from' | 'to' | 'means'> = {},
): Transition {
  return { event, from, to, means, ...rest }
}
