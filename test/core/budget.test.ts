import { describe, expect, it } from 'vitest'
import { spendingOf, spendingWords, spentOf } from '../../src/core/budget.js'
import { aTask, NOON } from './builders.js'

const task = aTask({ budget: { steps: 40, time_ms: 60_000, cost: 5 }, steps: 40, cost: 4.99 })

describe('what a task used of its budget', () => {
  it('is told part by part, whether it is used up or not', () => {
    expect(spendingOf(task, NOON + 59_999)).toEqual([
      { part: 'steps', used: 40, allowed: 40 },
      { part: 'time_ms', used: 59_999, allowed: 60_000 },
      { part: 'cost', used: 4.99, allowed: 5 },
    ])
  })

  it('is told of parts that are declared as a number of 0 or more alone', () => {
    const odd = aTask({ budget: { steps: 0, time_ms: -1, cost: '5', other: 3 } })
    expect(spendingOf(odd, NOON)).toEqual([{ part: 'steps', used: 0, allowed: 0 }])
    expect(spendingOf(aTask(), NOON)).toEqual([])
  })

  it('is spent from the very last of it on', () => {
    const spent = (now: number) => spentOf(task, now).map(({ part }) => part)
    expect(spent(NOON + 59_999)).toEqual(['steps'])
    expect(spent(NOON + 60_000)).toEqual(['steps', 'time_ms'])
  })
})

it.each([
  [{ part: 'steps', used: 40, allowed: 40 }, '40 of 40 steps'],
  [{ part: 'time_ms', used: 7_200_000, allowed: 5_400_000 }, '2h of 1h30m'],
  [{ part: 'cost', used: 5.2, allowed: 5 }, 'cost 5.2 of 5'],
  [{ part: 'cost', used: 0.1 + 0.2, allowed: 0.123456 }, 'cost 0.3 of 0.1235'],
] as const)('%j is said as %s', (spending, words) => {
  expect(spendingWords(spending)).toBe(words)
})
