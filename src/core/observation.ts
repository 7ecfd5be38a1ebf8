import type { JsonObject, JsonValue } from './json.js'
import type { ExternalId } from './operation.js'
import type { Stamp } from './time.js'

/**
 * What a look-up is worth: `A` the service's own record of the key · `B` a point read by our own id, name or
 * compare-and-set token, strongly consistent · `C` a complete listing by time with our marker · `D` search, feeds, logs.
 */
export const GRADES = ['A', 'B', 'C', 'D'] as const
export type Grade = (typeof GRADES)[number]

/** How an object was known to be ours; `attributes`: it looks alike, and nothing of it is ours alone. */
export const MATCHED_BY = ['key', 'operation_id', 'digest', 'attributes'] as const
export type MatchedBy = (typeof MATCHED_BY)[number]

export interface Match {
  readonly external_id: ExternalId
  readonly matched_by: MatchedBy
  /** digest of the object's content as the service or we made it; null where nobody did */
  readonly digest: string | null
  /** what of it is not as it was asked for, in words: it stands under our name and is something else */
  readonly differs?: string
}

/** What a service says of attempts for good: none of these took effect or ever will. */
export interface Statement {
  readonly says: 'aborted' | 'never_sent' | 'refused'
  /** numbers of the attempts it names; `all`: every one made so far */
  readonly attempts: readonly number[] | 'all'
}

export const REMOTE_STATES = [
  'working',
  'input_needed',
  'completed',
  'failed',
  'cancelled',
  'not_found',
] as const
export type RemoteState = (typeof REMOTE_STATES)[number]

/** A remote task, job or workflow, asked by its id. */
export interface Remote {
  readonly state: RemoteState
  /** the service's own word for it, and what else it says: `progressing 3/5` */
  readonly says: string
  /** what of it exists already; with a state that says otherwise it is a contradiction */
  readonly artifact?: string
  /** by this service's contract a task that failed or was cancelled left nothing behind */
  readonly left_nothing?: true
}

export const FAILURES = [
  'unreachable',
  'timed_out',
  'unauthorized',
  'forbidden',
  'rate_limited',
  'refused',
  'server_error',
  'not_understood',
  'too_large',
  'too_many_pages',
  'host_not_named',
  'address_not_allowed',
  'program_failed',
  'not_trusted',
  'cannot_ask',
] as const
export type FailureCode = (typeof FAILURES)[number]

/** How long and how often a source must be looked at before its silence says something. Milliseconds. */
export interface ReadTerms {
  /** how long its records may lag behind the effect */
  readonly settle_ms: number
  /** complete reads without a match that absence takes */
  readonly reads: number
  /** time between two of them */
  readonly spacing_ms: number
  /** how long it keeps its records; null: for good */
  readonly keeps_ms: number | null
}

/** Which reading it was: kept whole as evidence, secrets masked. */
export interface Reading {
  /** digest of what was asked, without the time: the reads of one source are counted together */
  readonly source: string
  readonly grade: Grade
  readonly terms: ReadTerms
  /** before the first byte of the first request */
  readonly started: Stamp
  /** when the last answer was in, milliseconds since 1970 UTC */
  readonly observed_at: number
  /** session, account or region it was asked in; null where the source knows none */
  readonly scope: string | null
  /** what was sent: never a header's value that came from the environment */
  readonly request: JsonObject
  /** `sha256:<hex>` over the answers as they came; null where nothing came */
  readonly response_digest: string | null
}

interface Answered {
  readonly matches: readonly Match[]
  /** could what holds the object be read in the same way? `not_asked`: the probe does not say how */
  readonly parent: 'readable' | 'unreadable' | 'not_asked'
  readonly statements: readonly Statement[]
  readonly remote: Remote | null
  /** facts of one answer that contradict each other, each in words */
  readonly disagreements: readonly string[]
  /** what a resumed run gets, by the probe's `result`; absent where it says nothing */
  readonly result?: JsonValue
}

/**
 * What a look-up saw. Failed and empty are different types: only `complete` without a match can count against an
 * operation, and `failed` has no matches to count.
 */
export type Observed =
  | (Answered & { readonly completeness: 'complete' })
  | (Answered & { readonly completeness: 'partial'; readonly why: string })
  | {
      readonly completeness: 'failed'
      readonly code: FailureCode
      /** in words, masked */
      readonly why: string
      /** the service asks to wait at least this long, milliseconds */
      readonly retry_after_ms: number | null
    }

export type Observation = Reading & Observed

/** An observation, and how the operation stood before its first byte was sent. */
export type Seen = Observation & {
  readonly seen_attempts: number
  readonly seen_version: number
}
