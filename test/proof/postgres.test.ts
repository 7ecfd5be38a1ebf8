import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Ledger, openLedger } from '../../src/index.js'
import { startService } from '../../src/testing/index.js'
import { startProxy } from '../postgres/proxy.js'
import { type PostgresServer, startPostgres } from '../postgres/server.js'
import { bundled } from '../support/bundled.js'
import { callOf, idOf } from './kills/job.js'
import { writeOutside } from './kills/outside.js'
import { recovered } from './kills/person.js'
import { type Place, WRITING } from './kills/places.js'
import { caseOf, type RunCase } from './kills/run-case.js'
import { SERVICES } from './kills/services.js'
import { type Done, findsOf, runCases, totals } from './kills/tally.js'
import { settledRightly } from './kills/truth.js'
import { at, seeded } from './seeded.js'

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

/** Between a COMMIT that left and its answer lies a network. */
const SENT: readonly Place[] = [
  { name: 'the COMMIT of the intent sent, no answer yet', point: 'intent_commit_sent' },
  { name: 'the COMMIT of the outcome sent, no answer yet', point: 'outcome_commit_sent' },
]

describe('executors killed at every place, with the ledger in PostgreSQL', () => {
  const all: Done[] = []
  const writing = [...WRITING, ...SENT]
  const cases = writing.flatMap((place, n): RunCase[] =>
    [n + 1].map(seed => ({
      ...caseOf(seed),
      place,
      service: seed % SERVICES.length,
      inSteps: place.inSteps ?? false,
      decision: null,
      isMaking: false,
      trouble: caseOf(n < WRITING.length ? seed : 1).trouble,
    })),
  )

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
    expect(writing.map(({ name }) => name).filter(name => !hit.has(name))).toEqual([])
  })

  afterAll(() => console.info(`\non PostgreSQL: ${totals(all)}`))
})

describe.each([1, 2, 3])('a server that is killed and connections that are cut at COMMIT (seed %i)', seed => {
  it('lose nothing and do nothing twice', async () => {
    const random = seeded(seed)
    const kind = at(SERVICES, seed)
    const url = await server.createDatabase()
    const proxy = await startProxy(
      { socketFolder: server.socketFolder, url },
      { cut: () => (random.chance(0.15) ? random.pick(['before', 'after'] as const) : null) },
    )
    const service = await startService({ mode: kind.mode })
    const ids = Array.from({ length: 24 }, (_, n) => idOf(n + 1))
    try {
      await (await openLedger(url)).close()
      const waiting = [...ids]
      // A server that recovers on a busy machine may take long.
      const open = () => openLedger(proxy.url, { waitMs: 60_000 })
      const ledgers = [await open(), await open(), await open()]
      const agent = async (ledger: Ledger) => {
        for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
          const outside = { url: service.url, mode: kind.mode.kind, id, pass: () => {} }
          // What was not known to be written was not sent: another run, or a person, goes on with it.
          await ledger.run(callOf(kind, id), context => writeOutside(outside, context)).catch(() => undefined)
        }
        await ledger.close()
      }
      const working = Promise.all(ledgers.map(agent))
      for (let kill = 0; kill < 3; kill++) {
        await sleep(100 + random.below(200))
        await server.kill()
        await server.start()
      }
      await working
      const { allowed } = await recovered({ path: url, service, kind, ids, isGambler: false }, async () => {
        service.release()
      })
      const finds = await settledRightly({ path: url, service, ids, allowed, cancelled: null })
      expect(finds).toEqual([])
      console.info(
        `seed ${seed}: 3 kills of the server, ${proxy.cuts()} COMMITs cut, 24 operations, 0 laws broken`,
      )
    } finally {
      await proxy.close()
      await service.close()
    }
  }, 300_000)
})
