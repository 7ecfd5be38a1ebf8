import { describe, expect, it } from 'vitest'
import type { Operation } from '../../../src/core/operation.js'
import { aTask, NOON } from '../builders.js'
import { rulesOf, times } from './actions.js'
import { HOUR, MINUTE, prepared, rulesAfter, sent, withColumns } from './subjects.js'

const LONG = 100 * HOUR
const due = (columns: Partial<Operation> = {}) =>
  withColumns(prepared({ deadline_at: NOON + MINUTE }), columns)

describe('a wait explains standing still', () => {
  it.each<[string, Partial<Operation>]>([
    ['its next attempt is due', { next_attempt_at: NOON + HOUR }],
    ['the moment to which a person deferred it', { defer_until: NOON + HOUR }],
  ])('until %s', (_, columns) => {
    expect(rulesAfter(due(columns), HOUR - 1)).toEqual([])
    expect(rulesAfter(due(columns), HOUR)).toContain('deadline_passed')
  })

  it('for an approval only until that was given', () => {
    const waiting = prepared({ contract: { approval: 'required' } })
    expect(rulesAfter(waiting, HOUR, { approved_at: null })).toEqual([])
    expect(rulesAfter(waiting, HOUR, { approved_at: NOON })).toEqual(['never_sent'])
    expect(rulesAfter(waiting, HOUR, { approved_at: NOON + HOUR - MINUTE })).toEqual([])
  })

  it('by the patience of a service only for what is in flight', () => {
    const lease = { lease_owner: 'remote', lease_expires_at: NOON + LONG }
    expect(rulesAfter(due(lease), HOUR)).toContain('deadline_passed')
    const open = withColumns(sent(), { lease_owner: 'remote', lease_expires_at: null })
    expect(rulesAfter(open, HOUR)).toContain('attempt_overdue')
  })

  it('of a task that pauses only for what was not sent', () => {
    for (const status of ['suspended', 'budget_exhausted', 'waiting_input', 'waiting_approval'] as const)
      expect(rulesAfter(sent(), 4 * MINUTE, { task: aTask({ status }) })).toEqual(['heartbeat_lost'])
  })

  it('of a scheduled attempt only for what was not sent', () => {
    const running = withColumns(sent(), { next_attempt_at: NOON + LONG })
    expect(rulesAfter(running, 4 * MINUTE)).toEqual(['heartbeat_lost'])
  })

  it('not where nobody read the task', () => {
    expect(rulesAfter(due(), HOUR, { task: null })).toEqual(['deadline_passed', 'never_sent'])
    expect(rulesAfter(prepared(), 16 * MINUTE, { task: null })).toEqual(['never_sent'])
  })

  it('that a task declared holds until the moment it named', () => {
    const waits = (until: number) => times(4, () => ({ kind: 'message', wait_until: until }) as const)
    expect(rulesOf(waits(NOON + HOUR), { task: { heartbeat_at: NOON }, afterMs: HOUR - 1 })).toEqual([])
    expect(rulesOf(waits(NOON + HOUR), { task: { heartbeat_at: NOON }, afterMs: HOUR })).toContain(
      'heartbeat_lost',
    )
  })

  it('of a task that a person holds, in its loops too', () => {
    const loop = times(9, () => ({ tool: 'read', input: {}, result: 'same', outcome: 'ok' }) as const)
    expect(rulesOf(loop, { task: { taken_over_by: 'ana', taken_over_at: NOON } })).toEqual([])
    expect(rulesOf([], { task: { deadline_at: NOON, taken_over_by: 'ana' }, afterMs: HOUR })).toEqual([])
  })
})

describe('each rule speaks of its own status alone', () => {
  it('so what waits for its next attempt is overdue by that and by nothing else', () => {
    const waiting = withColumns(prepared(), { next_attempt_at: NOON + MINUTE })
    expect(rulesAfter(waiting, LONG)).toEqual(['retry_overdue'])
  })

  it('so a beat of an attempt that has ended leaves no executor to miss', () => {
    expect(rulesAfter(withColumns(prepared(), { heartbeat_at: NOON }), 10 * MINUTE)).toEqual([])
  })

  it('so what is in flight waits for no next attempt, whatever its row says', () => {
    const running = withColumns(sent({}, { lease_ms: null }), { next_attempt_at: NOON - HOUR })
    expect(rulesAfter(running, MINUTE)).toEqual([])
  })
})

describe('without its attempts', () => {
  const bare = { ...sent(), attempts: [] }

  it('an operation in flight is judged by when its row was written', () => {
    expect(rulesAfter(bare, 3 * MINUTE)).toEqual([])
    expect(rulesAfter(bare, 3 * MINUTE + 1)).toEqual(['heartbeat_lost'])
    const leaseless = { ...sent({}, { lease_ms: null }), attempts: [] }
    expect(rulesAfter(leaseless, 15 * MINUTE)).toEqual([])
    expect(rulesAfter(leaseless, 15 * MINUTE + 1)).toEqual(['attempt_overdue'])
    const moved = withColumns(leaseless, { progress_at: NOON + MINUTE })
    expect(rulesAfter(moved, 16 * MINUTE)).toEqual([])
    expect(rulesAfter(moved, 16 * MINUTE + 1)).toEqual(['attempt_overdue'])
  })
})

describe('an earlier attempt', () => {
  it('does not count for the one that runs now', () => {
    const [first] = sent({}, { lease_ms: null }).attempts
    if (first === undefined) throw new Error('it was sent')
    const second = { ...first, n: 2, sent_at: NOON + HOUR }
    const { operation } = sent({}, { lease_ms: null })
    const ended = { ...first, ended_at: NOON + MINUTE, end: 'not_applied' as const }
    const again = { operation: { ...operation, attempt: 2 }, attempts: [ended, second] }
    expect(rulesAfter(again, HOUR + 15 * MINUTE)).toEqual([])
    expect(rulesAfter(again, HOUR + 15 * MINUTE + 1)).toEqual(['attempt_overdue'])
  })
})
