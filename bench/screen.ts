import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { spawn } from '@lydell/node-pty'
import headless from '@xterm/headless'
import { type Bench, type Figure, median } from './figure.js'
import { ledgerOfDoubts } from './ledgers.js'

const program = join(import.meta.dirname, '..', 'bin', 'agent-ledger.js')
const SIZE = { cols: 100, rows: 30 } as const
const ROUNDS = 11
const KEYS = 200
const FEW = 1_000
const MANY = 50_000
const MOST = 1_000_000
/** what stands below a list that can be worked with */
const READY = 'a act'
/** how the sink ends each frame */
const FRAME_END = '\u001b[?2026l'
/** longer than the selection must rest before the operation beside the list is read */
const REST_MS = 150
/** enough to load a million rows, of which each turn doubles the number */
const TURNS = 40
/** a frame that did not come by then never comes */
const OVERDUE_MS = 30_000

/** The triage screen on a real pseudo-terminal: its first frame, a key, the bytes that cost, and its memory. */
export const screen: Bench = {
  name: 'screen',
  measure: async (most = MOST) => {
    const few = await ledgerOfDoubts(FEW)
    const many = await ledgerOfDoubts(MANY)
    const large = await ledgerOfDoubts(most)
    const starts: Record<string, number[]> = { node: [], few: [], large: [] }
    for (let round = 0; round < ROUNDS; round++) {
      starts.node?.push(nodeMs())
      starts.few?.push(await firstFrameMs(few))
      starts.large?.push(await firstFrameMs(large))
    }
    const floor = median(starts.node ?? [])
    const ofFew = median(starts.few ?? [])
    const ofLarge = median(starts.large ?? [])
    const keys = await keysOn(many, { isLoadedWhole: true })
    const memory = await keysOn(large, { isLoadedWhole: false })
    return [
      { what: 'node -e 0', value: floor, unit: 'ms' },
      { what: `first frame, ${FEW} in doubt`, value: ofFew / floor, unit: 'x node -e 0', bar: atMost(4.2) },
      {
        what: `first frame, ${most} in doubt`,
        value: ofLarge / floor,
        unit: 'x node -e 0',
        bar: atMost(4.2),
      },
      { what: `${most} to ${FEW}`, value: ofLarge / ofFew, unit: 'x', bar: atMost(1.1) },
      { what: `key to frame, ${MANY} rows, median`, value: median(keys.ms), unit: 'ms', bar: atMost(20) },
      { what: `key to frame, ${MANY} rows, p99`, value: nearEnd(keys.ms), unit: 'ms', bar: atMost(90) },
      { what: 'bytes a key, with what is read for it', value: keys.bytes, unit: 'bytes', bar: atMost(1_300) },
      { what: 'screens cleared', value: keys.cleared, unit: 'times', bar: atMost(0) },
      { what: `peak memory, ${MANY} rows loaded`, value: keys.megabytes, unit: 'MB' },
      { what: `peak memory, ${most} in doubt`, value: memory.megabytes, unit: 'MB' },
    ]
  },
}

function atMost(value: number): NonNullable<Figure['bar']> {
  return { is: 'at most', value }
}

function nearEnd(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN
}

function nodeMs(): number {
  const from = performance.now()
  spawnSync(process.execPath, ['-e', '0'])
  return performance.now() - from
}

async function firstFrameMs(ledger: string): Promise<number> {
  const from = performance.now()
  const shown = open(ledger)
  await shown.until(() => shown.sent().includes(READY))
  const took = performance.now() - from
  await shown.leave()
  return took
}

/** Moves about in the list, of which all rows are loaded before, or the first ones. */
async function keysOn(ledger: string, { isLoadedWhole }: { readonly isLoadedWhole: boolean }) {
  const shown = open(ledger)
  await shown.until(() => shown.sent().includes(READY))
  if (isLoadedWhole) await toTheEnd(shown)
  const ms: number[] = []
  const before = shown.sent().length
  for (let n = 0; n < KEYS; n++) {
    const at = shown.sent().length
    const from = performance.now()
    // a page among them, as people move
    shown.type(n % 10 === 9 ? '\u001b[5~' : isLoadedWhole ? 'k' : 'j')
    await shown.until(() => shown.sent().indexOf(FRAME_END, at) !== -1)
    ms.push(performance.now() - from)
    await pause(REST_MS)
  }
  const sent = shown.sent()
  const megabytes = shown.peakMegabytes()
  await shown.leave()
  return {
    ms,
    bytes: Buffer.byteLength(sent.slice(before)) / KEYS,
    cleared: sent.match(/\u001b\[[23]J/g)?.length ?? 0,
    megabytes,
  }
}

/** Each `G` goes to the last row that is loaded, and twice as many are read. */
async function toTheEnd(shown: ReturnType<typeof open>): Promise<void> {
  for (let turns = 0; turns < TURNS; turns++) {
    shown.type('G')
    await pause(1_000)
    const [, at, of] = /([\d,]+)\/([\d,]+\+?)/.exec(await shown.head()) ?? []
    if (at !== undefined && at === of) return
  }
  throw new Error(`the last row was not reached with ${TURNS} presses of G: ${await shown.head()}`)
}

function open(ledger: string) {
  let sent = ''
  const heard = new Set<() => void>()
  const child = spawn(process.execPath, [program, 'triage', '--ledger', ledger], {
    ...SIZE,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, TERM: 'xterm-256color' },
  })
  const ended = new Promise<void>(resolve => child.onExit(() => resolve()))
  child.onData(data => {
    sent += data
    for (const one of heard) one()
  })
  return {
    sent: () => sent,
    /** the two lines above the list, as they stand */
    head: async () => {
      const emulator = new headless.Terminal({ ...SIZE, allowProposedApi: true })
      await new Promise<void>(resolve => emulator.write(sent, resolve))
      const line = (row: number) => emulator.buffer.active.getLine(row)?.translateToString(true) ?? ''
      return `${line(0)}\n${line(1)}`
    },
    type: (keys: string) => child.write(keys),
    until: (holds: () => boolean) =>
      new Promise<void>((resolve, reject) => {
        const overdue = setTimeout(
          () =>
            reject(
              new Error(`the screen of ${ledger} stands still after: ${JSON.stringify(sent.slice(-2_000))}`),
            ),
          OVERDUE_MS,
        )
        const look = () => {
          if (!holds()) return
          clearTimeout(overdue)
          heard.delete(look)
          resolve()
        }
        heard.add(look)
        look()
      }),
    peakMegabytes: () =>
      Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024,
    leave: async () => {
      child.write('q')
      await ended
    },
  }
}
