import type { ErrorFacts } from './facts.js'

/** What the service says about when, and whether, the same request may come again. */
export interface WaitHints {
  /** its own word on whether to retry; null where it says nothing */
  readonly retry: boolean | null
  /** at least so long, milliseconds */
  readonly wait_ms: number | null
}

type Headers = Readonly<Record<string, string>>

/** One header with something to say about the wait; `now` is by the service's own clock where it told its time. */
export interface WaitHint {
  readonly header: string
  readonly means: string
  readonly source: string
  readonly read: (value: string, now: number | null, headers: Headers) => number | null
}

const MS = (value: string) => decimal(value)
const SECONDS_FROM = 1_000_000_000

export const WAIT_HINTS: readonly WaitHint[] = [
  {
    header: 'retry-after',
    means: 'seconds, or a date, read against the `Date` of the answer',
    source: 'RFC 9110 §10.2.3',
    // every form of an HTTP-date begins with the day of the week
    read: (value, now) => seconds(value) ?? until(/^[A-Z]/.test(value) ? Date.parse(value) : Number.NaN, now),
  },
  { header: 'retry-after-ms', means: 'milliseconds', source: 'Azure SDK, retry policy', read: MS },
  { header: 'x-amz-retry-after', means: 'milliseconds', source: 'smithy-typescript, util-retry', read: MS },
  {
    header: 'x-ratelimit-reset',
    means: 'seconds since 1970 UTC, or seconds from now; only with `x-ratelimit-remaining: 0`',
    source: 'docs.github.com, Rate limits for the REST API',
    read: (value, now, headers) => {
      if (headers['x-ratelimit-remaining'] !== '0') return null
      const given = decimal(value)
      return given !== null && given >= SECONDS_FROM ? until(given * 1_000, now) : seconds(value)
    },
  },
]

/** A service's word on whether a retry makes sense. */
export const RETRY_WORDS: Readonly<Record<string, string>> = {
  'stripe-should-retry': 'stripe-node, src/RequestSender.ts',
  'transient-error': 'docs.adyen.com, API idempotency',
}

const PUSHBACK = 'grpc-retry-pushback-ms'

/** All hints are minimums, so the longest counts. `at`: this machine's time, where the answer does not tell its own. */
export function waitHintsIn(facts: ErrorFacts, at: number | null): WaitHints {
  const { response, grpc } = facts
  if (response === null && grpc === null && facts.cause !== null) return waitHintsIn(facts.cause, at)
  const headers = { ...grpc?.metadata, ...response?.headers }
  const told = Date.parse(headers.date ?? '')
  const now = Number.isFinite(told) ? told : at
  const waits = WAIT_HINTS.flatMap(({ header, read }) => {
    const value = headers[header]
    return value === undefined ? [] : (read(value.trim(), now, headers) ?? [])
  })
  const pushback = pushbackIn(headers)
  const wait_ms = [...waits, ...(pushback === null || pushback < 0 ? [] : [pushback])]
  return {
    retry: pushback !== null && pushback < 0 ? false : retryWord(headers),
    wait_ms: wait_ms.length === 0 ? null : Math.max(...wait_ms),
  }
}

function retryWord(headers: Headers): boolean | null {
  const words = Object.keys(RETRY_WORDS).map(name => headers[name]?.trim().toLowerCase())
  if (words.includes('false')) return false
  return words.includes('true') ? true : null
}

/** gRPC A6: exact milliseconds; a negative or unreadable one says not to retry. Null where there is none. */
function pushbackIn(headers: Headers): number | null {
  const value = headers[PUSHBACK]
  if (value === undefined) return null
  return /^\d+$/.test(value) ? bounded(Number(value)) : -1
}

function seconds(value: string): number | null {
  const given = decimal(value)
  return given === null ? null : bounded(given * 1_000)
}

function until(moment: number, now: number | null): number | null {
  return Number.isFinite(moment) && now !== null ? bounded(moment - now) : null
}

function decimal(value: string): number | null {
  return /^\d{1,60}(?:\.\d{1,9})?$/.test(value) ? Number(value) : null
}

function bounded(ms: number): number {
  return Math.min(Math.max(Math.ceil(ms), 0), Number.MAX_SAFE_INTEGER)
}
