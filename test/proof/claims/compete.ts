import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLedgerForReading } from '../../../src/ledger.js'
import type { Bundle } from '../../support/bundle.js'

/** What came of several processes that wanted the same operations. */
export interface Competed {
  /** by process, what its calls came to: `won`, `confirmed` (somebody else had), `in_progress`, `rejected: …` */
  readonly outcomes: readonly Readonly<Record<string, number>>[]
  /** by process, the longest that one call took */
  readonly longestMs: readonly number[]
  /** the ids of what truly happened, in order */
  readonly effects: readonly string[]
  readonly statuses: ReadonlyMap<string, number>
  readonly findings: readonly unknown[]
}

export const PROCESSES = 8

/** Starts them, lets them go at once when all have the ledger open, and waits for their ends. */
export async function compete(program: Bundle, operations: number): Promise<Competed> {
  const folder = mkdtempSync(join(tmpdir(), 'agent-ledger-claims-'))
  const path = join(folder, 'ledger.db')
  const world = join(folder, 'world.txt')
  try {
    const workers = Array.from({ length: PROCESSES }, () =>
      worker(program, [path, world, String(operations)]),
    )
    for (const each of workers) await each.ready
    for (const each of workers) each.go()
    const told = await Promise.all(workers.map(each => each.end))
    const reading = await openLedgerForReading(path)
    const { findings } = await reading.verify()
    const statuses = new Map<string, number>()
    for await (const { status } of reading.listing({ show: 'all' }).rows)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    await reading.close()
    return {
      outcomes: told.map(({ outcomes }) => outcomes),
      longestMs: told.map(({ longestMs }) => longestMs),
      effects: readFileSync(world, 'utf8').trim().split('\n'),
      statuses,
      findings,
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** How many each process won. */
export function wins({ outcomes }: Competed): number[] {
  return outcomes.map(({ won = 0 }) => won)
}

/** What reached a caller as an error, a locked file for one. */
export function rejections({ outcomes }: Competed): string[] {
  return [...new Set(outcomes.flatMap(Object.keys))].filter(came => came.startsWith('rejected'))
}

export function summary(competed: Competed): string {
  const won = wins(competed)
  const longest = Math.max(...competed.longestMs)
  return [
    `${won.length} processes, ${competed.effects.length} operations, each carried out once`,
    `won: ${won.join(', ')} (the least is ${Math.round((100 * Math.min(...won) * won.length) / competed.effects.length)} % of the mean)`,
    `longest call: ${longest.toFixed(0)} ms`,
  ].join('\n')
}

function worker(program: Bundle, args: readonly string[]) {
  const child = spawn(process.execPath, [...program.argv, ...args], {
    env: { ...process.env, ...program.env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let printed = ''
  const closed = once(child, 'close')
  const ready = new Promise<void>(resolve => {
    child.stdout.on('data', data => {
      printed += String(data)
      resolve()
    })
    void closed.then(() => resolve())
  })
  return {
    ready,
    go: () => void child.stdin.write('go\n'),
    end: closed.then((): { outcomes: Record<string, number>; longestMs: number } =>
      JSON.parse(printed.trim().split('\n').at(-1) ?? ''),
    ),
  }
}
