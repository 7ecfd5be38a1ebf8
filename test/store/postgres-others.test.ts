import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { NOON } from '../core/builders.js'
import { type PostgresServer, startPostgres, withClient } from '../postgres/server.js'
import { somebodyWaits } from '../postgres/waiting.js'
import { did, LOSE, later, PREPARE, SEND, tried } from './support/changes.js'
import { aLedgerAt, opened, refusalOf } from './support/ledger-on-server.js'

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.remove())

const aLedger = async () => aLedgerAt(await server.createDatabase())

describe('what others do at the same time', () => {
  it('is waited for, and after --wait nothing was written', async () => {
    const { url } = await aLedger()
    const store = await opened(url, 300)
    await did(store, 'op', [PREPARE('op')])
    await withClient(url, async client => {
      await client.query('begin; select 1 from agent_ledger.ledger_task for update')
      expect(await refusalOf(tried(store, 'op', [SEND()]))).toMatchObject({
        code: 'busy',
        facts: { commit: 'none' },
      })
    })
    expect((await store.operation('op'))?.operation.status).toBe('prepared')
  })

  it('of a pool that is used up is waited for too', async () => {
    const { url } = await aLedger()
    const store = await opened(`${url}&connections=1`, 300)
    await did(store, 'op', [PREPARE('op')])
    await withClient(url, async client => {
      await client.query('begin; select 1 from agent_ledger.ledger_task for update')
      const both = [tried(store, 'op', [SEND()]), tried(store, 'op', [LOSE()])].map(refusalOf)
      for (const one of await Promise.all(both)) expect(one).toMatchObject({ code: 'busy' })
    })
  })

  it('that added the row meanwhile is met once more, also where all patience went by', async () => {
    const { url } = await aLedger()
    const [first, second] = [await opened(url), await opened(url)]
    const patience = new AbortController()
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(patience.signal)
    onTestFinished(() => timeout.mockRestore())
    const opening = (id: string) => [PREPARE(id, { task_id: 'new' })]
    const changed = await withClient(url, async client => {
      await client.query('begin')
      await first.changeInside(client, {
        operation_id: 'op-1',
        task_id: 'new',
        by: later(0),
        isOwnerGone: () => false,
        onRefusal: 'undo',
        plan: () => opening('op-1'),
      })
      const waiting = tried(second, 'op-2', opening('op-2'))
      await somebodyWaits(client)
      patience.abort()
      await client.query('commit')
      return waiting
    })
    expect(changed.refusal).toBeNull()
    expect((await first.verify()).findings).toEqual([])
  })

  it('that collides is done again, each once', async () => {
    const { url } = await aLedger()
    const first = await opened(url)
    const stores = [first, await opened(url), await opened(url)]
    const quota = { contract: { retry: { quota: { retries: 60, per_ms: 60_000 } } } }
    await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        did(
          stores[n % 3] ?? first,
          `op-${n}`,
          [PREPARE(`op-${n}`, { task_id: `new-${n % 5}`, ...quota }), SEND()],
          later(n),
        ),
      ),
    )
    expect((await first.verify()).findings).toEqual([])
    expect(await first.counts(NOON)).toMatchObject({ in_flight: 30, tasks_open: 5 })
  })

  it('lets a takeover fence off what is prepared while it waits', async () => {
    const { url } = await aLedger()
    const [agent, person] = [await opened(url), await opened(url)]
    await did(agent, 'op-0', [PREPARE('op-0')])
    const request = { type: 'takeover', reason: 'mine' } as const
    const sends = Array.from({ length: 12 }, (_, n) =>
      tried(agent, `op-${n}`, [...(n === 0 ? [] : [PREPARE(`op-${n}`)]), SEND()], later(n)),
    )
    const taken = await person.changeTask({
      task_id: 'task-1',
      request,
      by: later(5),
      isOwnerGone: () => false,
    })
    expect(taken.refusal).toBeNull()
    await Promise.all(sends)
    const after = await tried(agent, 'late', [PREPARE('late'), SEND()], later(99))
    expect(after.refusal).not.toBeNull()
    expect((await person.counts(NOON)).in_flight).toBe(0)
    expect((await person.verify()).findings).toEqual([])
  })
})
