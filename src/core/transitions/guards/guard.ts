import type { Stamp } from '../../time.js'
import type { Context, Refusal, Request, State } from '../requests.js'

/** One reason not to move. `check` answers null when it holds, else why not and what would satisfy it. */
export interface Guard {
  readonly id: string
  readonly title: string
  readonly code: Refusal['code']
  readonly check: (move: Move) => Objection | null
}

/** Something asked of an operation that exists. */
export interface Move {
  readonly state: State
  readonly request: Request
  readonly context: Context
}

export interface Objection {
  readonly reason: string
  readonly satisfy: string
  /** another operation that stands in the way */
  readonly other?: string
}

export function objection(reason: string, satisfy: string): Objection {
  return { reason, satisfy }
}

/** A wall time without a boot clock beside it. */
export function wallTime(at: number): Stamp {
  return { at, boot_id: '', boot_ms: 0 }
}
