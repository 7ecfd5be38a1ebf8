import { describe, expect, it } from 'vitest'
import type { TestClock } from '../../src/testing/index.js'
import { testClock } from '../../src/testing/index.js'
import { aCall, aLedger, counting, held } from '../execute/support/ledgers.js'

const HOUR = 3_600_000
const KEYED = { kind: 'idempotency_key', retention_ms: 24 * HOUR } as const

interface Jump {
  readonly what: string
  readonly jump: (clock: TestClock) => void
  readonly setRight: (clock: TestClock) => void
}

const JUMPS: readonly Jump[] = [
  {
    what: 'the wall clock is set back by an hour',
    jump: clock => clock.setWall(clock().at - HOUR),
    setRight: clock => clock.setWall(clock().at + HOUR),
  },
  {
    what: 'the wall clock is set forward by a day',
    jump: clock => clock.setWall(clock().at + 24 * HOUR),
    setRight: clock => clock.setWall(clock().at - 24 * HOUR),
  },
  {
    what: 'the machine starts again in the past',
    jump: clock => {
      clock.reboot()
      clock.setWall(clock().at - HOUR)
    },
    setRight: clock => clock.setWall(clock().at + HOUR),
  },
]

describe.each(JUMPS)('when $what', ({ jump, setRight }) => {
  it('what is in doubt is not sent again until the clock is right, and the ledger stays whole', async () => {
    const clock = testClock()
    const { ledger } = await aLedger({ clock, monotonicMs: () => clock().boot_ms })
    const call = aCall({ repeat: KEYED, retry: { base_ms: 0 }, waitForRetryMs: 0 })
    const lost = await ledger.run(call, () => Promise.reject(new Error('the connection ended')))
    expect(lost).toMatchObject({ status: 'waiting', for: 'retry' })
    clock.advance(1_000)
    const { calls, handler } = counting({ id: 'T-1' })
    jump(clock)
    expect(await ledger.run(call, handler)).toMatchObject({ status: 'waiting', for: 'person' })
    expect(calls).toEqual([])
    setRight(clock)
    expect(await ledger.run(call, handler)).toMatchObject({ status: 'confirmed', replayed: false })
    expect(calls).toEqual([2])
    expect((await ledger.verify()).findings).toEqual([])
  })

  it('nothing that was written is younger than what was written before', async () => {
    const clock = testClock()
    const { ledger, store } = await aLedger({ clock, monotonicMs: () => clock().boot_ms })
    await ledger.run(aCall({ id: 'before' }), () => 1)
    jump(clock)
    await ledger.run(aCall({ id: 'after' }), () => 2)
    const times = (await store.events({ limit: 100 })).map(({ at }) => at)
    expect(times).toEqual([...times].sort((a, b) => a - b))
    expect((await ledger.verify()).findings).toEqual([])
  })
})

describe('when the wall clock is set forward while a call is made', () => {
  it('its executor is not taken for dead, and its outcome counts', async () => {
    const clock = testClock()
    const { ledger } = await aLedger({ clock, monotonicMs: () => clock().boot_ms })
    const answer = held<{ id: string }>()
    const begun = held<void>()
    const running = ledger.run(aCall(), () => {
      begun.resolve()
      return answer.promise
    })
    await begun.promise
    clock.setWall(clock().at + HOUR)
    expect(await ledger.run(aCall(), () => ({ id: 'another' }))).toMatchObject({ status: 'in_progress' })
    answer.resolve({ id: 'T-1' })
    expect(await running).toMatchObject({ status: 'confirmed', result: { id: 'T-1' } })
  })
})
