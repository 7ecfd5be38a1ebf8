import { describe, expect, it } from 'vitest'
import {
  CLOCK_TOLERANCE_MS,
  elapsedAtLeast,
  elapsedAtMost,
  isClockDoubtful,
  type Stamp,
} from '../../src/core/time.js'

const since: Stamp = { at: 1_000_000, boot_id: 'boot-1', boot_ms: 5_000 }

function later(wallMs: number, bootMs: number, boot_id = 'boot-1'): Stamp {
  return { at: since.at + wallMs, boot_id, boot_ms: since.boot_ms + bootMs }
}

describe('the time passed', () => {
  it('is what the clock says that says less, where the age permits something', () => {
    expect(elapsedAtLeast(since, later(100, 40))).toBe(40)
    expect(elapsedAtLeast(since, later(40, 100))).toBe(40)
  })

  it('is what the clock says that says more, where the age forbids something', () => {
    expect(elapsedAtMost(since, later(100, 40))).toBe(100)
    expect(elapsedAtMost(since, later(40, 100))).toBe(100)
  })

  it('is what wall time says over another boot, or where no boot is named', () => {
    expect(elapsedAtLeast(since, later(100, 40, 'boot-2'))).toBe(100)
    expect(elapsedAtMost(since, later(40, 100, 'boot-2'))).toBe(40)
    const nameless = { ...since, boot_id: '' }
    expect(elapsedAtLeast(nameless, later(100, 40, ''))).toBe(100)
    expect(elapsedAtMost(nameless, later(40, 100, ''))).toBe(40)
  })
})

describe('the clocks', () => {
  it('are trusted up to the tolerance and doubted above it, whichever of them jumped', () => {
    expect(isClockDoubtful(since, later(CLOCK_TOLERANCE_MS, 0))).toBe(false)
    expect(isClockDoubtful(since, later(CLOCK_TOLERANCE_MS + 1, 0))).toBe(true)
    expect(isClockDoubtful(since, later(0, CLOCK_TOLERANCE_MS))).toBe(false)
    expect(isClockDoubtful(since, later(0, CLOCK_TOLERANCE_MS + 1))).toBe(true)
  })

  it('are trusted however long both of them ran', () => {
    expect(isClockDoubtful(since, later(86_400_000, 86_400_000))).toBe(false)
  })

  it('are doubted when another boot has an earlier wall time', () => {
    expect(isClockDoubtful(since, later(0, 0, 'boot-2'))).toBe(false)
    expect(isClockDoubtful(since, later(-1, 0, 'boot-2'))).toBe(true)
    expect(isClockDoubtful(since, later(86_400_000, 0, 'boot-2'))).toBe(false)
  })
})
