import type { JsonValue } from '../json.js'
import type { CallEnd } from './rule.js'

type Scalar = string | number | boolean | null

/** One answer of one service that means something else than the common rules say. Kept in the operation's row. */
export interface ServiceRule {
  /** all of it must hold */
  readonly when: {
    readonly status?: number | readonly number[]
    /** code of the error: `ECONNRESET`, `EPUBLISHCONFLICT` */
    readonly code?: string | readonly string[]
    /** name of a gRPC status: `UNAVAILABLE` */
    readonly grpc?: string | readonly string[]
    /** headers of the answer, or gRPC metadata: the value by name; case counts in the value alone */
    readonly header?: Readonly<Record<string, string>>
    /** values in the body by path (`error.code`, `errors.0.type`); also in what a handler returned */
    readonly body?: Readonly<Record<string, Scalar>>
  }
  readonly end: CallEnd
  /** why it means that, and where that stands; what a person reads */
  readonly reason: string
  /** with `not_applied`: the same request may be taken later */
  readonly retry?: boolean
}

/** Where an external id stands in what the service gives. Kept in the operation's row. */
export interface IdPlace {
  /** what the id is of: `ticket`, `charge` */
  readonly kind: string
  /** `id`, `data.issue.number`; from the body of an answer, or from what the handler returned */
  readonly json: string
  /** where the link for a person stands */
  readonly url?: string
  readonly scope?: string
  /** where to look; default `result`. An id found in an error is a receipt: name only what stands there once it is made */
  readonly in?: 'result' | 'error'
}

export const RULE_CONDITIONS = ['status', 'code', 'grpc', 'header', 'body'] as const

/**
 * The id under which such a rule is recorded as the cause of a failure: made of what it is known by, so that the row
 * alone is enough to find it again.
 */
export function serviceRuleId({ when }: ServiceRule): string {
  const parts = [
    ...listOf(when.status),
    ...listOf(when.code),
    ...listOf(when.grpc),
    ...pairsOf(when.header),
    ...pairsOf(when.body),
  ]
  return `service:${parts.join('+')}`.replace(/\s+/g, '_').slice(0, LONGEST_ID)
}

const LONGEST_ID = 200

export function listOf<T extends string | number>(value: T | readonly T[] | undefined): readonly T[] {
  if (value === undefined) return []
  return typeof value === 'object' ? value : [value]
}

function pairsOf(values: Readonly<Record<string, JsonValue>> | undefined): string[] {
  return Object.entries(values ?? {}).map(([name, value]) => `${name}=${String(value)}`)
}
