import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { NO_CONFIG } from '../../src/config/config.js'
import { type Ledger, openLedger, type Watched } from '../../src/index.js'
import { held } from '../execute/support/ledgers.js'
import { type PostgresServer, startPostgres } from '../postgres/server.js'

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.remove())

const LEASE_MS = 2_000

async function opened(url: string): Promise<Ledger> {
  const config = { ...NO_CONFIG, lease_ms: LEASE_MS }
  const ledger = await openLedger(url, { config, waitMs: 1_000, telemetry: false, onWarning: () => {} })
  onTestFinished(() => ledger.close().catch(() => undefined))
  return ledger
}

/** A supervisor in this process; `heard` comes back once it said this. */
function watching(ledger: Ledger) {
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const told: Watched[] = []
  let tell = () => {}
  const heard = async (event: Watched['event'], times = 1) => {
    while (told.filter(one => one.event === event).length < times)
      await new Promise<void>(resolve => {
        tell = resolve
      })
  }
  const run = async () => {
    for await (const one of ledger.watch({ everyMs: 200, signal: stop.signal })) {
      told.push(one)
      tell()
    }
  }
  return { told, heard, stop, running: run() }
}

describe('a supervisor on PostgreSQL', () => {
  it('calls nobody dead for the time in which the server was down, and a late outcome counts', async () => {
    const url = await server.createDatabase()
    const agent = await opened(url)
    const { told, heard, stop, running } = watching(await opened(url))
    await heard('leading')
    const end = held<string>()
    const entered = held<void>()
    const call = { id: 'pay-1', task: 'run-1', tool: 'payments.charge', input: { order: 9 } }
    const outcome = agent.run(call, () => {
      entered.resolve()
      return end.promise
    })
    await entered.promise
    await server.kill()
    await heard('unreachable')
    await new Promise(resolve => setTimeout(resolve, 2 * LEASE_MS))
    await server.start()
    await heard('leading', 2)
    end.resolve('charged')
    expect(await outcome).toMatchObject({ result: 'charged' })
    stop.abort()
    await running
    expect(told.map(({ event }) => event)).toEqual(['leading', 'unreachable', 'leading'])
    expect((await agent.show('pay-1')).document.status).toBe('confirmed')
  })
})
