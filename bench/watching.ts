import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
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

/**
 * What a supervisor costs that follows a thousand running tasks beside a million settled operations: of one core, and of
 * memory. The heap breathes, so the least of a part counts, which a leak raises. Read from /proc, so on Linux alone.
 */
export const watching: Bench = {
  name: 'watching',
  measure: async (size = OPERATIONS) => {
    const ledger = await ledgerOf(size)
    await withTasks(ledger)
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

/** Each lives, and did a few different things lately. The rows are copies of one that the library wrote. */
async function withTasks(path: string): Promise<void> {
  const ledger = await openLedger(path, { onWarning: () => {} })
  const task = await ledger.task('watched 0')
  await task.heartbeat()
  for (let i = 0; i < 8; i++) await task.activity({ tool: 'read', input: { i }, result: i })
  await ledger.close()
  const db = new Database(path)
  try {
    copyRows(db, 'ledger_task', 'seq')
    copyRows(db, 'ledger_action', null)
  } finally {
    db.close()
  }
}

function copyRows(db: Database.Database, table: string, key: string | null): void {
  const columns = db
    .prepare<[], { name: string; hidden: number }>(`select name, hidden from pragma_table_xinfo('${table}')`)
    .all()
    .filter(({ name, hidden }) => hidden === 0 && name !== key)
    .map(({ name }) => name)
  const values = columns.map(name => (name === 'task_id' ? `'watched ' || n` : name))
  db.exec(`
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${TASKS - 1})
    insert into ${table} (${columns.join()})
    select ${values.map(value => (value.includes('||') ? value.replace('|| n', '|| numbers.n') : `${table}.${value}`)).join()}
    from ${table}, numbers
    where ${table}.task_id = 'watched 0'`)
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
