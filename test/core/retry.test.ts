import { describe, expect, it } from 'vitest'
import type { Contract, RetryPolicy } from '../../src/core/operation.js'
import { destinationOf, type NextAttempt, nextAttempt, type RetryQuestion } from '../../src/core/retry.js'
import type { State } from '../../src/core/transitions/requests.js'
import { aContext, asked, aTask, following, NOON, stampAt } from './builders.js'

const POLICY = { base_ms: 1_000, cap_ms: 10_000, max_elapsed_ms: 60_000 }

describe('the wait before the next attempt', () => {
  it.each([
    [1, 1_000],
    [2, 2_000],
    [4, 8_000],
    [5, 10_000],
    [900, 10_000],
  ])('after attempt %i is drawn below %i ms', (attempt, most) => {
    const state = sent({ attempt })
    expect(atOf(question(state, { jitter: 0 }))).toBe(NOON)
    expect(atOf(question(state, { jitter: 0.5 }))).toBe(NOON + most / 2)
    expect(atOf(question(state, { jitter: 0.999 }))).toBeLessThanOrEqual(NOON + most)
  })

  it('has a default where nothing was declared', () => {
    const state = sent({ contract: {} })
    expect(atOf(question(state, { jitter: 0.5 }))).toBe(NOON + 250)
  })

  it('is at least what the service asks for, and says so', () => {
    const next = nextAttempt(question(sent(), { retry_after_ms: 7_000, jitter: 0.1 }))
    expect(next).toEqual({
      due: true,
      at: NOON + 7_000,
      reason: 'attempt 2 of 1000; the service asked to wait 7000 ms',
    })
  })

  it('counts from the end of the attempt, or from when it was sent', () => {
    expect(atOf(question(sent(), { since: NOON - 400, jitter: 0.5 }))).toBe(NOON + 100)
    expect(atOf(question(sent(), { since: NOON - 900, jitter: 0.5 }))).toBe(NOON)
  })
})

describe('a wait that is longer than is tried', () => {
  it('is told where no retry follows because of it', () => {
    const next = nextAttempt(question(sent(), { retry_after_ms: Number.MAX_SAFE_INTEGER }))
    expect(next).toMatchObject({
      due: false,
      spent: 'budget',
      reason: expect.stringMatching(/^the service asked to wait 9007199254740991 ms: /),
    })
    const late = nextAttempt(question(sent({ deadline_at: NOON + 5 }), { retry_after_ms: 60_000 }))
    expect(late).toMatchObject({
      spent: 'deadline',
      reason: expect.stringContaining('asked to wait 60000 ms'),
    })
  })
})

describe('the budget of retries', () => {
  it('ends with the last attempt', () => {
    expect(nextAttempt(question(sent({ attempt: 2, max_attempts: 3 }))).due).toBe(true)
    expect(nextAttempt(question(sent({ attempt: 3, max_attempts: 3 })))).toEqual({
      due: false,
      spent: 'budget',
      reason: 'all 3 attempts are used',
    })
  })

  it('is one longer where a person granted it', () => {
    expect(nextAttempt(question(sent({ attempt: 3, max_attempts: 3, extra_attempts: 1 })))).toMatchObject({
      due: true,
      reason: 'attempt 4 of 4',
    })
  })

  it('ends where the next attempt would come after the longest time of trying', () => {
    const at = (retry_after_ms: number) => nextAttempt(question(sent(), { retry_after_ms }))
    expect(at(60_000).due).toBe(true)
    expect(at(60_001)).toMatchObject({ due: false, spent: 'budget' })
  })

  it('counts that time by the clock that says more', () => {
    const later = { ...stampAt(NOON), boot_ms: stampAt(NOON).boot_ms + 60_001 }
    expect(nextAttempt(question(sent(), {}, { now: later }))).toMatchObject({ due: false, spent: 'budget' })
  })

  it('counts no time of trying where nobody read the first attempt', () => {
    const state = { ...sent(), attempts: [] }
    expect(nextAttempt(question(state, { retry_after_ms: 90_000 })).due).toBe(true)
  })

  it.each(['operation', 'task'] as const)('ends at the deadline of the %s', whose => {
    const at = (deadline_at: number) => {
      const state = whose === 'operation' ? sent({ deadline_at }) : sent()
      const task = whose === 'task' ? aTask({ deadline_at }) : aTask()
      return nextAttempt(question(state, { retry_after_ms: 500 }, { task }))
    }
    expect(at(NOON + 501).due).toBe(true)
    expect(at(NOON + 500)).toMatchObject({ due: false, spent: 'deadline' })
  })
})

describe('the retry quota of a destination', () => {
  const quota = { retries: 2, per_ms: 1_000 }

  it('lets so many go at once, and each one after when a token is back', () => {
    expect(timesFrom(null)).toEqual([0, 0, 500, 1_000, 1_500])
  })

  it('fills up again, and holds no more than its size', () => {
    const at = (used: number) => atOf(question(sent({}, { quota }), {}, { quota_used_until: used }))
    expect(at(NOON + 500)).toBe(NOON)
    expect(at(NOON + 501)).toBe(NOON + 1)
    expect(timesFrom(NOON - 1_000_000)).toEqual([0, 0, 500, 1_000, 1_500])
  })

  /** When the next five may go, counted from noon, where the quota was used up until then. */
  function timesFrom(used: number | null): number[] {
    const times: number[] = []
    let until = used
    for (let n = 0; n < 5; n++) {
      const next = nextAttempt(question(sent({}, { quota }), {}, { quota_used_until: until }))
      if (!next.due || next.quota === undefined) throw new Error('a retry with a quota is due')
      times.push(next.at - NOON)
      until = next.quota.used_until
    }
    return times
  }

  it('is that of the destination named, else of the tool, and the reason names it', () => {
    const ofTool = nextAttempt(question(sent({}, { quota }), {}, { quota_used_until: NOON + 5_000 }))
    expect(ofTool).toMatchObject({
      quota: { destination: 'tickets.create' },
      reason: 'attempt 2 of 1000, when the retry quota of tickets.create has room',
    })
    expect(destinationOf({ tool: 'tickets.create', contract: {} })).toBe('tickets.create')
    expect(destinationOf({ tool: 'tickets.create', contract: { retry: {} } })).toBe('tickets.create')
    const shared = sent({}, { quota: { ...quota, destination: 'api.example' } })
    expect(nextAttempt(question(shared))).toMatchObject({ quota: { destination: 'api.example' } })
  })

  it('is the reason of a wait only where it makes it', () => {
    const held = (over: Partial<RetryQuestion>, used: number) => {
      const next = nextAttempt(question(sent({}, { quota }), over, { quota_used_until: used }))
      return next.reason.includes('quota')
    }
    expect(held({}, NOON + 501)).toBe(true)
    expect(held({}, NOON + 500)).toBe(false)
    expect(held({ retry_after_ms: 7_000 }, NOON + 5_000)).toBe(false)
  })

  it('that has no room before the time of trying is over ends it', () => {
    const used = { quota_used_until: NOON + 61_000 }
    expect(nextAttempt(question(sent({}, { quota }), {}, used))).toMatchObject({
      due: false,
      spent: 'budget',
    })
  })
})

/** An operation in flight, sent for the first time at noon. */
function sent(over: Partial<State['operation']> = {}, retry: RetryPolicy = {}): State {
  const { operation, attempts } = following([asked.prepare(), asked.send()])
  const contract: Contract = { retry: { ...POLICY, ...retry } }
  return { operation: { ...operation, max_attempts: 1_000, contract, ...over }, attempts }
}

function question(
  state: State,
  over: Partial<RetryQuestion> = {},
  context: Partial<RetryQuestion['context']> = {},
): RetryQuestion {
  return { state, context: aContext(context), since: NOON, retry_after_ms: null, jitter: 0, ...over }
}

function atOf(asked: RetryQuestion): number {
  const next: NextAttempt = nextAttempt(asked)
  if (!next.due) throw new Error(next.reason)
  return next.at
}
