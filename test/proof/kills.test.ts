import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { bundled } from '../support/bundled.js'
import { DECIDING, MAKING, WRITING } from './kills/places.js'
import { SEEDS_OF_A_ROUND } from './kills/run-case.js'
import { type Done, findsOf, runSeeds, tally } from './kills/tally.js'

const PROGRAM = bundled(join(import.meta.dirname, 'kills/agent-program.ts'))

// A round visits every place with every kind of service. A seed that fails is run alone, and thousands of others are,
// by `npm run proof -- kills`.
const ROUNDS = 2

describe('processes killed at every place, with every kind of service', () => {
  const all: Done[] = []

  it('leave nothing done twice, nothing lost, nothing said that is not so, and no doubt that cannot be settled', async () => {
    const seeds = Array.from({ length: ROUNDS * SEEDS_OF_A_ROUND }, (_, n) => n + 1)
    await runSeeds(PROGRAM, seeds, done => all.push(done))
    expect(findsOf(all)).toEqual([])
  }, 1_200_000)

  it('were killed where it was meant', () => {
    const places = [...WRITING, ...DECIDING, ...MAKING].map(({ name }) => name)
    const hit = new Set(all.filter(({ found }) => found.wasHit).map(({ one }) => one.place.name))
    expect(places.filter(name => !hit.has(name))).toEqual([])
  })

  afterAll(() => console.info(`\n${tally(all)}`))
})
