import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openLedger } from '../../src/index.js'
import { query } from '../../src/store/engine.js'
import { contentOf, rowCount } from '../../src/store/moving/copy.js'
import { endOf } from '../../src/store/moving/place.js'
import { TABLES } from '../../src/store/moving/tables.js'
import { verify } from '../../src/store/verify.js'
import { startPostgres } from '../../test/postgres/server.js'
import { type Bundle, bundleOf } from '../../test/support/bundle.js'
import type { Part } from './part.js'

const PROGRAM = fileURLToPath(new URL('../../test/cli/main-program.ts', import.meta.url))
const OPERATIONS = 50_000
const CALLERS = 64
/** One of so many ends in doubt. */
const LOST = 50
/** It is killed once so much of the rows was copied; 0: while it checks what is there; 1: while both are compared. */
const KILLED_AT = [0, 0.001, 0.25, 0.5, 0.75, 1]
const LOOK_MS = 20
/** Inside the checking, which leaves no mark. */
const MEANWHILE_MS = 1_500

/** `runs`: how many operations the ledger has. */
export const moving: Part = {
  name: 'moving',
  title: 'a ledger moved to PostgreSQL and back by a program that is killed again and again',
  async run(say, { runs }) {
    const { bundle, make, remove } = bundleOf(PROGRAM)
    await make()
    const folder = mkdtempSync(join(tmpdir(), 'agent-ledger-moving-'))
    const server = await startPostgres()
    try {
      const file = join(folder, 'ledger.db')
      await grown(file, runs ?? OPERATIONS)
      const before = await contents(file)
      say(`${runs ?? OPERATIONS} operations in ${before.rows} rows`)
      const places = [file, await server.createDatabase(), join(folder, 'back.db')]
      let holds = true
      for (const [n, to] of places.slice(1).entries()) {
        const from = places[n] ?? ''
        const kills = await movedWithKills(bundle, { from, to, rows: before.rows })
        const after = await contents(to)
        const differ = Object.keys(before.digests).filter(
          name => before.digests[name] !== after.digests[name],
        )
        const findings = [...(await findingsOf(from)), ...(await findingsOf(to))]
        say(
          `${n === 0 ? 'to PostgreSQL' : 'back to a file'}: ${kills} kills, ${after.rows} rows, tables that differ ${differ.length}, findings of verify on both sides ${findings.length}`,
        )
        for (const what of [...differ, ...findings]) say(`  ${what}`)
        holds &&= kills > 0 && differ.length === 0 && findings.length === 0
      }
      return holds
    } finally {
      await server.remove()
      rmSync(folder, { recursive: true, force: true })
      remove()
    }
  },
}

async function grown(path: string, size: number): Promise<void> {
  const ledger = await openLedger(path, { onWarning: () => {} })
  let next = 0
  const caller = async () => {
    for (let n = next++; n < size; n = next++)
      await ledger.run(
        { id: `moved ${n}`, task: `task ${n % 500}`, tool: 'tickets.open', input: { title: 'Disk full', n } },
        call => {
          call.externalId('ticket', `T-${n}`)
          if (n % LOST === 0) throw new Error('socket hang up')
          return { id: `T-${n}`, url: `https://tickets.example/T-${n}` }
        },
      )
  }
  await Promise.all(Array.from({ length: CALLERS }, caller))
  await ledger.close()
}

interface Ends {
  readonly from: string
  readonly to: string
  readonly rows: number
}

/** How many times it was killed before it came to its end. */
async function movedWithKills(program: Bundle, ends: Ends): Promise<number> {
  let kills = 0
  for (const part of KILLED_AT) {
    const child = started(program, ends)
    const ended = once(child, 'close')
    if (part === 0) await sleep(MEANWHILE_MS)
    while (child.exitCode === null && (await copied(ends.to)) < part * ends.rows) await sleep(LOOK_MS)
    child.kill('SIGKILL')
    const [, signal] = await ended
    if (signal === 'SIGKILL') kills += 1
  }
  const [code] = await once(started(program, ends), 'close')
  if (code !== 0) throw new Error(`the move ended with ${code}`)
  return kills
}

function started({ argv, env }: Bundle, { from, to }: Ends) {
  const asked = ['migrate', '--yes', '--json', '--wait', '60s', '--ledger', from, '--to', to]
  return spawn(process.execPath, [...argv, ...asked], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

const by = { program: 'the proof', partitions: null }

/** How many rows the mark of the copy names; 0: there is none yet. */
async function copied(url: string): Promise<number> {
  try {
    const engine = await (await endOf(url, 5_000, by)).open('reading')
    try {
      const [row] = await engine.read(() => query('select moved from ledger_meta where one = 1'))
      const moved: { readonly rows?: number } | null = JSON.parse(String(row?.cells[0] ?? 'null'))
      return moved?.rows ?? 0
    } finally {
      await engine.close()
    }
  } catch {
    return 0
  }
}

/** What each table holds, but for the events: the ledger's own chain says that it was moved. */
async function contents(
  url: string,
): Promise<{ readonly rows: number; readonly digests: Record<string, string> }> {
  const engine = await (await endOf(url, 60_000, by)).open('reading')
  try {
    const digests: Record<string, string> = {}
    let rows = 0
    for (const table of TABLES) {
      rows += await engine.read(() => rowCount(table))
      if (table.name !== 'ledger_event') digests[table.name] = (await contentOf(engine, table)).digest
    }
    return { rows, digests }
  } finally {
    await engine.close()
  }
}

async function findingsOf(url: string): Promise<readonly string[]> {
  const engine = await (await endOf(url, 60_000, by)).open('reading')
  try {
    const { findings } = await verify(engine)
    return findings.map(({ rule, id, message }) => `${url.replace(/:.*/, '')} ${rule} ${id}: ${message}`)
  } finally {
    await engine.close()
  }
}
