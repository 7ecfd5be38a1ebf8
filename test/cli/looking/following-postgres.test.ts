import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openLedger } from '../../../src/index.js'
import { newsOf } from '../../../src/store/news.js'
import { startProxy } from '../../postgres/proxy.js'
import { type PostgresServer, startPostgres } from '../../postgres/server.js'
import { bundled } from '../../support/bundled.js'

const PROGRAM = bundled(join(import.meta.dirname, '..', 'main-program.ts'))

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.remove())

async function aLedger(url?: string) {
  const place = url ?? (await server.createDatabase())
  const ledger = await openLedger(place)
  onTestFinished(() => ledger.close())
  const run = (id: string) => ledger.run({ id, task: 't', tool: 'x', input: { id } }, () => ({ id }))
  return { url: place, ledger, run }
}

/** `log --follow` as a process, and the next of its events that is of this operation. */
function following(url: string) {
  const child = spawn(process.execPath, [...PROGRAM.argv, 'log', '--follow', '--jsonl', '--ledger', url], {
    env: { ...process.env, ...PROGRAM.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const said: string[] = []
  return {
    said,
    until: async (subject: string, type: string) => {
      for (;;) {
        const { value, done } = await lines.next()
        if (done === true) throw new Error('log --follow ended')
        const event = JSON.parse(value)
        said.push(`${event.subject_id} ${event.type}`)
        if (event.subject_id === subject && event.type === type) return
      }
    },
  }
}

describe('log --follow of a ledger in PostgreSQL', () => {
  it('prints an event that others overtook when they committed, and each once', async () => {
    const { url, ledger, run } = await aLedger()
    await run('first')
    const log = following(url)
    await log.until('first', 'confirm')
    const client = new Client({ connectionString: url })
    onTestFinished(() => client.end())
    await client.connect()
    await client.query('begin')
    await ledger.prepareIn(client, { id: 'slow', task: 'of another', tool: 'x', input: { slow: true } })
    await run('fast')
    await log.until('fast', 'confirm')
    await run('faster')
    await log.until('faster', 'confirm')
    expect(log.said.filter(line => line.startsWith('slow'))).toEqual([])
    await client.query('commit')
    await log.until('slow', 'prepare')
    await run('last')
    await log.until('last', 'confirm')
    expect(log.said.length).toBe(new Set(log.said).size)
  })

  it('goes on behind a pooler that hands no notifications on', async () => {
    const proxy = await startProxy(
      { socketFolder: server.socketFolder, url: await server.createDatabase() },
      { isPooler: true },
    )
    onTestFinished(() => proxy.close())
    const { url, run } = await aLedger(proxy.url)
    const log = following(url)
    await run('one')
    await log.until('one', 'confirm')
    await run('two')
    await log.until('two', 'confirm')
  })
})

describe('what waits for news of a ledger in PostgreSQL', () => {
  const HOUR = 3_600_000

  it('wakes when another program wrote, and not before', async () => {
    const { url, run } = await aLedger()
    const news = await newsOf(url)
    onTestFinished(() => news.close())
    await news.wait(HOUR) // it listens from now on, and what came before was not told
    let isAwake = false
    const woken = news.wait(HOUR).then(() => {
      isAwake = true
    })
    await sleep(300)
    expect(isAwake).toBe(false)
    await run('one')
    await woken
  })

  it('waits its time where nobody may listen, and ends when it is told to', async () => {
    const news = await newsOf('postgresql://ana@127.0.0.1:1/x')
    await news.wait(5)
    await news.wait(HOUR, AbortSignal.timeout(20))
    await news.close()
  })
})
