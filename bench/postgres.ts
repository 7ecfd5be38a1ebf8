import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { systemClock } from '../src/host.js'
import { type Ledger, openLedger } from '../src/index.js'
import { type OpenStore, openStore } from '../src/store/open.js'
import type { GuestClient, Store } from '../src/store/store.js'
import { startPostgres, withClient } from '../test/postgres/server.js'
import { CONFIRM, PREPARE, SEND } from '../test/store/support/changes.js'
import { type Bench, type Figure, median } from './figure.js'
import { growPostgresFrom } from './postgres-ledgers.js'

const ROUNDS = 5
const ROUND_MS = 1_000
const CONNECTIONS = [1, 8, 32]
const LEAST = 0.7

/**
 * Guarded operations of one process, on a ledger of `size` settled operations where that is given, each an intent and an outcome of its own, beside a bare loop that sends the very
 * statements of those two commits one after the other over as many connections, in turns.
 */
export const postgres: Bench = {
  name: 'postgres',
  measure: async size => {
    const server = await startPostgres({ settings: { max_connections: '100' } })
    try {
      const figures: Figure[] = []
      const url = await server.createDatabase()
      await (await openLedger(url, { onWarning: () => {} })).close()
      if (size !== undefined) await growPostgresFrom(url, size)
      const commits = await statementsOf(url)
      for (const connections of CONNECTIONS) {
        const ledger = await openLedger(`${url}&connections=${connections}`, { onWarning: () => {} })
        const bare = await bareLoop(url, connections, commits)
        let next = 0
        const guarded = () => together(connections, () => guardedOne(ledger, `op-${connections}-${next++}`))
        const rates = { guarded: [] as number[], bare: [] as number[] }
        await guarded()
        for (let round = 0; round < ROUNDS; round++) {
          rates.guarded.push(await guarded())
          rates.bare.push(await together(connections, bare.one))
        }
        await bare.close()
        await ledger.close()
        const [ours, theirs] = [median(rates.guarded), median(rates.bare)]
        figures.push(
          { what: `bare loop, ${connections} connections`, value: theirs, unit: 'op/s' },
          { what: `guarded, ${connections} callers`, value: ours, unit: 'op/s' },
          {
            what: `guarded to the bare loop, ${connections}`,
            value: ours / theirs,
            unit: '',
            bar: { is: 'at least', value: LEAST },
          },
        )
      }
      return figures
    } finally {
      await server.remove()
    }
  },
}

async function together(callers: number, one: (caller: number) => Promise<unknown>): Promise<number> {
  const until = performance.now() + ROUND_MS
  let done = 0
  const began = performance.now()
  const caller = async (n: number): Promise<void> => {
    while (performance.now() < until) {
      await one(n)
      done += 1
    }
  }
  await Promise.all(Array.from({ length: callers }, (_, n) => caller(n)))
  return (done * 1_000) / (performance.now() - began)
}

async function guardedOne(ledger: Ledger, id: string): Promise<void> {
  const { status } = await ledger.run(
    {
      id,
      task: `task-${Number(id.split('-')[2]) % 50}`,
      tool: 'tickets.create',
      input: { title: `Disk full ${id}` },
    },
    () => ({ id: `T-${id}` }),
  )
  if (status !== 'confirmed') throw new Error(`${id} is ${status}`)
}

interface Sent {
  readonly text: string
  readonly values: readonly unknown[]
}

/** The statements of one operation, as the ledger sends them, for other operations. */
async function bareLoop(url: string, connections: number, commits: readonly (readonly Sent[])[]) {
  const clients = await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new Client({ connectionString: url })
      client.on('error', () => undefined)
      await client.connect()
      return client
    }),
  )
  let next = 0
  return {
    one: async (caller: number) => {
      const id = `bare-${connections}-${next++}`
      const digest = randomBytes(32)
      for (const statements of commits) {
        const client = clients[caller]
        if (client === undefined) throw new Error('each caller has a connection')
        await client.query('begin')
        for (const [n, { text, values }] of statements.entries())
          await client.query({
            name: `${commits.indexOf(statements)}-${n}`,
            text,
            values: own(values, id, digest),
          })
        await client.query('commit')
      }
    },
    close: () => Promise.all(clients.map(client => client.end())),
  }
}

/** What differs from one operation to the next; the key of a lock is a number as long as any other. */
function own(values: readonly unknown[], id: string, digest: Buffer): unknown[] {
  return values.map(value => {
    if (value instanceof Buffer) return digest
    if (typeof value !== 'string') return value
    if (/^-?\d{15,}$/.test(value)) return String(digest.readBigInt64BE(0))
    if (/^al-\w{20,}$/.test(value)) return `al-${id}`
    return value.replaceAll('the-one', id)
  })
}

async function statementsOf(url: string): Promise<readonly (readonly Sent[])[]> {
  const asked: OpenStore = { url, clock: systemClock(), program: 'a bench', isMachineClock: true }
  const store = await openStore(asked)
  const commits: Sent[][] = []
  const by = { actor: 'agent', clock: systemClock() }
  const change = (plan: Parameters<Store['change']>[0]['plan']) => ({
    operation_id: 'the-one',
    task_id: 'bare',
    by,
    isOwnerGone: () => false,
    onRefusal: 'undo' as const,
    plan,
  })
  await store.change({
    ...change(() => [PREPARE('opens-the-task', { task_id: 'bare' })]),
    operation_id: 'opens-the-task',
  })
  await withClient(url, async client => {
    for (const steps of [[PREPARE('the-one', { task_id: 'bare' }), SEND()], [CONFIRM()]]) {
      const sent: Sent[] = []
      await client.query('begin')
      await store.changeInside(
        noting(client, sent),
        change(() => steps),
      )
      await client.query('commit')
      commits.push(sent)
    }
  })
  await store.close()
  return commits
}

function noting(client: Client, sent: Sent[]): GuestClient {
  return {
    query: config => {
      const isOurs = !/savepoint|current_setting|from "agent_ledger"\.ledger_meta/.test(config.text)
      if (isOurs) sent.push({ text: config.text, values: config.values })
      return client.query(config)
    },
  }
}
