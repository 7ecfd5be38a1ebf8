import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Outcome, READERS, readDamaged } from '../test/sources/ledgers/mutants.js'

// Damaged ledgers of other programs and damaged exports of this one, made from seeds, against their readers:
// npx tsx scripts/fuzz-records.ts <reader> [inputs] [first seed]
// Batches run in processes of their own with a time limit, so that a hang is found like any other fault; the seed that
// failed is printed and can be run alone.

// One input takes milliseconds; the limit leaves room for a machine that has other things to do.
const BATCH = 5000
const BATCH_LIMIT_MS = 600_000

const [mode, ...rest] = process.argv.slice(2)
if (mode === '--batch') await runBatch(readerOf(rest[0]), Number(rest[1]), Number(rest[2]))
else runAll(readerOf(mode), Number(rest[0] ?? 100_000), Number(rest[1] ?? 1))

function readerOf(name: string | undefined): string {
  if (name !== undefined && name in READERS) return name
  throw new Error(`name a reader: ${Object.keys(READERS).join(', ')}`)
}

function runAll(reader: string, inputs: number, first: number): void {
  const counts: Record<Outcome, number> = { read: 0, refused: 0 }
  let memory = 0
  for (let seed = first; seed < first + inputs; seed += BATCH) {
    const size = Math.min(BATCH, first + inputs - seed)
    const { stdout, status, signal } = spawnSync(
      process.execPath,
      [...process.execArgv, fileURLToPath(import.meta.url), '--batch', reader, String(seed), String(size)],
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
  }
  const { read, refused } = counts
  console.log(
    `${reader}: ${inputs} inputs: ${read} read, ${refused} refused by name, 0 faults, at most ${memory} MB`,
  )
}

async function runBatch(reader: string, first: number, size: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'fuzz-records-'))
  mkdirSync(join(folder, 'scratch'))
  const counts: Record<Outcome, number> = { read: 0, refused: 0 }
  try {
    for (let seed = first; seed < first + size; seed++) {
      console.log(seed)
      counts[await readDamaged(reader, seed, folder)]++
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
  console.log(JSON.stringify({ ...counts, memory: Math.round(process.resourceUsage().maxRSS / 1024) }))
}
