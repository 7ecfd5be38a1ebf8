import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'

const FIXTURES = join(import.meta.dirname, '..', '..', 'fixtures')

/**
 * The text is what the fixture says. `UPDATE_FIXTURES=1` writes the fixtures anew; what changes in them is read before
 * it is committed.
 */
export function expectGolden(path: string, text: string): void {
  const file = join(FIXTURES, path)
  if (process.env.UPDATE_FIXTURES === '1') {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  expect(text).toBe(readFileSync(file, 'utf8'))
}
