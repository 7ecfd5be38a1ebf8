import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { type Outcome, READERS, readDamaged } from './mutants.js'

// A taste of scripts/fuzz-records.ts, which runs as many seeds as one likes.
const folder = mkdtempSync(join(tmpdir(), 'fuzz-records-'))
mkdirSync(join(folder, 'scratch'))
afterAll(() => rmSync(folder, { recursive: true }))

it.each(Object.keys(READERS))(
  'damaged records for %s are read or refused by name, never changed, and nothing is left beside them',
  async reader => {
    const seen = new Set<Outcome>()
    for (let seed = 0; seed < 150; seed++)
      try {
        seen.add(await readDamaged(reader, seed, folder))
      } catch (cause) {
        throw new Error(`seed ${seed}`, { cause })
      }
    expect(seen).toEqual(new Set(['read', 'refused']))
    expect(readdirSync(folder)).toEqual(['scratch'])
  },
)
