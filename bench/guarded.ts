import { statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { type Ledger, openLedger } from '../src/index.js'
import { bareLoop } from './bare-loop.js'
import { type Bench, type Figure, median } from './figure.js'
import { benchFolder } from './ledgers.js'

const ROUNDS = 7
const OPERATIONS = 300
const CALLERS = 32
const SMALL = 100
const LARGE = 100_000

/**
 * Guarded operations whose handler returns at once, beside a bare loop of the same rows in the same two commits: in
 * turns, so that a machine that slows down slows both. Then the same on a ledger grown to 100,000 operations, or to
 * as many as are asked for.
 */
export const guarded: Bench = {
  name: 'guarded',
  measure: async (large = LARGE) => {
    const path = join(benchFolder(), 'ledger.db')
    const ledger = await openLedger(path, { onWarning: () => {} })
    let next = 0
    const one = () => guardedOne(ledger, next++)
    const together = () => Promise.all(Array.from({ length: CALLERS }, one))
    for (let i = 0; i < SMALL; i++) await one()
    const bare = bareLoop(path, 'guarded 1')
    const [early] = await inTurns([OPERATIONS, one])
    const [alone, loop, many] = await inTurns(
      [OPERATIONS, one],
      [OPERATIONS, bare.one],
      [Math.ceil((OPERATIONS * 4) / CALLERS), together],
    )
    const bytes = await bytesOfOne()
    bare.grow(large)
    const [late] = await inTurns([OPERATIONS, one])
    bare.close()
    await ledger.close()
    const figures: Figure[] = [
      { what: 'bare loop of the same two commits', value: loop, unit: 'op/s' },
      { what: 'one caller', value: alone, unit: 'op/s' },
      atLeast('one caller to the bare loop', alone / loop, 0.75),
      atLeast(`${CALLERS} callers to one`, (many * CALLERS) / alone, 4),
      atLeast(`one caller, at ${large} operations to ${SMALL}`, late / early, 0.8),
      { what: 'bytes of an operation, three events and one evidence', value: bytes.all, unit: 'B' },
      {
        what: 'the same with two events',
        value: bytes.all - bytes.event,
        unit: 'B',
        bar: { is: 'at most', value: 1_800 },
      },
    ]
    return figures
  },
}

function guardedOne(ledger: Ledger, i: number) {
  return ledger.run(
    {
      id: `guarded ${i}`,
      task: `task ${i % 10}`,
      tool: 'tickets.create',
      target: 'tickets',
      input: inputOf(i),
    },
    () => ({ id: i }),
  )
}

function inputOf(i: number) {
  return { title: `Ticket ${i}`, body: 'Disk full on db-2. '.repeat(5) }
}

function atLeast(what: string, value: number, bar: number): Figure {
  return { what, value, unit: 'x', bar: { is: 'at least', value: bar } }
}

type Work = readonly [count: number, work: () => unknown]

/** How often a second each can be done: the median of rounds that take turns. */
async function inTurns<const T extends readonly Work[]>(...works: T): Promise<{ [K in keyof T]: number }> {
  const speeds = works.map((): number[] => [])
  for (let round = 0; round < ROUNDS; round++)
    for (const [place, [count, work]] of works.entries()) {
      const from = performance.now()
      for (let i = 0; i < count; i++) await work()
      speeds[place]?.push((count / (performance.now() - from)) * 1000)
    }
  // one median for each work
  return speeds.map(median) as { [K in keyof T]: number }
}

/**
 * What the file grows by, with all its indexes and without the input: of a ledger of its own, so that nothing else is in
 * it. And what one of its events takes of that.
 */
async function bytesOfOne(): Promise<{ readonly all: number; readonly event: number }> {
  const path = join(benchFolder(), 'ledger.db')
  const count = 3_000
  const ledger = await openLedger(path, { onWarning: () => {} })
  await ledger.close()
  const empty = statSync(path).size
  const again = await openLedger(path, { onWarning: () => {} })
  for (let i = 0; i < count; i += CALLERS)
    await Promise.all(Array.from({ length: CALLERS }, (_, n) => guardedOne(again, i + n)))
  await again.close()
  const all = (statSync(path).size - empty) / count - JSON.stringify(inputOf(count)).length
  const database = new Database(path, { readonly: true })
  const events = database
    .prepare<[], number>("select sum(pgsize) from dbstat where name like '%ledger_event%'")
    .pluck()
    .get()
  database.close()
  return { all, event: (events ?? 0) / count / 3 }
}
