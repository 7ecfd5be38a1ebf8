import { join } from 'node:path'
import { expect, it } from 'vitest'
import { bundled } from '../support/bundled.js'
import { compete, PROCESSES, rejections, summary, wins } from './claims/compete.js'

const PROGRAM = bundled(join(import.meta.dirname, 'claims/worker-program.ts'))
// ten thousand are claimed by `npm run proof -- claims`
const OPERATIONS = PROCESSES * 150

it('of eight processes that want the same operations, one carries each out, all get their turn, and none hears of a lock', async () => {
  const competed = await compete(PROGRAM, OPERATIONS)
  console.info(`\n${summary(competed)}`)
  expect(competed.effects).toHaveLength(OPERATIONS)
  expect(new Set(competed.effects).size).toBe(OPERATIONS)
  expect(competed.statuses).toEqual(new Map([['confirmed', OPERATIONS]]))
  expect(rejections(competed)).toEqual([])
  expect(wins(competed).reduce((sum, each) => sum + each, 0)).toBe(OPERATIONS)
  // one that is starved wins a handful: a process was seen to get 1 in 3 s where SQLite alone did the waiting
  expect(Math.min(...wins(competed))).toBeGreaterThan(OPERATIONS / PROCESSES / 10)
  expect(competed.findings).toEqual([])
}, 600_000)
