import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = dirname(dirname(import.meta.dirname))

test('every link of a document to a file of this project leads there', () => {
  const links = documents().flatMap(file => {
    const text = readFileSync(join(root, file), 'utf8')
    return [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map(([, to = '']) => ({ file, to }))
  })
  expect(links.length).toBeGreaterThan(10)
  expect(links.filter(({ file, to }) => !existsSync(join(root, dirname(file), to)))).toEqual([])
})

function documents(): string[] {
  const inFolders = ['docs', 'examples'].flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(name => join(folder, name)),
  )
  return [...readdirSync(root), ...inFolders].filter(name => name.endsWith('.md'))
}
