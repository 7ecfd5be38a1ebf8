import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { newAction } from '../../src/core/action.js'
import { createTrust } from '../../src/supervise/trust.js'
import { NOON, stampAt } from '../core/builders.js'
import { HOUR, MINUTE, SECOND } from '../core/stall/subjects.js'
import { aLedger, OWNER } from '../ledger/support/a-ledger.js'
import { aDirectory } from '../store/support/places.js'
import { aLoop, eventsOf, looked, poll } from './support/watching.js'

interface Received {
  readonly key: string | undefined
  readonly rule: string
}

async function aReceiver() {
  const got: Received[] = []
  let status = 200
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', part => {
      text += part
    })
    request.on('end', () => {
      got.push({ key: request.headers['idempotency-key']?.toString(), rule: JSON.parse(text).rule })
      response.writeHead(status).end('{}')
    })
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', () => done()))
  onTestFinished(() => {
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const answers = (code: number) => {
    status = code
  }
  return { url: `http://127.0.0.1:${port}/`, got, answers }
}

describe('an operation that lost its executor', () => {
  it('is marked at once where its process is gone', async () => {
    const ledger = await aLedger()
    await ledger.inFlight({ operation_id: 'op' })
    ledger.gone.add(OWNER)
    expect(await looked(ledger, {}, 'host/boot/9/ns/1/w')).toMatchObject([
      { event: 'orphaned', subject_id: 'op', reason: 'its process is gone' },
    ])
    expect((await ledger.store.operation('op'))?.operation.status).toBe('unknown')
  })

  it('is not called dead after an hour in which nobody could write, until a lease after the first that did', async () => {
    const ledger = await aLedger()
    await ledger.inFlight({ operation_id: 'op' })
    ledger.clock.advance(HOUR)
    expect(await looked(ledger, {}, 'w')).toEqual([])
    await ledger.prepared({ operation_id: 'news' })
    expect(await looked(ledger, {}, 'w')).toEqual([])
    ledger.clock.advance(59 * SECOND)
    expect(eventsOf(await looked(ledger, {}, 'w'))).not.toContain('orphaned')
    ledger.clock.advance(SECOND)
    expect(eventsOf(await looked(ledger, {}, 'w'))).toContain('orphaned')
  })

  it.each([
    ['twenty seconds on', 20 * SECOND],
    ['an hour on', HOUR],
    ['an hour back', -HOUR],
  ])('is called dead by no clock that was set: %s', async (_, byMs) => {
    const ledger = await aLedger()
    await ledger.inFlight({ operation_id: 'op' })
    const trust = createTrust({ everyMs: 10_000 })
    for (let i = 0; i < 4; i++) {
      trust.looked(ledger.clock())
      ledger.clock.advance(10 * SECOND)
    }
    ledger.clock.setWall(ledger.clock().at + byMs)
    trust.looked(ledger.clock())
    expect(trust.since()).toBe(ledger.clock().at)
    await ledger.prepared({ operation_id: 'news' })
    expect(eventsOf(await looked(ledger, {}, 'w'))).not.toContain('orphaned')
  })

  it('is not while its executor still gives signs, though its lease ran out', async () => {
    const ledger = await aLedger()
    await ledger.inFlight({ operation_id: 'op' })
    ledger.clock.advance(HOUR)
    await ledger.prepared({ operation_id: 'news' })
    ledger.clock.advance(2 * MINUTE)
    const subject = { operation_id: 'op', attempt: 1, fence: 2 }
    await ledger.store.signal({ kind: 'heartbeat', subject, clock: ledger.clock })
    expect(eventsOf(await looked(ledger, {}, 'w'))).not.toContain('orphaned')
    ledger.clock.advance(2 * MINUTE)
    expect(eventsOf(await looked(ledger, {}, 'w'))).toContain('orphaned')
  })

  it('changes nothing by a heartbeat that comes after it was settled', async () => {
    const ledger = await aLedger()
    await ledger.confirmed({ operation_id: 'op-12' })
    ledger.clock.advance(5 * SECOND)
    const subject = { operation_id: 'op-12', attempt: 1, fence: 2 }
    await ledger.store.signal({ kind: 'heartbeat', subject, clock: ledger.clock })
    ledger.clock.advance(HOUR)
    expect(await looked(ledger)).toEqual([])
    expect((await ledger.store.operation('op-12'))?.operation.status).toBe('confirmed')
  })
})

describe('trust in silence', () => {
  it('begins anew after a pause, a jump of the wall clock, a failure', () => {
    const trust = createTrust({ everyMs: 10_000 })
    const at = (ms: number, boot = ms) => ({ ...stampAt(NOON + ms), boot_id: 'b', boot_ms: boot })
    for (const ms of [0, 10_000, 20_000]) trust.looked(at(ms))
    expect(trust.since()).toBe(NOON)
    trust.looked(at(20_000 + HOUR, 30_000))
    expect(trust.since()).toBe(NOON + 20_000 + HOUR)
    trust.looked(at(30_000 + HOUR, 40_000))
    expect(trust.since()).toBe(NOON + 20_000 + HOUR)
    trust.looked(at(3 * HOUR, 3 * HOUR))
    expect(trust.since()).toBe(NOON + 3 * HOUR)
    trust.looked({ ...at(3 * HOUR + 10_000), boot_id: 'another' })
    expect(trust.since()).toBe(NOON + 3 * HOUR)
    trust.failed()
    expect(trust.since()).toBeNull()
  })
})

describe('one leader', () => {
  it('supervises, and another goes on when it is gone', async () => {
    const { store } = await aLedger()
    const gone = new Set<string>()
    const lead = (owner: string, now: number) =>
      store.lead({ role: 'watch', owner, now, until: now + 30_000, isOwnerGone: one => gone.has(one) })
    expect(await lead('a', NOON)).toBe(true)
    expect(await lead('b', NOON + 29_999)).toBe(false)
    expect(await lead('a', NOON + 29_999)).toBe(true)
    expect(await lead('b', NOON + 59_998)).toBe(false)
    expect(await lead('b', NOON + 59_999)).toBe(true)
    await store.stopLeading({ role: 'watch', owner: 'b' })
    expect(await lead('c', NOON + 60_000)).toBe(true)
    // its process was ended: nobody waits for its lease
    gone.add('c')
    expect(await lead('d', NOON + 60_001)).toBe(true)
  })
})

describe('telling somebody', () => {
  it('happens once for a notice, and is an operation of the ledger itself', async () => {
    const ledger = await aLoop()
    const folder = aDirectory()
    const exec = `printf '%s\\n' "$AGENT_LEDGER_NOTICE" >> ${folder}/told`
    const notify = { exec, env: { PATH: process.env.PATH }, cwd: folder }
    expect(eventsOf(await looked(ledger, { notify }))).toEqual(['noticed'])
    expect(await looked(ledger, { notify })).toEqual([])
    const lines = readFileSync(`${folder}/told`, 'utf8').trim().split('\n')
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ task_id: 'run-7', stage: 'noticed' })
    const { operations } = (await ledger.store.taskRecord('agent-ledger/watch')) ?? {}
    expect(operations).toMatchObject([{ tool: 'watch.exec', status: 'confirmed' }])
  })

  it('goes on while the receiver is down or fails, under one key, and leaves nobody else untold', async () => {
    const ledger = await aLoop()
    const receiver = await aReceiver()
    const notify = { webhook: receiver.url }
    const look = async () => {
      ledger.clock.advance(10 * MINUTE)
      return looked(ledger, { notify, suspend: [] })
    }
    receiver.answers(500)
    for (let i = 0; i < 5; i++) await look()
    receiver.answers(200)
    await look()
    await look()
    const loops = () => receiver.got.filter(({ rule }) => rule === 'loop_same_action_same_result')
    expect(loops()).toHaveLength(6)
    expect(new Set(loops().map(({ key }) => key)).size).toBe(1)

    // one that a person, or its own limit, has ended
    await ledger.store.changeTask({
      task_id: 'agent-ledger/watch',
      request: { type: 'set_status', status: 'budget_exhausted', reason: 'spent' },
      by: { actor: 'agent', clock: ledger.clock },
      isOwnerGone: () => false,
    })
    await poll(
      ledger,
      newAction({ tool: 'log', input: {}, result: 'line 1', outcome: 'ok' }, value => value),
    )
    await look()
    for (let i = 0; i < 4; i++) await poll(ledger)
    await look()
    expect(loops()).toHaveLength(7)
  })
})
