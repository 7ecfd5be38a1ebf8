import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Outcome, readDamaged } from '../test/sources/temporal/mutants.js'

// Damaged Temporal histories, made from seeds, against the reader: npx tsx scripts/fuzz-temporal.ts [inputs] [first seed]
// Half of the inputs are damaged texts, half damaged values. Batches run in processes of their own with a time limit,
// so that a hang is found like any other fault; the seed that failed is printed and can be run alone.

// One input takes milliseconds; the limit leaves room for a machine that has other things to do.
const BATCH = 1000
const BATCH_LIMIT_MS = 600_000

const [mode, ...rest] = process.argv.slice(2)
if (mode === '--batch') await runBatch(Number(rest[0]), Number(rest[1]))
else runAll(Number(mode ?? 100_000), Number(rest[0] ?? 1))

function runAll(inputs: number, first: number): void {
  const counts: Record<Outcome, number> = { read: 0, refused: 0 }
  let memory = 0
  for (let seed = first; seed < first + inputs; seed += BATCH) {
    const size = Math.min(BATCH, first + inputs - seed)
    const { stdout, status, signal } = spawnSync(
      process.execPath,
      [...process.execArgv, fileURLToPath(import.meta.url), '--batch', String(seed), String(size)],
      { encoding: 'utf8', timeout: BATCH_LIMIT_MS, stdio: ['ignore', 'pipe', 'inherit'] },
    )
    const lines = stdout.trim().split('\n')
    if (status !== 0) {
      console.error(
        `failed${signal ? ` (time limit, ${signal})` : ''}: the last seed begun was ${lines.at(-1)}`,
      )
      process.exitCode = 1
      return
    }
    const found: Record<Outcome | 'memory', number> = JSON.parse(lines.at(-1) ?? '{}')
    counts.read += found.read
    counts.refused += found.refused
    memory = Math.max(memory, found.memory)
    console.log(`seeds ${seed} to ${seed + size - 1}: ${found.read} read, ${found.refused} refused`)
  }
  const { read, refused } = counts
  console.log(`${inputs} inputs: ${read} read, ${refused} refused by name, 0 faults, at most ${memory} MB`)
}

async function runBatch(first: number, size: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'fuzz-temporal-'))
  const counts: Record<Outcome, number> = { read: 0, refused: 0 }
  try {
    for (let seed = first; seed < first + size; seed++) {
      console.log(seed)
      counts[await readDamaged(seed, join(folder, 'history.json'))]++
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
  console.log(JSON.stringify({ ...counts, memory: Math.round(process.resourceUsage().maxRSS / 1024) }))
}
