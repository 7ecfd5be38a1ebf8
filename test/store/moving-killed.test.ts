import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { query } from '../../src/store/engine.js'
import { contentOf } from '../../src/store/moving/copy.js'
import { endOf } from '../../src/store/moving/place.js'
import { TABLES } from '../../src/store/moving/tables.js'
import { openStore } from '../../src/store/open.js'
import { NOON, stampAt } from '../core/builders.js'
import { aLedger } from '../ledger/support/a-ledger.js'
import { type PostgresServer, startPostgres } from '../postgres/server.js'
import { bundled } from '../support/bundled.js'
import { CONFIRM, did, LOSE, later, PREPARE, SEND } from './support/changes.js'
import { aDirectory } from './support/places.js'

const PROGRAM = bundled(join(import.meta.dirname, '../cli/main-program.ts'))
/** With eight rows each: some twenty batches. */
const OPERATIONS = Number(process.env.AGENT_LEDGER_MOVED_OPERATIONS ?? 1_000)

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.remove())

const by = { program: 'a test', partitions: null }

async function contents(url: string): Promise<Record<string, string>> {
  const engine = await (await endOf(url, 30_000, by)).open('reading')
  try {
    const found: Record<string, string> = {}
    for (const table of TABLES)
      if (table.name !== 'ledger_event') found[table.name] = (await contentOf(engine, table)).digest
    return found
  } finally {
    await engine.close()
  }
}

/** How many rows the mark of the copy names; null: there is no copy yet, or it is whole. */
async function copied(url: string): Promise<number | null> {
  try {
    const engine = await (await endOf(url, 5_000, by)).open('reading')
    try {
      const [row] = await engine.read(() => query('select moved from ledger_meta where one = 1'))
      const moved: { rows?: number } | null = JSON.parse(String(row?.cells[0] ?? 'null'))
      return moved?.rows ?? null
    } finally {
      await engine.close()
    }
  } catch {
    return null
  }
}

/** Runs the move; kills it once so many rows were copied. */
async function move(from: string, to: string, killAt: number | null) {
  const argv = ['migrate', '--yes', '--assume-workers-stopped', '--json', '--ledger', from, '--to', to]
  const child = spawn(process.execPath, [...PROGRAM.argv, ...argv], {
    env: { ...process.env, ...PROGRAM.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let out = ''
  child.stdout.setEncoding('utf8').on('data', text => {
    out += text
  })
  const ended = once(child, 'close')
  while (killAt !== null && child.exitCode === null && ((await copied(to)) ?? 0) < killAt) await sleep(5)
  if (killAt !== null) child.kill('SIGKILL')
  const [code, signal] = await ended
  return { code, signal, out }
}

describe('a move that is killed in its middle', () => {
  it('goes on where it was, to PostgreSQL and back, with every cell as it was', async () => {
    const ledger = await aLedger()
    for (let n = 0; n < OPERATIONS; n++) {
      await did(ledger.store, `op-${n}`, [PREPARE(`op-${n}`), SEND()], later(n))
      await did(ledger.store, `op-${n}`, [n % 5 === 0 ? LOSE() : CONFIRM()], later(n))
    }
    await ledger.store.close()
    const before = await contents(ledger.path)
    const places = [ledger.path, await server.createDatabase(), join(aDirectory(), 'back.db')]
    for (const [n, to] of places.slice(1).entries()) {
      const from = places[n] ?? ''
      const killed = await move(from, to, OPERATIONS)
      expect(killed.signal).toBe('SIGKILL')
      await expect(
        openStore({ url: to, clock: () => stampAt(NOON), program: 'a test' }),
      ).rejects.toMatchObject({
        exitCode: 3,
      })
      const done = await move(from, to, null)
      expect(done).toMatchObject({ code: 0 })
      expect(JSON.parse(done.out)).toMatchObject({ outcome: 'moved' })
      expect(await contents(to)).toEqual(before)
    }
    const store = await openStore({ url: places[2] ?? '', clock: () => stampAt(NOON), program: 'a test' })
    expect((await store.verify()).findings).toEqual([])
    await store.close()
  }, 300_000)
})
