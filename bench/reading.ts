import { spawnSync } from 'node:child_process'
import { closeSync, openSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Bench, Figure } from './figure.js'
import { median } from './figure.js'
import { BUSY_TASK, ledgerOf } from './ledgers.js'

const program = join(import.meta.dirname, '..', 'bin', 'agent-ledger.js')
const ROUNDS = 15
const SMALL = 1_000
const LARGE = 1_000_000
/** From here on a ledger is not streamed whole. */
const HUGE = 5_000_000

/** How long the commands of the first two minutes take on a small and on a large ledger, as whole processes. */
export const reading: Bench = {
  name: 'reading',
  measure: async (size = LARGE) => {
    const small = await ledgerOf(SMALL)
    const large = await ledgerOf(size)
    const bare = size >= HUGE ? null : [join(import.meta.dirname, 'bare-stream.mjs'), large]
    const figures = lookedAt({ small, large, size, bare, bytes: statSync(large).size })
    for (const path of [small, large]) rmSync(dirname(dirname(path)), { recursive: true, force: true })
    return figures
  },
}

export interface LookedAt {
  /** a ledger of a thousand operations, and one of `size`, as `ledgerOf` makes them */
  readonly small: string
  readonly large: string
  readonly size: number
  /** what reads and prints the same rows with nothing else done to them; null: not to be streamed whole */
  readonly bare: readonly string[] | null
  readonly bytes: number
}

/** The figures of whole processes, in turns. */
export function lookedAt({ small, large, size, bare, bytes }: LookedAt): readonly Figure[] {
  const many = size.toLocaleString('en')
  const on = (ledger: string, ...words: string[]) => [program, ...words, '--ledger', ledger]
  const cases: Readonly<Record<string, readonly string[]>> = {
    [FLOOR]: ['-e', '0'],
    'list --unknown, 1,000': on(small, 'list', '--unknown'),
    [`list --unknown, ${many}`]: on(large, 'list', '--unknown'),
    [`show, ${many}`]: on(large, 'show', `${BUSY_TASK}/9`),
    [`report of 50 operations, ${many}`]: on(large, 'report', BUSY_TASK),
    [`status, ${many}`]: on(large, 'status'),
  }
  const of = mediansOf(cases)
  const starts = (what: string, bar?: number): Figure => ({
    what,
    value: of(what) / of(FLOOR),
    unit: `x ${FLOOR}`,
    ...(bar === undefined ? {} : { bar: { is: 'at most', value: bar } }),
  })
  return [
    { what: FLOOR, value: of(FLOOR), unit: 'ms' },
    starts('list --unknown, 1,000', 1.35),
    starts(`list --unknown, ${many}`, 1.35),
    {
      what: `list --unknown, ${many} to 1,000`,
      value: of(`list --unknown, ${many}`) / of('list --unknown, 1,000'),
      unit: 'x',
      bar: { is: 'at most', value: 1.1 },
    },
    starts(`show, ${many}`, 1.5),
    starts(`report of 50 operations, ${many}`, 1.5),
    starts(`status, ${many}`),
    memoryOf(`list --unknown, ${many}`, on(large, 'list', '--unknown'), 60),
    { what: `bytes an operation, ${many}`, value: bytes / size, unit: 'B' },
    ...(bare === null ? [] : streaming(bare, many, on(large, 'list', '--all', '--jsonl'))),
  ]
}

const FLOOR = 'node -e 0'

/** In turns, so that a busy moment of the machine falls on all of them. */
function mediansOf(cases: Readonly<Record<string, readonly string[]>>): (name: string) => number {
  const times = new Map<string, number[]>(Object.keys(cases).map(name => [name, []]))
  for (let round = 0; round < ROUNDS; round++)
    for (const [name, argv] of Object.entries(cases)) times.get(name)?.push(wholeMs(argv))
  return name => median(times.get(name) ?? [])
}

/** The bare loop reads the same rows with the same columns and prints each as JSON. */
function streaming(bare: readonly string[], many: string, argv: readonly string[]): Figure[] {
  const bareMs = median([1, 2, 3].map(() => wholeMs(bare)))
  const oursMs = median([1, 2, 3].map(() => wholeMs(argv)))
  return [
    { what: `list --all --jsonl, ${many}`, value: oursMs / 1000, unit: 's' },
    {
      what: 'its rate to a bare loop',
      value: bareMs / oursMs,
      unit: 'x',
      bar: { is: 'at least', value: 0.6 },
    },
    memoryOf(`list --all --jsonl, ${many}`, argv, 120),
  ]
}

function memoryOf(what: string, argv: readonly string[], megabytes: number): Figure {
  const reporter = join(import.meta.dirname, 'peak-memory.cjs')
  const { stderr } = run(['--require', reporter, ...argv], 'pipe')
  const value = Number(/peak-rss-kb (\d+)/.exec(stderr.toString())?.[1]) / 1024
  return { what: `${what}: peak memory`, value, unit: 'MB', bar: { is: 'at most', value: megabytes } }
}

function wholeMs(argv: readonly string[]): number {
  const from = performance.now()
  run(argv, 'ignore')
  return performance.now() - from
}

function run(argv: readonly string[], stderr: 'ignore' | 'pipe') {
  // a file, not a pipe: a pipe would measure who reads it
  const sink = openSync('/dev/null', 'w')
  try {
    const done = spawnSync(process.execPath, argv, { stdio: ['ignore', sink, stderr] })
    if (done.status !== 0) throw new Error(`${argv.join(' ')} ended with ${done.status}`)
    return done
  } finally {
    closeSync(sink)
  }
}
