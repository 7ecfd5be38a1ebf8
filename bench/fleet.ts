import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { systemClock } from '../src/host.js'
import { openLedgerForReading } from '../src/ledger/open-for-reading.js'
import { createStore } from '../src/store/open.js'
import { startService } from '../src/testing/index.js'
import { startPostgres, withClient } from '../test/postgres/server.js'
import type { Bench, Figure } from './figure.js'

const MACHINES = 50
const PROCESSES = 5
const AGENTS = 1_000
/** Of one machine: 50 of them take the hundred that a server lets in. */
const CONNECTIONS = 2
const RUNS_MS = 40_000
const CALL_MS = 2_000
const TO_START_MS = 120_000

/** What one process of the simulation is told. */
export interface FleetPart {
  readonly url: string
  readonly service: string
  readonly machines: readonly number[]
  /** of each machine */
  readonly agents: number
  /** wall time, milliseconds since 1970 */
  readonly from: number
  readonly until: number
  /** what an outside call takes in the mean */
  readonly callMs: number
}

/** What it answers. */
export interface PartDone {
  /** confirmed operations of each agent */
  readonly machines: { readonly name: number; readonly agents: readonly number[] }[]
  /** of each operation: what it took beside its outside call, milliseconds */
  readonly waits: number[]
  /** operations that did not end confirmed, by status */
  readonly other: Record<string, number>
}

/**
 * A thousand agents on fifty machines that share one ledger in PostgreSQL: fifty pools in five processes, each agent in a
 * loop of guarded operations against a service that alone knows what was done. `size`: how many agents.
 */
export const fleet: Bench = {
  name: 'fleet',
  measure: async (agents = AGENTS) => {
    const server = await startPostgres({ settings: { max_connections: '140', shared_buffers: '256MB' } })
    const service = await startService({ mode: { kind: 'plain' } })
    try {
      const figures: Figure[] = []
      for (const partitions of [null, 16]) {
        const url = `${await server.createDatabase()}&connections=${CONNECTIONS}`
        const asked = { url, clock: systemClock(), program: 'a bench', isMachineClock: true }
        await createStore({ ...asked, ...(partitions === null ? {} : { partitions }) })
        const before = service.effects().length
        const parts = await simulated(url, service.url, agents)
        const effects = service.effects().slice(before)
        const layout = partitions === null ? 'one table each' : `${partitions} partitions`
        figures.push(
          ...(await figuresOf(parts, { url, effects: effects.map(({ body }) => body), layout, agents })),
        )
      }
      return figures
    } finally {
      await service.close()
      await server.remove()
    }
  },
}

async function simulated(url: string, service: string, agents: number): Promise<PartDone[]> {
  const from = Date.now() + TO_START_MS
  const program = join(import.meta.dirname, 'fleet-machine.ts')
  const perProcess = MACHINES / PROCESSES
  return Promise.all(
    Array.from({ length: PROCESSES }, async (_, n): Promise<PartDone> => {
      const part: FleetPart = {
        url,
        service,
        machines: Array.from({ length: perProcess }, (_, machine) => n * perProcess + machine),
        agents: Math.ceil(agents / MACHINES),
        from,
        until: from + RUNS_MS,
        callMs: CALL_MS,
      }
      const argv = ['--import', 'tsx', program, JSON.stringify(part)]
      const { stdout } = await promisify(execFile)(process.execPath, argv, { maxBuffer: 1e9 })
      return JSON.parse(stdout)
    }),
  )
}

interface Ran {
  readonly url: string
  readonly effects: readonly unknown[]
  readonly layout: string
  readonly agents: number
}

async function figuresOf(
  parts: readonly PartDone[],
  { url, effects, layout, agents }: Ran,
): Promise<Figure[]> {
  const machines = parts.flatMap(part => part.machines)
  const counts = machines.flatMap(machine => machine.agents)
  const waits = parts.flatMap(part => part.waits).toSorted((a, b) => a - b)
  const quantile = (q: number) =>
    waits[Math.min(waits.length - 1, Math.floor(q * waits.length))] ?? Number.NaN
  const confirmed = counts.reduce((sum, count) => sum + count, 0)
  const others = parts.reduce((sum, { other }) => sum + Object.values(other).reduce((a, b) => a + b, 0), 0)
  if (confirmed === 0) throw new Error('no agent began before the time was over: nothing was simulated')
  const distinct = new Set(effects.map(body => JSON.stringify(body))).size
  const mean = confirmed / machines.length
  const least = Math.min(...machines.map(({ agents }) => agents.reduce((sum, count) => sum + count, 0)))
  const ledger = await openLedgerForReading(url, { waitMs: 60_000 })
  const { findings } = await ledger.verify()
  // Which they are is what is asked first, and the server is gone by then.
  for (const { rule, id, message } of findings.slice(0, 10)) console.error(`${rule} ${id}: ${message}`)
  await ledger.close()
  const bytes = await withClient(url.replace(/&connections=.*/, ''), async client => {
    const { rows } = await client.query('select pg_database_size(current_database()) as bytes')
    return Number(rows[0]?.bytes)
  })
  const of = (what: string) => `${agents} agents, ${layout}: ${what}`
  const none = { is: 'at most', value: 0 } as const
  return [
    { what: of('operations'), value: confirmed, unit: '' },
    { what: of('operations a second'), value: (confirmed * 1_000) / RUNS_MS, unit: 'op/s' },
    { what: of('beside the call, median'), value: quantile(0.5), unit: 'ms' },
    { what: of('beside the call, 99 of 100'), value: quantile(0.99), unit: 'ms' },
    { what: of('beside the call, longest'), value: quantile(1), unit: 'ms' },
    {
      what: of('slowest machine to the mean'),
      value: least / mean,
      unit: 'x',
      bar: { is: 'at least', value: 0.25 },
    },
    { what: of('not confirmed'), value: others, unit: '' },
    { what: of('done twice'), value: effects.length - distinct, unit: '', bar: none },
    { what: of('confirmed and not done'), value: Math.max(0, confirmed - distinct), unit: '', bar: none },
    { what: of('findings of verify'), value: findings.length, unit: '', bar: none },
    { what: of('megabytes of the database'), value: bytes / 1e6, unit: 'MB' },
  ]
}
