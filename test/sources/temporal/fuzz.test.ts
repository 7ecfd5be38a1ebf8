import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { type Outcome, readDamaged } from './mutants.js'

// A taste of scripts/fuzz-temporal.ts, which runs as many seeds as one likes.
const folder = mkdtempSync(join(tmpdir(), 'fuzz-temporal-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('damaged histories are read or refused by name, never changed, and nothing is left beside them', async () => {
  const seen = new Set<Outcome>()
  for (let seed = 0; seed < 400; seed++)
    try {
      seen.add(await readDamaged(seed, join(folder, 'history.json')))
    } catch (cause) {
      throw new Error(`seed ${seed}`, { cause })
    }
  expect(seen).toContain('read')
  expect(readdirSync(folder)).toEqual(['history.json'])
})
