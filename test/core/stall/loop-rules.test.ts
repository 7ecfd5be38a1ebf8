import { describe, expect, it } from 'vitest'
import { taskStallsOf } from '../../../src/core/stall/stalls.js'
import { NOON } from '../builders.js'
import { rulesOf, subjectOf, type Told, times } from './actions.js'
import { HOUR, MINUTE, SECOND } from './subjects.js'

const poll: Told = { tool: 'process.log', input: { session: 'X' }, result: 'no new output', outcome: 'ok' }
const failing: Told = { tool: 'deploy', input: { to: 'eu' }, result: 'denied', outcome: 'error' }
const a: Told = { tool: 'edit', input: { file: 'a' }, result: 'ok', outcome: 'ok' }
const b: Told = { tool: 'test', input: {}, result: '1 failed', outcome: 'ok' }

describe('loop_same_action_same_result', () => {
  it('speaks at the fourth equal call with the equal answer, not at the third', () => {
    expect(rulesOf(times(3, () => poll))).toEqual([])
    expect(rulesOf(times(4, () => poll))).toEqual(['loop_same_action_same_result'])
  })

  it('starts again when the answer changes, when a person says something, and after progress', () => {
    expect(
      rulesOf([...times(3, () => poll), { ...poll, result: 'line 2' }, ...times(3, () => poll)]),
    ).toEqual([])
    expect(rulesOf([...times(3, () => poll), { kind: 'input' }, ...times(3, () => poll)])).toEqual([])
    const progressed = { task: { progress_at: NOON + 20 * SECOND } }
    const separately = times(6, i => ({ ...poll, stall: i < 3 ? null : {} }))
    expect(rulesOf(separately, progressed)).toEqual([])
  })

  it('says nothing of calls of which nobody told what came back', () => {
    expect(rulesOf(times(50, () => ({ tool: 'read', input: {} })))).toEqual([])
  })

  it('is told with its numbers, the limit and where that came from', () => {
    const [stall] = taskStallsOf(subjectOf(times(1_535, i => ({ ...poll, at: NOON + i * 5 * SECOND }))))
    expect(stall).toMatchObject({
      rule: 'loop_same_action_same_result',
      since: NOON,
      limit: { count: 4, from: 'default' },
      facts: { times: 1_535, first_at: '2026-03-10T12:00:00.000Z' },
    })
    expect(stall?.reason).toBe(
      'same call, same answer, 1535 times in 2h 7m: process.log {"session":"X"} → no new output; the limit is 4, the default',
    )
  })

  it('goes by the limit of its tool, else of the phase, else of the configuration', () => {
    const own = times(6, () => ({ ...poll, stall: { loop_same_action_same_result: 7 } }))
    expect(rulesOf(own)).toEqual([])
    expect(rulesOf([...own, ...own.slice(0, 1)])).toEqual(['loop_same_action_same_result'])
    const config = {
      defaults: { loop_same_action_same_result: 9 },
      phases: { watching: { loop_same_action_same_result: 5 } },
    }
    expect(
      rulesOf(
        times(8, () => poll),
        { config },
      ),
    ).toEqual([])
    expect(
      rulesOf(
        times(5, () => poll),
        { config, recent: { phase: 'watching' } },
      ),
    ).toHaveLength(1)
  })
})

describe('loop_same_action_error', () => {
  it('speaks at the third failure of the same call, whatever each said', () => {
    const errors = (n: number) => times(n, i => ({ ...failing, result: `denied, try ${i}` }))
    expect(rulesOf(errors(2))).toEqual([])
    expect(rulesOf(errors(3))).toEqual(['loop_same_action_error'])
  })

  it('is silent where the call differs, or worked in between', () => {
    expect(rulesOf(times(9, i => ({ ...failing, input: { to: i } })))).toEqual([])
    expect(
      rulesOf([...times(2, () => failing), { ...failing, outcome: 'ok' }, ...times(2, () => failing)]),
    ).toEqual([])
  })
})

describe('loop_monologue', () => {
  it('speaks at the third message without a call, whatever the words', () => {
    const said = (n: number): Told[] => times(n, i => ({ kind: 'message', input: `thinking about it, ${i}` }))
    expect(rulesOf([a, ...said(2)])).toEqual([])
    expect(rulesOf([a, ...said(3)])).toEqual(['loop_monologue'])
    expect(rulesOf([a, ...said(2), { kind: 'condensation' }, ...said(1)])).toEqual(['loop_monologue'])
  })

  it('is silent where it acted or was spoken to in between, or waits for an answer', () => {
    const said: Told = { kind: 'message', input: 'well' }
    expect(rulesOf([said, said, a, said])).toEqual([])
    expect(rulesOf([said, said, { kind: 'input' }, said])).toEqual([])
    expect(rulesOf([said, said, said], { task: { status: 'waiting_input' } })).toEqual([])
  })
})

describe('loop_alternating', () => {
  it('speaks at the sixth call of a loop of two, not at the fifth', () => {
    expect(rulesOf([a, b, a, b, a])).toEqual([])
    expect(rulesOf([a, b, a, b, a, b])).toEqual(['loop_alternating'])
  })

  it.each([3, 4, 5])('speaks when a loop of %i has come round three times', period => {
    const round = times(period, i => ({ tool: `t${i}`, input: {}, result: 'same', outcome: 'ok' }))
    const rounds = [...round, ...round, ...round]
    expect(rulesOf(rounds.slice(1))).toEqual([])
    expect(rulesOf(rounds)).toEqual(['loop_alternating'])
    const [stall] = taskStallsOf(subjectOf(rounds))
    expect(stall?.facts).toMatchObject({ period, times: 3 })
  })

  it('is silent for a loop of six, and where one answer of a round differs', () => {
    const round = times(6, i => ({ tool: `t${i}`, input: {}, result: 'same', outcome: 'ok' }))
    expect(rulesOf([...round, ...round, ...round, ...round])).toEqual([])
    const tests = times(8, i => ({ ...b, result: `${8 - i} failed` }))
    expect(rulesOf(tests.flatMap(test => [a, test]))).toEqual([])
  })

  it('leaves the same call over and over to its own rule', () => {
    expect(rulesOf(times(12, () => a))).toEqual(['loop_same_action_same_result'])
  })
})

describe('loop_context_window', () => {
  it('speaks at the third condensation with nothing between', () => {
    const condensed: Told = { kind: 'condensation' }
    expect(rulesOf([a, condensed, condensed])).toEqual([])
    expect(rulesOf([a, condensed, condensed, condensed])).toEqual(['loop_context_window'])
    expect(rulesOf([condensed, condensed, b, condensed])).toEqual([])
  })
})

describe('a tool that polls', () => {
  const polling = (n: number, everyMs: number) =>
    times(n, i => ({ ...poll, stall: { polling: 30 * MINUTE }, at: NOON + i * everyMs }))

  it('is judged by how long its answer has stayed the same, not by how often it came', () => {
    expect(rulesOf(polling(1_801, SECOND))).toEqual([])
    expect(rulesOf(polling(1_802, SECOND))).toEqual(['loop_same_action_same_result'])
  })

  it('with waits that were declared is one, by the limit that holds for polling', () => {
    const waits = (n: number): Told[] =>
      times(n, i => [poll, { tool: 'sleep', wait_until: NOON + (i + 1) * 5 * MINUTE }][i % 2] ?? poll).map(
        (one, i) => ({ ...one, at: NOON + i * 3 * MINUTE }),
      )
    expect(rulesOf(waits(20))).toEqual([])
    const equal = times(13, i => ({
      ...poll,
      wait_until: NOON + i,
      at: NOON + i * 5 * MINUTE + (i === 12 ? 1 : 0),
    }))
    expect(rulesOf(equal.slice(0, 12))).toEqual([])
    expect(rulesOf(equal)).toContain('loop_same_action_same_result')
  })
})

describe('no_progress of a task', () => {
  const alive = { heartbeat_at: NOON + 6 * HOUR, activity_at: null }

  it('speaks just after its limit where the task lives and nothing is open', () => {
    expect(rulesOf([], { task: alive, afterMs: HOUR })).toEqual([])
    expect(rulesOf([], { task: alive, afterMs: HOUR + 1 })).toEqual(['no_progress'])
  })

  it('is not put off by activity, and is by progress', () => {
    const busy = { heartbeat_at: NOON + 2 * HOUR, activity_at: NOON + 2 * HOUR }
    expect(rulesOf([], { task: busy, afterMs: 2 * HOUR })).toEqual(['no_progress'])
    expect(rulesOf([], { task: { ...busy, progress_at: NOON + HOUR }, afterMs: 2 * HOUR })).toEqual([])
  })

  it('counts from what was confirmed last, and names it', () => {
    const recent = { last_confirmed: { operation_id: 'op-111', at: NOON } }
    const [stall] = taskStallsOf(subjectOf([], { task: alive, recent, afterMs: 6 * HOUR }))
    expect(stall?.reason).toBe(
      'it lives, nothing of it is open, and nothing new was achieved for 6h, the last step was op-111; the limit is 1h, the default',
    )
  })

  it('is silent while something is open, for a task that never gave a sign, and inside a declared wait', () => {
    expect(rulesOf([], { task: alive, recent: { open: 1 }, afterMs: 6 * HOUR })).toEqual([])
    expect(rulesOf([], { afterMs: 100 * HOUR })).toEqual([])
    const waiting: Told[] = [{ tool: 'wait', wait_until: NOON + 6 * HOUR + MINUTE }]
    expect(rulesOf(waiting, { task: alive, afterMs: 6 * HOUR })).toEqual([])
  })
})

describe('budget_spent', () => {
  it('speaks when a running task has used up a part of its budget', () => {
    const budget = { steps: 40, cost: 5, time_ms: HOUR }
    expect(rulesOf([], { task: { budget, steps: 39, cost: 4.99 }, afterMs: HOUR - 1 })).toEqual([])
    expect(rulesOf([], { task: { budget, steps: 40 } })).toEqual(['budget_spent'])
    expect(rulesOf([], { task: { budget, cost: 5 } })).toEqual(['budget_spent'])
    expect(rulesOf([], { task: { budget }, afterMs: HOUR })).toEqual(['budget_spent'])
  })

  it('is silent where it paused for that, and for a budget that names nothing known', () => {
    expect(rulesOf([], { task: { budget: { steps: 1 }, steps: 9, status: 'budget_exhausted' } })).toEqual([])
    expect(rulesOf([], { task: { budget: { tokens: 1 }, steps: 9 } })).toEqual([])
  })
})
