import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { MUTANTS } from '../../scripts/mutants/index.js'

const ROOT = join(import.meta.dirname, '../..')

describe('the rules that are broken on purpose', () => {
  it.each(MUTANTS)('$id stands once in its file, is changed, and names a check that is there', mutant => {
    const places = readFileSync(join(ROOT, mutant.file), 'utf8').split(mutant.find).length - 1
    expect(places).toBe(1)
    expect(mutant.replace).not.toBe(mutant.find)
    expect(existsSync(join(ROOT, mutant.killedBy.file))).toBe(true)
  })

  it('have ids and rules of their own', () => {
    for (const of of ['id', 'without'] as const)
      expect(new Set(MUTANTS.map(mutant => mutant[of])).size).toBe(MUTANTS.length)
  })
})
