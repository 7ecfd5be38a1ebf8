import { setTimeout as sleep } from 'node:timers/promises'
import { type LedgerForReading, openLedger, openLedgerForReading } from '../../../src/ledger.js'
import { type FakeService, startService } from '../../../src/testing/index.js'
import { startProxy } from '../../postgres/proxy.js'
import type { PostgresServer } from '../../postgres/server.js'
import type { Bundle } from '../../support/bundle.js'
import { at, type Seeded, seeded } from '../seeded.js'
import { idOf, type Job } from './job.js'
import { recovered } from './person.js'
import { type Death, type Ended, ran } from './process.js'
import { SERVICES } from './services.js'
import { type Find, settledRightly, stillThere } from './truth.js'

/** What came of processes that wanted the same operations while their server was killed. */
export interface Shared {
  readonly operations: number
  readonly processesKilled: number
  readonly serverKills: number
  readonly cuts: number
  readonly effects: number
  readonly inDoubt: number
  readonly finds: readonly Find[]
}

const OPERATIONS = 10
/** by process: machines whose clocks are up to ten minutes apart, one of them right */
const CLOCKS_AHEAD_MS = [-300_000, 0, 300_000]
const MOST_SERVER_KILLS = 3

/**
 * Three processes, as of machines whose clocks differ by five minutes, go through the same operations in orders of their
 * own. Meanwhile the server is killed and started again, connections are cut at COMMIT, and one process may be killed.
 * Then a person settles what is in doubt, and everything is compared with what the service did.
 */
export async function sharedRun(program: Bundle, server: PostgresServer, seed: number): Promise<Shared> {
  const random = seeded(seed)
  const url = await server.createDatabase()
  const proxy = await startProxy(
    { socketFolder: server.socketFolder, url },
    { cut: () => (random.chance(0.1) ? random.pick(['before', 'after'] as const) : null) },
  )
  const kind = at(SERVICES, seed)
  const service = await startService({ mode: kind.mode })
  const ids = Array.from({ length: OPERATIONS }, (_, n) => idOf(n + 1))
  try {
    await (await openLedger(url)).close()
    const job: Job = {
      does: 'share',
      path: proxy.url,
      url: service.url,
      service: seed % SERVICES.length,
      ids,
      inSteps: false,
    }
    const dying = random.chance(0.5) ? random.below(CLOCKS_AHEAD_MS.length) : null
    const afterMs = random.below(600)
    const working = Promise.all(
      CLOCKS_AHEAD_MS.map((aheadMs, n) =>
        ran(
          program,
          { ...job, aheadMs, ids: rotated(ids, random.below(OPERATIONS)) },
          deathOf(n === dying ? afterMs : null),
        ),
      ),
    )
    const serverKills = await killedMeanwhile(server, random, working)
    const ends = await working
    const finds = await looked({ url, service, ids, ends })
    const { inDoubt, allowed } = await recovered(
      { path: url, service, kind, ids, isGambler: false },
      async () => service.release(),
    )
    finds.push(...(await settledRightly({ path: url, service, ids, allowed, cancelled: null })))
    return {
      operations: OPERATIONS,
      processesKilled: ends.filter(({ wasKilled }) => wasKilled).length,
      serverKills,
      cuts: proxy.cuts(),
      effects: service.effects().length,
      inDoubt,
      finds,
    }
  } finally {
    await proxy.close()
    await service.close()
  }
}

function rotated<T>(list: readonly T[], by: number): T[] {
  return [...list.slice(by), ...list.slice(0, by)]
}

function deathOf(afterMs: number | null): Death {
  if (afterMs === null) return { dyingAt: null }
  return { dyingAt: null, meanwhile: kill => void sleep(afterMs).then(kill) }
}

/** Kills the server a few times while they work, and starts it again on the same files, as a failover that loses nothing. */
async function killedMeanwhile(server: PostgresServer, random: Seeded, working: Promise<unknown>) {
  const isOver = working.then(
    () => true,
    () => true,
  )
  const most = random.below(MOST_SERVER_KILLS + 1)
  let kills = 0
  for (; kills < most; kills++) {
    if (await Promise.race([isOver, sleep(300 + random.below(600), false)])) break
    await server.kill()
    await server.start()
  }
  return kills
}

interface Looked {
  readonly url: string
  readonly service: FakeService
  readonly ids: readonly string[]
  readonly ends: readonly Ended[]
}

/** What lies there before anybody settled anything. */
async function looked({ url, service, ids, ends }: Looked): Promise<Find[]> {
  const reading = await openLedgerForReading(url)
  try {
    // what one process saw not executed, another may have done since
    const said = ends.flatMap(end => end.said).filter(line => !line.endsWith(' not_executed'))
    const finds = await stillThere({ reading, service, ids, said })
    finds.push(...(await calledDead(reading)))
    return finds
  } finally {
    await reading.close()
  }
}

/** A lease lasts longer than all of this, whatever the clocks of the others say: only processes that are gone lose theirs. */
async function calledDead(reading: LedgerForReading): Promise<Find[]> {
  const finds: Find[] = []
  for await (const { subject_id, body } of reading.log({ type: 'orphan' }))
    if (Reflect.get(Object(Reflect.get(Object(body), 'facts')), 'why') === 'lease_lapsed')
      finds.push({ law: 'nobody alive is called dead', detail: `the lease of ${subject_id} was taken` })
  return finds
}
