import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { SOURCES } from '../../src/sources/index.js'
import type { Outcome } from './damage.js'
import { FUZZED } from './fuzzed.js'
import { readDamaged as readLangGraph } from './langgraph/mutants.js'

// A taste of `npm run proof -- fuzz`, which goes through as many seeds as one likes.
const SEEDS = 200
const folder = mkdtempSync(join(tmpdir(), 'fuzz-'))
mkdirSync(join(folder, 'scratch'))
afterAll(() => rmSync(folder, { recursive: true }))

it('every source is tried with damaged inputs', () => {
  expect(FUZZED.map(({ name }) => name).sort()).toEqual(SOURCES.map(({ id }) => id).sort())
})

it.each(FUZZED)(
  'damaged inputs of $name are read or refused by name, and left as they were',
  async ({ read }) => {
    const seen = new Set<Outcome>()
    for (let seed = 0; seed < SEEDS; seed++)
      try {
        seen.add(await read(seed, folder))
      } catch (cause) {
        throw new Error(`seed ${seed}`, { cause })
      }
    expect(seen).toEqual(new Set(['read', 'refused']))
    expect(readdirSync(folder, { recursive: true })).toEqual(['scratch'])
  },
)

it('an error whose parts are objects without a text of their own is read', async () => {
  expect(await readLangGraph(62_131, folder)).toBe('read')
})
