import { describe, expect, it } from 'vitest'
import { follower } from '../../src/core/follow.js'

describe('following events', () => {
  it('in a file reads on behind the last one', () => {
    const following = follower()
    expect(following.look(null)).toBe(0)
    expect([1, 2, 5].map(following.isNew)).toEqual([true, true, true])
    expect(following.look(null)).toBe(5)
  })

  it('reads each event once, also one that was overtaken at its commit', () => {
    const following = follower()
    expect(following.look({ last_seq: 1, running_from: 10, next: 12 })).toBe(0)
    expect([1, 3].map(following.isNew)).toEqual([true, true])
    // Transaction 10 wrote event 2 and has ended; 11 had ended before.
    expect(following.look({ last_seq: 3, running_from: 12, next: 12 })).toBe(0)
    expect([1, 2, 3].map(following.isNew)).toEqual([false, true, false])
    expect(following.look({ last_seq: 3, running_from: 12, next: 12 })).toBe(1)
    expect(following.look({ last_seq: 3, running_from: 12, next: 12 })).toBe(3)
  })

  it('keeps looking below what runs, however long that takes', () => {
    const following = follower()
    following.look({ last_seq: 4, running_from: 8, next: 8 })
    following.isNew(4)
    for (let next = 9; next < 40; next++) {
      expect(following.look({ last_seq: next, running_from: 8, next })).toBe(4)
      expect(following.isNew(next)).toBe(true)
    }
    expect(following.look({ last_seq: 40, running_from: 41, next: 41 })).toBe(4)
    expect(following.isNew(5)).toBe(true)
    expect(following.isNew(20)).toBe(false)
  })

  it('begins with a look back that has an end where something runs', () => {
    const following = follower()
    following.look({ last_seq: 1_000_000, running_from: 7, next: 9 })
    expect(following.look({ last_seq: 1_000_000, running_from: 7, next: 9 })).toBe(900_000)
  })
})
