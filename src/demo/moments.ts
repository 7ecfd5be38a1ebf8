import { parseDuration } from '../core/duration.js'
import type { Moment } from './world.js'

/** What one task went through. Times are told backwards from now, so that the sample is always fresh. */
export type Story = (tell: (ago: string, happens: Moment['happens']) => void, now: number) => void

/** The moments of all stories, oldest first: a ledger is written in the order of time. */
export function momentsOf(stories: readonly Story[], now: number): Moment[] {
  const moments: Moment[] = []
  for (const story of stories) {
    story((ago, happens) => {
      const before = parseDuration(ago)
      if (before === undefined) throw new Error(`${ago} is no span of time`)
      moments.push({ at: now - before, happens })
    }, now)
  }
  // A sort that keeps the order of what happens at one moment.
  return moments.sort((a, b) => a.at - b.at)
}
