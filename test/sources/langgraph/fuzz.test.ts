import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { type Outcome, readDamagedFile, readDamagedThread } from './mutants.js'

// A taste of scripts/fuzz-langgraph.ts, which runs as many seeds as one likes.
const folder = mkdtempSync(join(tmpdir(), 'fuzz-test-'))
mkdirSync(join(folder, 'scratch'))
afterAll(() => rmSync(folder, { recursive: true }))

async function outcomes(seeds: number, read: (seed: number) => Promise<Outcome>): Promise<Set<Outcome>> {
  const seen = new Set<Outcome>()
  for (let seed = 0; seed < seeds; seed++)
    try {
      seen.add(await read(seed))
    } catch (cause) {
      throw new Error(`seed ${seed}`, { cause })
    }
  return seen
}

it('damaged files are read or refused by name, never changed, and nothing is left beside them', async () => {
  expect(await outcomes(200, seed => readDamagedFile(seed, folder))).toEqual(new Set(['read', 'refused']))
})

it('an error whose parts are objects without a text of their own is read', async () => {
  expect(await readDamagedThread(62_131)).toBe('read')
})

it('damaged values and names give a document of the right shape', async () => {
  expect(await outcomes(200, readDamagedThread)).toEqual(new Set(['read']))
})
