import { isoTime } from '../iso-time.js'
import type { JsonObject, JsonValue } from '../json.js'
import type { NextAction } from '../next-action.js'
import type { ExternalId, LastError, Operation } from '../operation.js'
import type { LimitOrigin, Stall, StallRuleId } from '../stall/rule.js'

// Pieces that several documents have in common. Times in documents are ISO-8601 UTC with milliseconds.

export interface StallItem {
  readonly rule: StallRuleId
  readonly since: string
  readonly reason: string
  /** null where the rule reports a fact and knows no limit */
  readonly limit_ms: number | null
  readonly limit_from: LimitOrigin | null
  /** of a rule that counts: how many it allows */
  readonly limit_count?: number
  /** `overlapping_attempts`: their numbers */
  readonly attempts?: readonly number[]
  /** `duplicate_writes`: the group, the gap between the effects, the time-out of one attempt */
  readonly operations?: readonly string[]
  readonly gap_ms?: number
  readonly timeout_ms?: number | null
  readonly keys_differ?: boolean
  /** rules about loops: how often, and from when to when */
  readonly times?: number
  readonly first_at?: string
  readonly last_at?: string
  /** `loop_alternating`: how many calls make one round */
  readonly period?: number
  /** `budget_spent`: the parts that are used up */
  readonly spent?: readonly { readonly part: string; readonly used: number; readonly allowed: number }[]
}

export interface ErrorItem {
  readonly rule: string
  readonly message: string
  readonly at: string
  readonly attempt: number | null
  readonly code?: string
  readonly host?: string
}

export interface NextActionItem extends Omit<NextAction, 'not_before' | 'safe_until'> {
  readonly not_before: string | null
  readonly safe_until: string | null
}

/** Where a person finds out whether it happened: a link, and a check to paste. */
export interface LookHere {
  readonly url: string | null
  readonly check: string | null
}

export function stallItem({ rule, since, reason, limit, facts }: Stall): StallItem {
  return {
    rule,
    since: isoTime(since),
    reason,
    limit_ms: limit !== null && 'ms' in limit ? limit.ms : null,
    limit_from: limit?.from ?? null,
    ...(limit !== null && 'count' in limit ? { limit_count: limit.count } : {}),
    ...facts,
  }
}

/** What is wrong with it now: of what is confirmed nothing is, and its earlier errors stand with its attempts. */
export function currentError({
  status,
  last_error,
}: Pick<Operation, 'status' | 'last_error'>): ErrorItem | null {
  return last_error === null || status === 'confirmed' ? null : errorItem(last_error)
}

export function errorItem(error: LastError): ErrorItem {
  return { ...error, at: isoTime(error.at) }
}

export function nextActionItem(action: NextAction): NextActionItem {
  return { ...action, not_before: isoOrNull(action.not_before), safe_until: isoOrNull(action.safe_until) }
}

/** Kind and value always, the rest where it is known. */
export function externalIdItem({ kind, value, url, scope }: ExternalId): ExternalId {
  return {
    kind,
    value,
    ...(url === undefined ? {} : { url }),
    ...(scope === undefined ? {} : { scope }),
  }
}

export function isoOrNull(at: number | null): string | null {
  return at === null ? null : isoTime(at)
}

/**
 * A document as a plain JSON value, for whoever writes it out. The types of documents name their fields, and
 * TypeScript does not see that an interface of JSON values is one: this is the one place that says so.
 */
export function asJson(document: object): JsonObject {
  return document as { readonly [name: string]: JsonValue }
}
