import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openLedger } from '../src/index.js'
import type { Bench } from './figure.js'
import { ledgerOf } from './ledgers.js'

const program = join(import.meta.dirname, '..', 'bin', 'agent-ledger.js')
const TASKS = 1_000
const OPERATIONS = 1_000_000
/** Before it, code is loaded and compiled, and what stands still is noticed once. */
const WARM_MS = 60_000
/** Long enough for about thirty looks in each part: a heap that is collected late must not be taken for one that grows. */
const PART_MS = 5 * 60_000
const SAMPLE_MS = 5_000
/** A task beats well inside the three minutes after which it would be taken for lost. */
const BEAT_MS = 60_000

/**
 * What a supervisor costs that follows a thousand running tasks beside a million settled operations: of one core, and of
 * memory. The heap breathes, so the least of a part counts, which a leak raises. Read from /proc, so on Linux alone.
 */
export const watching: Bench = {
  name: 'watching',
  measure: async (size = OPERATIONS) => {
    const ledger = await ledgerOf(size)
    const end = await withTasks(ledger)
    const watch = spawn(process.execPath, [program, 'watch', '--ledger', ledger], { stdio: 'ignore' })
    try {
      await sleep(WARM_MS)
      const from = cpuMs(watch.pid)
      const parts = [await memoryOf(watch.pid), await memoryOf(watch.pid), await memoryOf(watch.pid)]
      const to = cpuMs(watch.pid)
      const [first = Number.NaN, , last = Number.NaN] = parts.map(part => Math.min(...part))
      return [
        {
          what: 'of a core',
          value: ((to - from) / (parts.length * PART_MS)) * 100,
          unit: '%',
          bar: { is: 'at most', value: 2 },
        },
        {
          what: 'least memory of the last five minutes to the first',
          value: last / first,
          unit: 'x',
          bar: { is: 'at most', value: 1.1 },
        },
        ...parts.map((part, i) => ({
          what: `least memory of part ${i + 1}`,
          value: Math.min(...part),
          unit: 'MB',
        })),
        { what: 'most memory', value: Math.max(...parts.flat()), unit: 'MB' },
      ]
    } finally {
      watch.kill()
      await end()
    }
  },
}

/** Resident sizes over one part. */
async function memoryOf(pid: number | undefined): Promise<readonly number[]> {
  const sizes: number[] = []
  for (let ms = 0; ms < PART_MS; ms += SAMPLE_MS) {
    await sleep(SAMPLE_MS)
    sizes.push(rssMb(pid))
  }
  return sizes
}

/** Each did a few different things, and lives as long as the bench does: what it returns ends that. */
async function withTasks(path: string): Promise<() => Promise<void>> {
  const ledger = await openLedger(path, { onWarning: () => {} })
  const tasks = await Promise.all(Array.from({ length: TASKS }, (_, i) => ledger.task(`watched ${i}`)))
  const beat = () => Promise.all(tasks.map(task => task.heartbeat()))
  for (let i = 0; i < 8; i++)
    await Promise.all(tasks.map(task => task.activity({ tool: 'read', input: { i }, result: i })))
  await beat()
  let beating = Promise.resolve<unknown>(null)
  const timer = setInterval(() => {
    beating = beat()
  }, BEAT_MS)
  return async () => {
    clearInterval(timer)
    await beating
    await ledger.close()
  }
}

const TICK_MS = 1_000 / Number(spawnSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }).stdout)

/** User and system time of the process so far. */
function cpuMs(pid: number | undefined): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

function rssMb(pid: number | undefined): number {
  const [, pages] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')
  return (Number(pages) * 4_096) / 1_048_576
}
