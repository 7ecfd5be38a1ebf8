import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { BLOCKS } from '../../scripts/docs/index.js'
import { table, withBlock } from '../../scripts/docs/with-block.js'

const root = dirname(dirname(import.meta.dirname))

describe('Generated blocks', () => {
  test.each(BLOCKS.map(block => [block.file, block.name, block] as const))(
    '%s: %s is fresh',
    (file, _, block) => {
      const document = readFileSync(join(root, file), 'utf8')
      expect(document, 'run `npm run docs`').toBe(withBlock(document, block))
    },
  )

  test('a block replaces what stands between its marks and nothing else', () => {
    const document = 'before\n<!-- generated: a -->\nold\n<!-- end: a -->\nafter\n'
    const block = { file: 'x.md', name: 'a', markdown: () => '\nnew\n' }
    expect(withBlock(document, block)).toBe('before\n<!-- generated: a -->\nnew\n<!-- end: a -->\nafter\n')
  })

  test('a document without the place is named', () => {
    const block = { file: 'x.md', name: 'a', markdown: () => '' }
    expect(() => withBlock('nothing here', block)).toThrow('x.md has no place for the block a')
  })

  test('a bar inside a cell does not end it', () => {
    expect(table(['a'], [['x | y']])).toBe('| a |\n| --- |\n| x \\| y |')
  })
})
