import { describe, expect, it } from 'vitest'
import { stallsOf } from '../../../src/core/stall/stalls.js'
import { asked, NOON } from '../builders.js'
import {
  HOUR,
  later,
  MINUTE,
  prepared,
  rulesAfter,
  SECOND,
  sent,
  subjectOf,
  withColumns,
} from './subjects.js'

const DAY = 24 * HOUR
const keeping = (keeps_ms: number, stall = {}) => sent({ contract: { keeps_ms, stall } }, { lease_ms: DAY })
const reasonAfter = (state: ReturnType<typeof sent>, ms: number) =>
  stallsOf(subjectOf(state, NOON + ms)).find(({ rule }) => rule === 'evidence_expires')?.reason

describe('a record that is kept for a time', () => {
  it.each([
    ['five minutes: in its last third', 5 * MINUTE, 200 * SECOND],
    ['thirty days: in its last week', 30 * DAY, 23 * DAY],
  ])('for %s', (_, keepsMs, from) => {
    expect(rulesAfter(keeping(keepsMs), from - 1)).not.toContain('evidence_expires')
    expect(rulesAfter(keeping(keepsMs), from)).toContain('evidence_expires')
  })

  it('is warned of as early as its tool says', () => {
    const state = keeping(30 * DAY, { evidence_expires: 20 * DAY })
    expect(rulesAfter(state, 10 * DAY - 1)).not.toContain('evidence_expires')
    expect(reasonAfter(state, 10 * DAY)).toBe(
      'its remote record expires in 20d: it is kept for 30d, and no look-up can tell afterwards; warned of 2w6d before, set for its tool',
    )
    const [stall] = stallsOf(subjectOf(state, NOON + 10 * DAY)).filter(
      ({ rule }) => rule === 'evidence_expires',
    )
    expect(stall).toMatchObject({ since: NOON + 10 * DAY, limit: { ms: 20 * DAY, from: 'tool' } })
  })

  it('is told of to the second while little is left, and after it is gone', () => {
    const state = keeping(5 * MINUTE)
    expect(reasonAfter(state, 210 * SECOND)).toContain(
      'its remote record expires in 1m30s: it is kept for 5m',
    )
    expect(reasonAfter(state, 5 * MINUTE)).toBe(
      'its remote record expired 0s ago: it is kept for 5m, and a look-up may find nothing any more',
    )
    expect(reasonAfter(state, 6.5 * MINUTE)).toContain('its remote record expired 1m30s ago: ')
    expect(reasonAfter(state, 25 * MINUTE)).toContain('its remote record expired 20m ago: ')
  })

  it('is told of although the service has patience left, for its work outlives its record', () => {
    const { operation } = keeping(5 * MINUTE)
    const accepted = later(
      keeping(5 * MINUTE),
      asked.accept({ attempt: 1, fence: operation.lease_fence, patience_ms: HOUR }),
      NOON + SECOND,
    )
    expect(rulesAfter(accepted, 4 * MINUTE)).toEqual(['evidence_expires'])
  })

  it('concerns all that was sent and is not settled, and nothing that certainly did not happen', () => {
    const lost = later(keeping(5 * MINUTE), asked.lose(), NOON + SECOND)
    expect(rulesAfter(lost, HOUR)).toContain('evidence_expires')
    const waiting = { ...lost.operation, status: 'prepared' } as const
    expect(rulesAfter({ ...lost, operation: waiting }, HOUR)).toContain('evidence_expires')
    const refused = later(keeping(5 * MINUTE), asked.scheduleRetry(), NOON + SECOND)
    expect(rulesAfter(refused, HOUR)).not.toContain('evidence_expires')
    const keyless = withColumns(keeping(5 * MINUTE), { key_first_used_at: null })
    expect(rulesAfter(keyless, HOUR)).not.toContain('evidence_expires')
  })

  it('concerns nothing that was never sent, nothing that is settled, and nothing of which nobody declared it', () => {
    expect(rulesAfter(prepared({ contract: { keeps_ms: 1 } }), MINUTE)).not.toContain('evidence_expires')
    expect(rulesAfter(sent({}, { lease_ms: DAY }), 40 * DAY)).not.toContain('evidence_expires')
    const { operation } = keeping(5 * MINUTE)
    const done = later(
      keeping(5 * MINUTE),
      asked.confirm({ attempt: 1, fence: operation.lease_fence }),
      NOON + SECOND,
    )
    expect(rulesAfter(done, HOUR)).toEqual([])
  })
})
