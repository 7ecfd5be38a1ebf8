// Measures the figures of the project, prints them beside their bars and writes them to bench/last.json.
// `npm run bench -- starting` runs the named ones, `guarded 1000000` on a ledger of that size. Figures are ratios taken in one run; a busy machine spoils them.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Figure, figureLines } from './figure.js'
import { fleet } from './fleet.js'
import { guarded } from './guarded.js'
import { postgres } from './postgres.js'
import { postgresReading } from './postgres-reading.js'
import { reading } from './reading.js'
import { screen } from './screen.js'
import { starting } from './starting.js'
import { watching } from './watching.js'

const BENCHES = [starting, guarded, reading, screen, watching, postgres, postgresReading, fleet]

const wanted = process.argv.slice(2).filter(name => !/^\d+$/.test(name))
const [size] = process.argv.filter(text => /^\d+$/.test(text)).map(Number)
const results: Record<string, readonly Figure[]> = {}
for (const bench of BENCHES.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  const figures = await bench.measure(size)
  console.log([bench.name, ...figureLines(figures)].join('\n'))
  results[bench.name] = figures
}
const machine = { node: process.version, platform: `${process.platform}-${process.arch}` }
writeFileSync(join(import.meta.dirname, 'last.json'), `${JSON.stringify({ machine, results }, null, 2)}\n`)
