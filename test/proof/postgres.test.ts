import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PostgresServer, startPostgres } from '../postgres/server.js'
import { bundled } from '../support/bundled.js'
import {
  DECIDING_POSTGRES,
  MAKING_POSTGRES,
  POSTGRES_SEEDS_OF_A_ROUND,
  postgresCaseOf,
  WRITING_POSTGRES,
} from './kills/postgres-case.js'
import { sharedRun } from './kills/shared-run.js'
import { type Done, findsOf, runCases, totals } from './kills/tally.js'

const PROGRAM = bundled(join(import.meta.dirname, 'kills/agent-program.ts'))
const home = mkdtempSync(join(tmpdir(), 'agent-ledger-home-'))

let server: PostgresServer
beforeAll(async () => {
  process.env.XDG_STATE_HOME = home
  server = await startPostgres({ settings: { max_connections: '60' } })
})
afterAll(async () => {
  delete process.env.XDG_STATE_HOME
  rmSync(home, { recursive: true, force: true })
  await server.remove()
})

// Here every place once, with one kind of service each. All of them, and rounds of them, are run by
// `npm run proof -- postgres-kills`.
describe('processes killed at every place, with the ledger in PostgreSQL', () => {
  const all: Done[] = []
  const places = [...WRITING_POSTGRES, ...DECIDING_POSTGRES, ...MAKING_POSTGRES]
  const drawn = Array.from({ length: 4 * POSTGRES_SEEDS_OF_A_ROUND }, (_, n) => postgresCaseOf(n + 1))
  const cases = places.flatMap((place, n) => {
    const ofPlace = drawn.filter(
      one => one.place === place && (place.afterAnswer !== true || one.trouble.name === 'nothing'),
    )
    return ofPlace.slice(n % ofPlace.length).slice(0, 1)
  })

  it('leave nothing done twice, nothing lost, nothing said that is not so, and no doubt that cannot be settled', async () => {
    await runCases(
      PROGRAM,
      cases,
      done => all.push(done),
      () => server.createDatabase(),
    )
    expect(findsOf(all)).toEqual([])
  }, 600_000)

  it('were killed where it was meant', () => {
    const hit = new Set(all.filter(({ found }) => found.wasHit).map(({ one }) => one.place.name))
    expect(places.map(({ name }) => name).filter(name => !hit.has(name))).toEqual([])
  })

  afterAll(() => console.info(`\non PostgreSQL: ${totals(all)}`))
})

// Hundreds of seeds are run by `npm run proof -- postgres-shared`.
describe.each([1, 2, 3])(
  'processes of machines whose clocks are minutes apart, that want the same operations (seed %i),',
  seed => {
    it('do nothing twice and lose nothing while the server is killed and connections are cut', async () => {
      const found = await sharedRun(PROGRAM, server, seed)
      expect(found.finds).toEqual([])
      expect(found.effects).toBeGreaterThan(0)
    }, 300_000)
  },
)
