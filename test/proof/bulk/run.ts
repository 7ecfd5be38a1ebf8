import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import Database from 'better-sqlite3'
import type { LostMails } from './lost.js'

const ROOT = join(import.meta.dirname, '../../..')
const PROGRAM = join(ROOT, 'bin/agent-ledger.js')
const PEAK = join(ROOT, 'bench/peak-memory.cjs')

/** What V8 may hold: what it would leave lying until it needs the room is not counted as held. */
const SMALL_HEAP = ['--max-old-space-size=48', '--max-semi-space-size=2']

export const SAID = ['--as', 'not-executed', '--evidence', 'ticket:OPS-12', '--reason', 'it was down']

export interface Ran {
  /** null: killed */
  readonly code: number | null
  /** how often each outcome was printed */
  readonly outcomes: Readonly<Record<string, number>>
  readonly said: string
  /** the most that the process held, in megabytes; NaN where it was killed */
  readonly megabytes: number
}

/** The program on this ledger, in a process of its own; `killAfter`: SIGKILL once so many results were printed. */
export async function runOn(
  { ledger }: Pick<LostMails, 'ledger'>,
  argv: readonly string[],
  killAfter = Number.POSITIVE_INFINITY,
): Promise<Ran> {
  const words = [...SMALL_HEAP, '--require', PEAK, PROGRAM, ...argv, '--ledger', ledger, '--by', 'ana']
  const env = { ...process.env, AGENT_LEDGER: '', AGENT_LEDGER_BY: '', CI: '' }
  const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'exit')
  let said = ''
  child.stderr.on('data', piece => {
    said += String(piece)
  })
  const outcomes: Record<string, number> = {}
  let lines = 0
  for await (const line of createInterface({ input: child.stdout })) {
    const outcome = /"outcome":"(\w+)"/.exec(line)?.[1] ?? 'none'
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
    if (++lines === killAfter) child.kill('SIGKILL')
  }
  await ended
  const megabytes = Number(/peak-rss-kb (\d+)/.exec(said)?.[1]) / 1024
  return { code: child.exitCode, outcomes, said, megabytes }
}

/** How often each operation was decided, and on how many that was: `{1: 10000}` where each was decided once. */
export function decidedTimes({ ledger }: Pick<LostMails, 'ledger'>): Readonly<Record<string, number>> {
  const database = new Database(ledger, { readonly: true })
  try {
    const rows = database
      .prepare<[], { times: number; operations: number }>(
        `select times, count(*) as operations
         from (select o.operation_id, count(e.n) as times
               from ledger_operation as o
               left join ledger_event as e
                 on e.subject = 'operation' and e.subject_id = o.operation_id and e.type = 'resolve_not_executed'
               group by o.operation_id)
         group by times`,
      )
      .all()
    return Object.fromEntries(rows.map(({ times, operations }) => [times, operations]))
  } finally {
    database.close()
  }
}
