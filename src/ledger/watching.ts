import type { LedgerEvent } from '../execute/events/ledger-event.js'
import { type Observer, watched } from '../execute/events/watch.js'
import { VERSION } from '../version.js'
import type { Session } from './session.js'

export type { LedgerEvent, LedgerEventType } from '../execute/events/ledger-event.js'

/** Who wants to hear what happens. */
export interface Listening {
  /**
   * told of every move that this handle made, after it is durable, and of every refusal; it is called within the
   * verb, so it should be quick. Its faults are ignored: they never decide over an operation
   */
  readonly onEvent?: (event: LedgerEvent) => void
  /** spans and metrics where `@opentelemetry/api` is installed; default true */
  readonly telemetry?: boolean
}

/** The session under observation; as it was where nobody listens. */
export async function listenedTo(
  session: Session,
  { onEvent, telemetry = true }: Listening,
): Promise<Session> {
  const observers: Observer[] = onEvent === undefined ? [] : [{ event: onEvent }]
  if (telemetry) {
    const { monotonicMs } = session
    const tracing = await import('../execute/events/telemetry.js')
    const observer = await tracing.telemetry({ version: VERSION, monotonicMs })
    if (observer !== null) observers.push(observer)
  }
  if (observers.length === 0) return session
  const { actor, clock, mask } = session
  return { ...session, ...watched(session.store, { observers, actor, clock, mask }) }
}
