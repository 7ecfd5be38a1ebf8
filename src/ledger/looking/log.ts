import { actorForms } from '../../core/actor.js'
import { type EventItem, eventItem } from '../../core/documents/log.js'
import type { Follower } from '../../core/follow.js'
import type { EventQuery } from '../../store/store.js'
import { subjectOf } from '../subject.js'
import type { LookingSession } from './session.js'

export interface LogQuery {
  /** an operation, or a task with all that belongs to it */
  readonly about?: string
  readonly as?: 'operation' | 'task'
  /** with its label (`flag:ana`), without, or as it is shown */
  readonly actor?: string
  readonly type?: string
  /** at or after, milliseconds since 1970 UTC */
  readonly since?: number
  /** only what was written after this event */
  readonly afterSeq?: number
}

const PAGE = 500

/** Events in the order they were written, refused decisions included. @throws LedgerError not_found, with ids near it */
export async function* log(session: LookingSession, query: LogQuery): AsyncGenerator<EventItem> {
  const { store } = session
  const asked = await queryOf(session, query)
  let after_seq = query.afterSeq ?? 0
  for (;;) {
    const events = await store.events({ ...asked, after_seq, limit: PAGE })
    for (const event of events) yield eventItem(event)
    after_seq = events.at(-1)?.seq ?? after_seq
    if (events.length < PAGE) return
  }
}

/** What was written since the last look of this follower, also what others overtook when they committed. */
export async function* follow(
  session: LookingSession,
  query: Omit<LogQuery, 'afterSeq'>,
  follower: Follower,
): AsyncGenerator<EventItem> {
  const horizon = await session.store.commitHorizon()
  const afterSeq = follower.look(horizon)
  for await (const event of log(session, { ...query, afterSeq })) if (follower.isNew(event.seq)) yield event
}

async function queryOf({ store }: LookingSession, query: LogQuery): Promise<Omit<EventQuery, 'limit'>> {
  const { about, as, actor, type, since } = query
  const subject = about === undefined ? undefined : await subjectOf(store, about, as)
  return {
    ...(subject === undefined ? {} : { about: subject.ref }),
    ...(actor === undefined ? {} : { actors: actorForms(actor) }),
    ...(type === undefined ? {} : { type }),
    ...(since === undefined ? {} : { since }),
  }
}
