import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FUZZED } from '../../test/sources/fuzzed.js'
import { added, type Counts, NO_COUNTS } from './fuzz-counts.js'

// One batch of seeds, in a process of its own: <reader> <from> <until>. Prints each seed before it is read, so that the
// last line of one that hangs or crashes is its seed, and at the end the counts.
const [name, from, until] = process.argv.slice(2)
const reader = FUZZED.find(one => one.name === name)
if (reader === undefined) throw new Error(`no reader ${name}`)
const folder = mkdtempSync(join(tmpdir(), `fuzz-${name}-`))
mkdirSync(join(folder, 'scratch'))
let counts: Counts = NO_COUNTS
try {
  for (let seed = Number(from); seed < Number(until); seed++) {
    console.log(seed)
    const startedAt = performance.now()
    const outcome = await reader.read(seed, folder)
    const ms = Math.round(performance.now() - startedAt)
    counts = added(counts, { ...NO_COUNTS, [outcome]: 1, slowest: { seed, ms } })
  }
} finally {
  rmSync(folder, { recursive: true })
}
const found: Counts = { ...counts, memory: Math.round(process.resourceUsage().maxRSS / 1024) }
console.log(JSON.stringify(found))
