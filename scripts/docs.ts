// Writes the generated blocks of the documents. With --check it only says which are stale, and exits with 1.
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { BLOCKS } from './docs/index.js'
import { withBlock } from './docs/with-block.js'

const root = dirname(import.meta.dirname)
const isCheck = process.argv.includes('--check')
const stale: string[] = []

for (const file of new Set(BLOCKS.map(block => block.file))) {
  const path = join(root, file)
  const before = readFileSync(path, 'utf8')
  let after = before
  for (const block of BLOCKS) if (block.file === file) after = await withBlock(after, block)
  if (after === before) continue
  stale.push(file)
  if (!isCheck) writeFileSync(path, after)
}

if (stale.length > 0) console.log(`${isCheck ? 'stale' : 'written'}: ${stale.join(', ')}`)
if (isCheck && stale.length > 0) process.exitCode = 1
