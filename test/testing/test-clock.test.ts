import { expect, test } from 'vitest'
import { isClockDoubtful } from '../../src/core/time.js'
import { testClock } from '../../src/testing/index.js'

test('stands still until time passes, then on both clocks', () => {
  const clock = testClock(1000)
  const before = clock()
  expect(clock()).toEqual(before)
  clock.advance(5)
  expect(clock()).toEqual({ ...before, at: 1005, boot_ms: before.boot_ms + 5 })
})

test('a wall clock that is set leaves the boot clock alone, and the ledger notices', () => {
  const clock = testClock()
  const before = clock()
  clock.setWall(before.at + 3_600_000)
  expect(clock().boot_ms).toBe(before.boot_ms)
  expect(isClockDoubtful(before, clock())).toBe(true)
})

test('a reboot changes the name of the boot and keeps the wall time', () => {
  const clock = testClock()
  const before = clock()
  clock.reboot()
  expect(clock()).toEqual({ at: before.at, boot_id: 'test-boot-2', boot_ms: 0 })
})
