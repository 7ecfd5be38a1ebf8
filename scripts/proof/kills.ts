import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type PostgresServer, startPostgres } from '../../test/postgres/server.js'
import type { LedgerPlace } from '../../test/proof/kills/one-run.js'
import { postgresCaseOf } from '../../test/proof/kills/postgres-case.js'
import { caseOf, type RunCase } from '../../test/proof/kills/run-case.js'
import { sharedRun } from '../../test/proof/kills/shared-run.js'
import { type Done, findsOf, runCases, tally, totals } from '../../test/proof/kills/tally.js'
import { type Bundle, bundleOf } from '../../test/support/bundle.js'
import type { Part, SeedRange } from './part.js'

const PROGRAM = fileURLToPath(new URL('../../test/proof/kills/agent-program.ts', import.meta.url))
const RUNS = 5_000
const SHARED_RUNS = 500
/** after so many it says what they came to: a run of hours that is ended is not lost */
const SAID_EVERY = 250
const SHARED_SAID_EVERY = 25

export const kills: Part = {
  name: 'kills',
  title: 'processes ended by SIGKILL at every named place, and what is left of their work',
  run: (say, range) => withProgram(program => killed(program, range, { say, caseOf })),
}

export const postgresKills: Part = {
  name: 'postgres-kills',
  title: 'the same with the ledger in PostgreSQL, on clocks that are five minutes apart',
  run: (say, range) =>
    withServer((program, server) =>
      killed(program, range, { say, caseOf: postgresCaseOf, place: () => server.createDatabase() }),
    ),
}

export const postgresShared: Part = {
  name: 'postgres-shared',
  title:
    'processes that want the same operations while their server is killed and connections are cut at COMMIT',
  run: (say, { from, runs }) =>
    withServer(async (program, server) => {
      const sums = {
        runs: 0,
        processesKilled: 0,
        serverKills: 0,
        cuts: 0,
        operations: 0,
        effects: 0,
        inDoubt: 0,
      }
      let broken = 0
      const total = () =>
        say(`seeds ${from} to ${from + sums.runs - 1}: ${shown({ ...sums, 'laws broken': broken })}`)
      for (let seed = from; seed < from + (runs ?? SHARED_RUNS); seed++) {
        const { finds, ...counts } = await sharedRun(program, server, seed)
        for (const { law, detail } of finds) say(`seed ${seed}: ${law}: ${detail}`)
        broken += finds.length
        sums.runs += 1
        for (const name of COUNTED) sums[name] += counts[name]
        if (sums.runs % SHARED_SAID_EVERY === 0) total()
      }
      total()
      return broken === 0
    }),
}

const COUNTED = ['processesKilled', 'serverKills', 'cuts', 'operations', 'effects', 'inDoubt'] as const

function shown(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([what, count]) => `${what} ${count}`)
    .join(', ')
}

interface Killing {
  readonly say: (line: string) => void
  readonly caseOf: (seed: number) => RunCase
  /** left out: a file for each run */
  readonly place?: LedgerPlace
}

async function killed(
  program: Bundle,
  { from, runs }: SeedRange,
  { say, caseOf: ofSeed, place }: Killing,
): Promise<boolean> {
  const cases = Array.from({ length: runs ?? RUNS }, (_, n) => ofSeed(from + n))
  const done: Done[] = []
  const each = (one: Done) => {
    for (const find of findsOf([one])) say(find)
    done.push(one)
    if (done.length % SAID_EVERY === 0) say(totals(done))
  }
  const all = await runCases(program, cases, each, place)
  say(tally(all))
  return findsOf(all).length === 0
}

async function withProgram(work: (program: Bundle) => Promise<boolean>): Promise<boolean> {
  const { bundle, make, remove } = bundleOf(PROGRAM)
  await make()
  try {
    return await work(bundle)
  } finally {
    remove()
  }
}

/** A server of its own, and a folder of its own for the receipts that it could not take. */
function withServer(work: (program: Bundle, server: PostgresServer) => Promise<boolean>): Promise<boolean> {
  return withProgram(async program => {
    const home = mkdtempSync(join(tmpdir(), 'agent-ledger-home-'))
    process.env.XDG_STATE_HOME = home
    const server = await startPostgres({ settings: { max_connections: '60' } })
    try {
      return await work(program, server)
    } finally {
      await server.remove()
      delete process.env.XDG_STATE_HOME
      rmSync(home, { recursive: true, force: true })
    }
  })
}
