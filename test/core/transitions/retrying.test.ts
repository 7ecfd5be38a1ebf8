import { describe, expect, it } from 'vitest'
import type { Repeat, RetryPolicy } from '../../../src/core/operation.js'
import type { Context, State } from '../../../src/core/transitions/requests.js'
import { settleOrRetry } from '../../../src/core/transitions/retrying.js'
import type { Ended, RetryHint } from '../../../src/core/transitions/settle.js'
import { aContext, asked, aTask, following, moved, NOON, stampAt } from '../builders.js'

const KEYED: Repeat = { kind: 'idempotency_key', retention_ms: 86_400_000 }
const OF_THE_MOMENT: RetryHint = { retryable: true, retry_after_ms: null }
const FINAL: RetryHint = { retryable: false, retry_after_ms: null }
const ERROR = { rule: 'http_429', message: 'too many requests', at: NOON, attempt: 1 }
const SAID = [{ kind: 'error', origin: 'observed', attempt: 1, body: {} }] as const

describe('a refusal of the moment', () => {
  it('schedules the next attempt in the step that ends this one, with what it rests on', () => {
    const steps = settleOrRetry(sent(), ended('not_applied'), aContext(), 0.5)
    expect(steps).toEqual([
      {
        request: {
          type: 'schedule_retry',
          attempt: 1,
          fence: 2,
          error: ERROR,
          next_attempt_at: NOON + 250,
          retry_reason: 'attempt 2 of 3',
        },
        evidence: SAID,
      },
    ])
  })

  it('waits as long as the service asks, counted from now', () => {
    const hint = { retryable: true, retry_after_ms: 7_000 }
    const later = aContext({ now: stampAt(NOON + 1_000) })
    expect(settleOrRetry(sent(), ended('not_applied', hint), later, 0)).toMatchObject([
      { request: { type: 'schedule_retry', next_attempt_at: NOON + 8_000 } },
    ])
  })

  it('takes its place in the quota of its destination', () => {
    const quota = { retries: 1, per_ms: 1_000, destination: 'tickets.example' }
    const context = aContext({ quota_used_until: NOON + 4_000 })
    expect(settleOrRetry(sent({ retry: { quota } }), ended('not_applied'), context, 0)).toMatchObject([
      {
        request: {
          next_attempt_at: NOON + 4_000,
          retry_reason: 'attempt 2 of 3, when the retry quota of tickets.example has room',
          quota: { destination: 'tickets.example', used_until: NOON + 5_000 },
        },
      },
    ])
  })

  it('is tried again once more where a person granted an attempt beyond the budget', () => {
    const state = sent({ max_attempts: 1 })
    const granted = { ...state, operation: { ...state.operation, extra_attempts: 1 } }
    expect(typesOf(granted, ended('not_applied'))).toEqual(['schedule_retry'])
  })

  it('says so where only attempts or time are missing for a retry', () => {
    const spent = (state: State, context: Partial<Context> = {}) =>
      settleOrRetry(state, ended('not_applied'), aContext(context), 0).map(({ request }) => request)
    expect(spent(sent({ max_attempts: 1 }))).toMatchObject([
      { type: 'reject', budget_spent: 'all 1 attempts are used' },
    ])
    const tooLong = sent({ retry: { max_elapsed_ms: 10 } })
    expect(spent(tooLong, { now: stampAt(NOON + 11) })).toMatchObject([
      { type: 'reject', budget_spent: 'the next attempt would come after 10 ms of trying' },
    ])
  })

  it.each([
    ['it is final', () => sent(), FINAL, {}],
    ['nobody asks for a retry', () => sent(), null, {}],
    ['a cancel is asked', () => moved(sent(), asked.cancel()), OF_THE_MOMENT, {}],
    [
      'its deadline comes first',
      () => sent({ deadline_at: NOON + 1 }),
      { ...OF_THE_MOMENT, retry_after_ms: 1 },
      {},
    ],
    [
      'the deadline of its task comes first',
      () => sent(),
      { ...OF_THE_MOMENT, retry_after_ms: 1 },
      { task: aTask({ deadline_at: NOON + 1 }) },
    ],
  ] as const)('is the end of it where %s, and no budget is called spent', (_, state, hint, context) => {
    const steps = settleOrRetry(state(), ended('not_applied', hint), aContext(context), 0)
    expect(steps).toEqual([
      { request: { type: 'reject', attempt: 1, fence: 2, error: ERROR }, evidence: SAID },
    ])
  })

  it('that is not tried again for another reason says nothing of a budget that is spent as well', () => {
    const state = moved(sent({ max_attempts: 1 }), asked.cancel())
    expect(settleOrRetry(state, ended('not_applied'), aContext(), 0)).toEqual([
      { request: { type: 'reject', attempt: 1, fence: 2, error: ERROR }, evidence: SAID },
    ])
  })

  it('is the end of this attempt alone where an earlier one is in doubt and a repeat is not safe', () => {
    const again = moved(
      moved(moved(sent(), asked.lose()), asked.allowRetry({ accept_duplicate: 'two are better than none' })),
      asked.send(),
    )
    const held = { attempt: 2, fence: again.operation.lease_fence }
    const told = { ...ended('not_applied'), ...held }
    expect(typesOf(again, told)).toEqual(['reject_in_doubt'])
  })

  it('is tried again where an earlier one is in doubt and the service recognises the repeat', () => {
    const again = following(
      [{ type: 'resend' }, asked.send()],
      {},
      moved(sent({ repeat: KEYED }), asked.lose()),
    )
    const told = { ...ended('not_applied'), attempt: 2, fence: again.operation.lease_fence }
    expect(typesOf(again, told)).toEqual(['schedule_retry'])
    const last = { ...again, operation: { ...again.operation, max_attempts: 2 } }
    expect(settleOrRetry(last, told, aContext(), 0)).toMatchObject([
      { request: { type: 'reject_in_doubt', budget_spent: 'all 2 attempts are used' } },
    ])
  })
})

describe('a lost answer', () => {
  it('is followed by its repeat where that is safe, with its time', () => {
    const steps = settleOrRetry(sent({ repeat: KEYED }), ended('ambiguous'), aContext(), 0.5)
    expect(steps).toEqual([
      { request: { type: 'lose', attempt: 1, fence: 2, error: ERROR, external_ids: [] }, evidence: SAID },
      {
        request: {
          type: 'resend',
          retry: { next_attempt_at: NOON + 250, retry_reason: 'attempt 2 of 3' },
        },
      },
    ])
  })

  it('is repeated whatever was said of a refusal: its contract decides', () => {
    expect(typesOf(sent({ repeat: KEYED }), ended('ambiguous', FINAL))).toEqual(['lose', 'resend'])
  })

  it('stays in doubt where a repeat is not safe, or where nobody asks for one', () => {
    expect(typesOf(sent(), ended('ambiguous'))).toEqual(['lose'])
    expect(typesOf(sent({ repeat: KEYED }), ended('ambiguous', null))).toEqual(['lose'])
  })

  it('says so where only attempts are missing for a repeat that is safe', () => {
    const steps = settleOrRetry(sent({ repeat: KEYED, max_attempts: 1 }), ended('ambiguous'), aContext(), 0)
    expect(steps).toMatchObject([
      { request: { type: 'lose', budget_spent: 'all 1 attempts are used' }, evidence: SAID },
    ])
    expect(steps).toHaveLength(1)
  })

  it('says nothing of a budget where a deadline, or more than that, stands against the repeat', () => {
    const late = settleOrRetry(
      sent({ repeat: KEYED, deadline_at: NOON + 1 }),
      ended('ambiguous', { retryable: true, retry_after_ms: 1 }),
      aContext(),
      0,
    )
    expect(late).toEqual([
      { request: expect.not.objectContaining({ budget_spent: expect.anything() }), evidence: SAID },
    ])
    const unsafe = settleOrRetry(sent({ max_attempts: 1 }), ended('ambiguous'), aContext(), 0)
    expect(unsafe).toEqual([
      { request: expect.not.objectContaining({ budget_spent: expect.anything() }), evidence: SAID },
    ])
    const known = aContext({ known_external_ids: [{ kind: 'ticket', value: 'T-1' }] })
    expect(settleOrRetry(sent({ repeat: KEYED }), ended('ambiguous'), known, 0)).toMatchObject([
      { request: { type: 'lose' } },
    ])
    const spent = sent({ repeat: KEYED, max_attempts: 1 })
    expect(settleOrRetry(moved(spent, asked.cancel()), ended('ambiguous'), aContext(), 0)).toEqual([
      { request: expect.not.objectContaining({ budget_spent: expect.anything() }), evidence: SAID },
    ])
  })
})

describe('what is no failure, or came too late', () => {
  it('is followed by nothing', () => {
    const { error: _, retry: __, ...rest } = ended('ambiguous')
    const applied: Ended = { ...rest, end: 'applied', result: 1, result_digest: null }
    const accepted: Ended = { ...rest, end: 'accepted', remote: null, patience_ms: 1_000 }
    expect(typesOf(sent({ repeat: KEYED }), applied)).toEqual(['confirm'])
    expect(typesOf(sent({ repeat: KEYED }), accepted)).toEqual(['accept'])
    const lost = moved(sent({ repeat: KEYED }), asked.lose())
    expect(typesOf(lost, ended('not_applied'))).toEqual(['late_result'])
    expect(typesOf(lost, { ...ended('not_applied'), attempt: 9 })).toEqual([])
  })
})

interface Over {
  readonly repeat?: Repeat
  readonly retry?: RetryPolicy
  readonly max_attempts?: number
  readonly deadline_at?: number
}

function sent({ retry, ...over }: Over = {}): State {
  const contract = retry === undefined ? {} : { retry }
  return following([asked.prepare({ ...over, contract }), asked.send()])
}

type Failed = Extract<Ended, { error: unknown }>

/** `hint` null: whoever tells it does not ask for a retry. */
function ended(end: Failed['end'], hint: RetryHint | null = OF_THE_MOMENT): Failed {
  return {
    attempt: 1,
    fence: 2,
    external_ids: [],
    evidence: SAID,
    end,
    error: ERROR,
    ...(hint === null ? {} : { retry: hint }),
  }
}

function typesOf(state: State, told: Ended): string[] {
  return settleOrRetry(state, told, aContext(), 0).map(({ request }) => request.type)
}
