import { isoOrNull } from '../../core/documents/parts.js'
import type { StatusDocument } from '../../core/documents/status.js'
import type { StoreReader } from '../../store/store.js'
import { outlinesOf } from './rows.js'
import type { LookingSession } from './session.js'
import { type Group, openGroup, withOne } from './tally.js'
import { type Look, lookNow } from './view.js'

/** What was sent and is still held: nothing in doubt yet, and until when that can be said. */
export interface UnderWay {
  readonly count: number
  /** null: of writers that take no leases */
  readonly next_lease_ends_in_ms: number | null
}

export async function underWay(session: LookingSession): Promise<UnderWay> {
  const look = await lookNow(session)
  const { count, next_lease_ends_at } = await flyingOf(session.store, look)
  const inMs = next_lease_ends_at === null ? null : Date.parse(next_lease_ends_at) - look.look.now.at
  return { count, next_lease_ends_in_ms: inMs }
}

export async function flyingOf(store: StoreReader, look: Look): Promise<StatusDocument['in_flight']> {
  let group: Group = { count: 0, oldest: null }
  let next: number | null = null
  let without_lease = 0
  const flying = { scope: 'moving', statuses: ['in_flight'], sort: 'risk' } as const
  for await (const { operation_id, created_at, lease_expires_at } of outlinesOf(store, flying, look)) {
    group = withOne(group, { id: operation_id, at: created_at })
    if (lease_expires_at === null) without_lease++
    else next = Math.min(next ?? Infinity, lease_expires_at)
  }
  return { ...openGroup(group), next_lease_ends_at: isoOrNull(next), without_lease }
}
