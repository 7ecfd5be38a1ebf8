import type { Attempt } from '../../../src/core/attempt.js'
import type { Grade, Match, Observed, ReadTerms, Seen } from '../../../src/core/observation.js'
import type { ExternalId, Operation } from '../../../src/core/operation.js'
import type { VerdictQuestion } from '../../../src/core/verdict.js'
import { NOON, stampAt } from '../builders.js'

export const MINUTE = 60_000
/** one minute after its sending nothing leaves any more, and nothing arrives after these */
export const ARRIVAL_MS = 20 * MINUTE
export const SETTLE_MS = 10 * MINUTE
export const RETENTION_MS = 180 * MINUTE
export const SPACING_MS = 1 * MINUTE

export function anAttempt(n = 1, over: Partial<Attempt> = {}): Attempt {
  const sent_at = over.sent_at ?? NOON
  return {
    operation_id: 'ticket-1',
    n,
    fence: n,
    owner: 'host/boot/1/ns/1/a',
    sent_at,
    sent_boot_id: stampAt(sent_at).boot_id,
    sent_boot_ms: stampAt(sent_at).boot_ms,
    send_by: sent_at + MINUTE,
    latest_arrival: sent_at + ARRIVAL_MS,
    ended_at: sent_at + MINUTE / 2,
    end: 'ambiguous',
    error: null,
    heartbeat_at: null,
    activity_at: null,
    progress_at: null,
    progress: null,
    ...over,
  }
}

type Subject = VerdictQuestion['operation']

export function anOperation(over: Partial<Operation> = {}): Subject {
  return {
    operation_id: 'ticket-1',
    status: 'unknown',
    attempt: 1,
    version: 3,
    repeat: { kind: 'idempotency_key', retention_ms: RETENTION_MS },
    key_first_used_at: NOON,
    key_retention_ms: RETENTION_MS,
    flags: {},
    lease_owner: null,
    ...over,
  }
}

export const TERMS: ReadTerms = { settle_ms: SETTLE_MS, reads: 2, spacing_ms: SPACING_MS, keeps_ms: null }

export interface Read {
  readonly grade?: Grade
  readonly at?: number
  readonly source?: string
  readonly terms?: ReadTerms
  readonly scope?: string | null
  readonly seen?: { readonly attempts?: number; readonly version?: number }
}

/** One reading, and what it saw. */
export function aReading(
  { grade = 'C', at = NOON, source = grade, terms = TERMS, scope = null, seen = {} }: Read,
  observed: Observed,
): Seen {
  return {
    source,
    grade,
    terms,
    started: stampAt(at),
    observed_at: at + 100,
    scope,
    request: { url: 'https://tickets.example' },
    response_digest: null,
    seen_attempts: seen.attempts ?? 1,
    seen_version: seen.version ?? 3,
    ...observed,
  }
}

type Complete = Extract<Observed, { completeness: 'complete' }>

/** A whole answer, in which nothing stands where nothing else is said. */
export function whole(over: Partial<Complete> = {}): Complete {
  return {
    completeness: 'complete',
    matches: [],
    parent: 'readable',
    statements: [],
    remote: null,
    disagreements: [],
    ...over,
  }
}

export const NOT_REACHED: Extract<Observed, { completeness: 'failed' }> = {
  completeness: 'failed',
  code: 'unreachable',
  why: 'connect ECONNREFUSED',
  retry_after_ms: null,
}

export function anId(value = 'T-1', over: Partial<ExternalId> = {}): ExternalId {
  return { kind: 'ticket', value, ...over }
}

export function aMatch(over: Partial<Match> = {}): Match {
  return { external_id: anId(), matched_by: 'key', digest: null, ...over }
}

export function aQuestion(latest: readonly Seen[], over: Partial<VerdictQuestion> = {}): VerdictQuestion {
  const last = latest.at(-1)?.started.at ?? NOON
  return {
    operation: anOperation(),
    attempts: [anAttempt()],
    knownIds: [],
    boundTo: () => null,
    now: stampAt(last + 200),
    clockDoubt: false,
    latest,
    earlier: [],
    ...over,
  }
}
