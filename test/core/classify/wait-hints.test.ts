import { describe, expect, it } from 'vitest'
import { classify } from '../../../src/core/classify/classify.js'
import { CLIENTS, failure } from './support/thrown.js'

const NOON = Date.UTC(2026, 2, 10, 12)
const DATE = 'Tue, 10 Mar 2026 12:00:00 GMT'

function asked(headers: Record<string, string>, { status = 429, at }: { status?: number; at?: number } = {}) {
  return classify(CLIENTS.octokit?.(status, { headers }), at === undefined ? {} : { at })
}

describe('a wait that the service asks for', () => {
  it.each([
    ['seconds', { 'Retry-After': '7' }, 7_000],
    ['none', { 'retry-after': '0' }, 0],
    ['a part of a second', { 'retry-after': '1.2345' }, 1_235],
    ['a date against its own clock', { date: DATE, 'retry-after': 'Tue, 10 Mar 2026 12:00:30 GMT' }, 30_000],
    ['a date that has passed', { date: DATE, 'retry-after': 'Tue, 10 Mar 2026 11:00:00 GMT' }, 0],
    ['milliseconds', { 'retry-after-ms': '250' }, 250],
    ['milliseconds, as AWS', { 'x-amz-retry-after': '1500' }, 1_500],
    [
      'the end of a limit',
      { date: DATE, 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': `${NOON / 1_000 + 90}` },
      90_000,
    ],
    ['the rest of a limit', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '90' }, 90_000],
    ['two, of which the longer counts', { 'retry-after': '2', 'retry-after-ms': '1900' }, 2_000],
    [
      'a limit that is not reached',
      { date: DATE, 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': '90' },
      null,
    ],
    ['something negative', { date: DATE, 'retry-after': '-5' }, null],
    ['a date of another form', { date: DATE, 'retry-after': '2026-03-10T12:00:30Z' }, null],
    ['words', { 'retry-after': 'soon' }, null],
    ['seconds among blanks', { 'retry-after': ' 7 ' }, 7_000],
    ['a limit whose end is no number', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': 'soon' }, null],
    [
      'the first moment that is no count of seconds',
      { date: DATE, 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1000000000' },
      0,
    ],
    [
      'the last count of seconds that is no moment',
      { date: DATE, 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '999999999' },
      999_999_999_000,
    ],
    ['nothing', {}, null],
  ])('as %s', (_, headers, ms) => {
    expect(asked(headers)).toMatchObject({ retryable: true, retry_after_ms: ms })
  })

  it('as a date is read by this machine only where the answer does not tell its time', () => {
    const later = { 'retry-after': 'Tue, 10 Mar 2026 12:00:30 GMT' }
    expect(asked(later).retry_after_ms).toBeNull()
    expect(asked(later, { at: NOON }).retry_after_ms).toBe(30_000)
    expect(asked({ ...later, date: DATE }, { at: NOON - 3_600_000 }).retry_after_ms).toBe(30_000)
    const limit = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': `${NOON / 1_000 + 5}` }
    expect(asked(limit).retry_after_ms).toBeNull()
    expect(asked(limit, { at: NOON }).retry_after_ms).toBe(5_000)
  })

  it('is told where the answer stands in the cause, and nowhere below an answer', () => {
    const inner = CLIENTS.octokit?.(429, { headers: { 'retry-after': '7' } })
    const outer = (over: object) => classify(failure(over, inner)).retry_after_ms
    expect(outer({})).toBe(7_000)
    expect(outer({ response: { status: 429, headers: {} } })).toBeNull()
    expect(outer({ code: 8, metadata: {} })).toBeNull()
    expect(classify(failure({})).retry_after_ms).toBeNull()
  })

  it('is told of a lost answer as well, which may not come again for that alone', () => {
    expect(asked({ 'retry-after': '3' }, { status: 503 })).toMatchObject({
      end: 'ambiguous',
      retryable: false,
      retry_after_ms: 3_000,
    })
  })
})

describe('the word of the service on a retry', () => {
  it.each(['stripe-should-retry', 'transient-error'])('in %s counts for a refusal', header => {
    expect(asked({ [header]: 'true' }, { status: 400 }).retryable).toBe(true)
    expect(asked({ [header]: 'false' }).retryable).toBe(false)
    expect(asked({ [header]: 'perhaps' }).retryable).toBe(true)
  })

  it('does not make a lost answer safe', () => {
    expect(asked({ 'stripe-should-retry': 'true' }, { status: 500 })).toMatchObject({
      end: 'ambiguous',
      retryable: false,
      retry_said: true,
    })
    expect(asked({ 'stripe-should-retry': 'false' }, { status: 500 })).toMatchObject({ retry_said: false })
    expect(asked({}, { status: 500 }).retry_said).toBeNull()
    expect(asked({ 'transient-error': 'true' }, { status: 503 })).toMatchObject({ end: 'ambiguous' })
  })
})
