import { type Attempt, isAttemptInDoubt } from '../attempt.js'
import type { JsonValue } from '../json.js'
import type { Match, Seen } from '../observation.js'
import type { ExternalId, Operation } from '../operation.js'
import type { Stamp } from '../time.js'

export interface VerdictQuestion {
  readonly operation: Pick<
    Operation,
    | 'operation_id'
    | 'status'
    | 'attempt'
    | 'version'
    | 'repeat'
    | 'key_first_used_at'
    | 'key_retention_ms'
    | 'flags'
    | 'lease_owner'
  >
  readonly attempts: readonly Attempt[]
  /** external ids of this operation that are on file */
  readonly knownIds: readonly ExternalId[]
  /** the other operation that an external id is bound to; null: none */
  readonly boundTo: (id: ExternalId) => string | null
  readonly now: Stamp
  /** the clocks disagree since the ledger's last commit */
  readonly clockDoubt: boolean
  /** what was seen in this look */
  readonly latest: readonly Seen[]
  /** what was seen in looks before, oldest first */
  readonly earlier: readonly Seen[]
}

/** What the observations say of an operation. */
export type Finding =
  | {
      readonly verdict: 'confirmed'
      readonly reason: string
      readonly external_ids: readonly ExternalId[]
      readonly duplicates: boolean
      /** absent where the probe supplies none */
      readonly result?: JsonValue
    }
  | {
      readonly verdict: 'absent'
      readonly reason: string
      /** the attempts that did not take effect and cannot any more */
      readonly attempts: readonly number[]
    }
  /** some attempts certainly did nothing, others are still in doubt */
  | { readonly verdict: 'not_applied'; readonly reason: string; readonly attempts: readonly number[] }
  | {
      readonly verdict: 'inconclusive'
      readonly reason: string
      /** who or what can change that: `time` a later look, `service` it works or waits, `person` they decide */
      readonly waits_for: 'time' | 'service' | 'person'
      /** before this moment a look says nothing new, milliseconds since 1970 UTC; null: nobody can tell */
      readonly next_look_at: number | null
      /** objects that may be it */
      readonly candidates: readonly Match[]
      /** facts that contradict each other, in words */
      readonly facts: readonly string[]
    }

export interface VerdictRule {
  readonly id: string
  readonly title: string
  /** why it is so; docs/reconcile.md prints it */
  readonly reason: string
  readonly judge: (look: Sight) => Finding | null
}

/** An answer, whole or in part. */
export type AnsweredSeen = Extract<Seen, { completeness: 'complete' | 'partial' }>

/** The question, with what every rule reads of it. */
export interface Sight extends VerdictQuestion {
  /** answers of this look that were asked where the operation was made */
  readonly answers: readonly AnsweredSeen[]
  /** readings of this look that were asked elsewhere */
  readonly elsewhere: readonly Seen[]
  readonly doubted: readonly Attempt[]
}

export function sightOf(question: VerdictQuestion): Sight {
  const { latest, attempts } = question
  const here = latest.filter(seen => otherScope(seen, question) === null)
  return {
    ...question,
    answers: here.filter(isAnswered),
    elsewhere: latest.filter(seen => !here.includes(seen)),
    doubted: attempts.filter(isAttemptInDoubt),
  }
}

export function isAnswered(seen: Seen): seen is AnsweredSeen {
  return seen.completeness !== 'failed'
}

/** The scope in which the operation was made, where it was asked in another one; null: as far as known, the same. */
export function otherScope({ scope }: Seen, { knownIds, operation }: VerdictQuestion): string | null {
  if (scope === null) return null
  const { repeat } = operation
  const own = [
    ...knownIds.map(id => id.scope),
    repeat?.kind === 'idempotency_key' ? repeat.scope : undefined,
  ].filter(one => one !== undefined)
  const [first] = own
  return first === undefined || own.includes(scope) ? null : first
}

interface Undecided {
  readonly waits_for?: 'time' | 'service' | 'person'
  readonly next_look_at?: number | null
  readonly candidates?: readonly Match[]
  readonly facts?: readonly string[]
}

export function inconclusive(reason: string, more: Undecided = {}): Finding {
  const { waits_for = 'person', next_look_at = null, candidates = [], facts = [] } = more
  return { verdict: 'inconclusive', reason, waits_for, next_look_at, candidates, facts }
}
