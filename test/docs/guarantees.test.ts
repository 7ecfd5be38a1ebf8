import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = dirname(dirname(import.meta.dirname))
const page = readFileSync(join(root, 'docs/guarantees.md'), 'utf8')
const promises = [...page.matchAll(/^\| (.+?) \| `(test\/[^`]+)`: (.+?) \|$/gm)].map(
  ([, promise = '', file = '', title = '']) => ({ promise, file, title }),
)

describe('docs/guarantees.md', () => {
  test('names a test for every promise', () => {
    const rows = page.split('## What rests')[0]?.match(/^\| (?!promise|---)/gm) ?? []
    expect(promises.length).toBeGreaterThan(10)
    expect(promises).toHaveLength(rows.length)
  })

  test.each(promises)('is held to: $promise', ({ file, title }) => {
    const path = join(root, file)
    expect(existsSync(path), file).toBe(true)
    expect(readFileSync(path, 'utf8')).toContain(`('${title}'`)
  })
})
