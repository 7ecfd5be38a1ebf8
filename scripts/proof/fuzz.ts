import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { FUZZED } from '../../test/sources/fuzzed.js'
import { added, type Counts, NO_COUNTS } from './fuzz-counts.js'
import type { Part, SeedRange } from './part.js'

const PROGRAM = fileURLToPath(new URL('./fuzz-program.ts', import.meta.url))
const INPUTS = 100_000
/** one process reads so many, so that what it may use of memory is that of a long command and no more */
const BATCH = 2_000
/** An input takes milliseconds; the limit leaves room for a machine that has other things to do, and finds a hang. */
const BATCH_LIMIT_MS = 600_000
/** the project's own bar for a reader */
const MOST_MB = 300

/** For each reader a part of its own: `fuzz-langgraph`, … */
export const fuzz: readonly Part[] = FUZZED.map(({ name }) => ({
  name: `fuzz-${name}`,
  title: `damaged inputs of ${name} are read or refused by name`,
  run: (say, range) => readAll(name, range, say),
}))

function readAll(reader: string, { from, runs }: SeedRange, say: (line: string) => void): boolean {
  const until = from + (runs ?? INPUTS)
  let counts = NO_COUNTS
  for (let seed = from; seed < until; seed += BATCH) {
    const found = readBatch(reader, seed, Math.min(seed + BATCH, until))
    if (typeof found === 'string') {
      say(found)
      return false
    }
    counts = added(counts, found)
  }
  const { read, refused, memory, slowest } = counts
  const outcomes = `${read} read, ${refused} refused by name`
  say(
    `${reader}: seeds ${from} to ${until - 1}: ${outcomes}, at most ${memory} MB and ${slowest.ms} ms (seed ${slowest.seed})`,
  )
  if (memory > MOST_MB) say(`that is more than ${MOST_MB} MB`)
  return memory <= MOST_MB
}

function readBatch(reader: string, from: number, until: number): Counts | string {
  const { stdout, status, signal } = spawnSync(
    process.execPath,
    [...process.execArgv, PROGRAM, reader, String(from), String(until)],
    { encoding: 'utf8', timeout: BATCH_LIMIT_MS, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const lines = stdout.trim().split('\n')
  const last = lines.at(-1) ?? ''
  if (status === 0) return JSON.parse(last)
  return `${reader}: ${signal ?? `exit ${status}`} at seed ${last}`
}
