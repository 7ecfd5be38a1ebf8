import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { BLOCKS } from '../../scripts/docs/index.js'
import { steady } from '../../scripts/docs/steady.js'
import { table, withBlock } from '../../scripts/docs/with-block.js'

const root = dirname(dirname(import.meta.dirname))

describe('Generated blocks', () => {
  test.each(BLOCKS.map(block => [block.file, block.name, block] as const))(
    '%s: %s is fresh',
    async (file, _, block) => {
      const document = readFileSync(join(root, file), 'utf8')
      expect(document, 'run `npm run docs`').toBe(await withBlock(document, block))
    },
  )

  test('a block replaces what stands between its marks and nothing else', async () => {
    const document = 'before\n<!-- generated: a -->\nold\n<!-- end: a -->\nafter\n'
    const block = { file: 'x.md', name: 'a', markdown: () => '\nnew\n' }
    expect(await withBlock(document, block)).toBe(
      'before\n<!-- generated: a -->\nnew\n<!-- end: a -->\nafter\n',
    )
  })

  test('a document without the place is named', async () => {
    const block = { file: 'x.md', name: 'a', markdown: () => '' }
    await expect(withBlock('nothing here', block)).rejects.toThrow('x.md has no place for the block a')
  })

  test('a block of which only ages and process ids differ stays as it is', async () => {
    const block = (text: string) => ({ file: 'x.md', name: 'a', markdown: () => text, steady })
    const document = '<!-- generated: a -->\nheld for 12s by pid 77\n<!-- end: a -->\n'
    expect(await withBlock(document, block('held for 3.5s by pid 8123'))).toBe(document)
    expect(await withBlock(document, block('held for 3.5s by nobody'))).toContain('by nobody')
  })

  test('a bar inside a cell does not end it', () => {
    expect(table(['a'], [['x | y']])).toBe('| a |\n| --- |\n| x \\| y |')
  })
})
