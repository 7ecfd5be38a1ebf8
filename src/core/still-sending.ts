import type { Attempt } from './attempt.js'

/** An attempt that was fenced off or asked to stop, and whose executor may not have heard of it yet. */
export interface StillSending {
  readonly operation_id: string
  readonly attempt: number
  readonly owner: string
  /** bytes of it may leave until then, milliseconds since 1970 UTC */
  readonly send_by: number
}

/** Attempts whose bytes may still leave: no outcome is known, their time has not run out, their process may live. */
export function stillSending(
  attempts: readonly Attempt[],
  { now, isOwnerGone }: { readonly now: number; readonly isOwnerGone: (owner: string) => boolean },
): StillSending[] {
  return attempts
    .filter(({ end }) => end === null || end === 'ambiguous')
    .filter(({ send_by, owner }) => send_by > now && !isOwnerGone(owner))
    .map(({ operation_id, n, owner, send_by }) => ({ operation_id, attempt: n, owner, send_by }))
}
