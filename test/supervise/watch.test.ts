import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { NO_CONFIG } from '../../src/config/config.js'
import { newAction } from '../../src/core/action.js'
import { createRedactor } from '../../src/core/redact/redact.js'
import type { Executor } from '../../src/execute/executor.js'
import { executing } from '../../src/ledger/executing.js'
import { fetching } from '../../src/ledger/fetching.js'
import type { Session } from '../../src/ledger/session.js'
import { type Watched, type WatchOptions, watchLedger } from '../../src/ledger/watch.js'
import { createTrust } from '../../src/supervise/trust.js'
import { NOON, stampAt } from '../core/builders.js'
import { HOUR, MINUTE, SECOND } from '../core/stall/subjects.js'
import { aLedger, OWNER, type TestLedger } from '../ledger/support/a-ledger.js'
import { aDirectory } from '../store/support/places.js'

const POLL = newAction({ tool: 'log', input: {}, result: 'nothing', outcome: 'ok' }, value => value)
const GRACE = 10 * MINUTE

/** One look of a supervisor, as `watch --once` takes it. */
async function looked(ledger: TestLedger, options: WatchOptions = {}, owner = OWNER): Promise<Watched[]> {
  const session = sessionOf(ledger, owner)
  const executor: Executor = { ...session, epochs: new Map() }
  const executes = executing(session)
  const notifying = { ...executes, ...fetching(session, executes) }
  const found: Watched[] = []
  const watching = watchLedger(session, executor, {
    options: { once: true, graceMs: GRACE, ...options },
    notifying,
  })
  for await (const one of watching) if (one.event !== 'leading') found.push(one)
  return found
}

function sessionOf({ store, clock, gone }: TestLedger, owner: string): Session {
  return {
    store,
    clock,
    monotonicMs: () => clock().boot_ms,
    actor: 'watch',
    owner,
    isOwnerGone: one => gone.has(one),
    config: NO_CONFIG,
    mask: createRedactor(),
    warn: () => undefined,
  }
}

async function aLoop(): Promise<TestLedger> {
  const ledger = await aLedger()
  await ledger.prepared({ task_id: 'run-7', operation_id: 'op-1' })
  for (let i = 0; i < 4; i++) await poll(ledger)
  return ledger
}

async function poll(ledger: TestLedger, action = POLL) {
  ledger.clock.advance(5 * SECOND)
  await ledger.store.signal({
    kind: 'activity',
    subject: { task_id: 'run-7' },
    action,
    clock: ledger.clock,
  })
}

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

const eventsOf = (events: readonly Watched[]) => events.map(({ event }) => event)

describe('a notice', () => {
  it('is given once, whoever looks again and however long it goes on', async () => {
    const ledger = await aLoop()
    const [notice] = await looked(ledger)
    expect(notice).toMatchObject({
      event: 'noticed',
      subject: 'task',
      subject_id: 'run-7',
      rule: 'loop_same_action_same_result',
      grace_until: ledger.clock().at + GRACE,
    })
    await poll(ledger)
    expect(await looked(ledger)).toEqual([])
    expect(await looked(ledger, {}, 'host/boot/43/ns/1/def')).toEqual([])
  })

  it('lets nothing but reads be newly sent while its grace lasts', async () => {
    const ledger = await aLoop()
    await looked(ledger)
    const executes = executing(sessionOf(ledger, OWNER))
    expect(await executes.send('op-1')).toMatchObject({ sent: false })
    await ledger.prepared({ task_id: 'run-7', operation_id: 'look', tool: 'ls', effect: 'read' })
    expect(await executes.send('look')).toMatchObject({ sent: true })
    const history = await ledger.store.events({ about: { task_id: 'run-7' }, type: 'hold', limit: 9 })
    expect(history).toHaveLength(1)
  })

  it('is over when something new came of it, and then the task sends again', async () => {
    const ledger = await aLoop()
    await looked(ledger)
    await poll(
      ledger,
      newAction({ tool: 'log', input: {}, result: 'line 1', outcome: 'ok' }, value => value),
    )
    expect(eventsOf(await looked(ledger))).toEqual(['ended'])
    expect(await ledger.store.task('run-7')).toMatchObject({ status: 'running', grace_until: null })
    expect(await executing(sessionOf(ledger, OWNER)).send('op-1')).toMatchObject({ sent: true })
    expect((await ledger.store.verify()).findings).toEqual([])
  })

  it('leads to a suspension just when its grace is over, and not before', async () => {
    const ledger = await aLoop()
    await ledger.inFlight({ task_id: 'run-7', operation_id: 'read-1', effect: 'read', tool: 'ls' }, null)
    await looked(ledger)
    ledger.clock.advance(GRACE - 1)
    expect(eventsOf(await looked(ledger)).filter(event => event === 'suspended')).toEqual([])
    ledger.clock.advance(1)
    expect(eventsOf(await looked(ledger))).toContain('suspended')
    const task = await ledger.store.task('run-7')
    expect(task).toMatchObject({ status: 'suspended', epoch: 2, taken_over_by: null })
    expect((await ledger.store.operation('read-1'))?.operation.status).toBe('unknown')
    expect(await executing(sessionOf(ledger, OWNER)).send('op-1')).toMatchObject({ sent: false })
    await ledger.as('ana').handback('run-7', 'looked at it')
    expect(await ledger.store.task('run-7')).toMatchObject({ status: 'running' })
    // a person's word: what it did before counts no more
    expect(eventsOf(await looked(ledger)).filter(event => event === 'noticed')).toEqual([])
  })

  it('leads to none while somebody looks at the task, nor where no rule does', async () => {
    const ledger = await aLoop()
    await looked(ledger)
    ledger.clock.advance(GRACE)
    await ledger.as('ana').claim('run-7', { until: ledger.clock().at + HOUR })
    expect(await looked(ledger)).toContainEqual(
      expect.objectContaining({ event: 'held_back', reason: 'ana is looking at it' }),
    )
    const other = await aLoop()
    expect(await looked(other, { suspend: [] })).toMatchObject([{ event: 'noticed', grace_until: null }])
    expect(await other.store.task('run-7')).toMatchObject({ grace_until: null })
  })
})

describe('what holds a suspension back', () => {
  it('is said when it begins to, not at every look, and again where another one looks', async () => {
    const ledger = await aLoop()
    await looked(ledger)
    ledger.clock.advance(GRACE)
    const claim = (who: string) => ledger.as(who).claim('run-7', { until: ledger.clock().at + HOUR })
    await claim('ana')
    const told = new AbortController()
    let looks = 0
    const session = sessionOf(ledger, OWNER)
    const store: Session['store'] = {
      ...session.store,
      lead: async lease => {
        looks += 1
        if (looks === 4) {
          await ledger.as('ana').release('run-7')
          await claim('lee')
        }
        if (looks === 6) told.abort()
        return session.store.lead(lease)
      },
    }
    const executes = executing(session)
    const watching = watchLedger(
      session,
      { ...session, store, epochs: new Map() },
      {
        options: { everyMs: 100, graceMs: GRACE, signal: told.signal },
        notifying: { ...executes, ...fetching(session, executes) },
      },
    )
    const reasons: (string | undefined)[] = []
    for await (const { event, reason } of watching) if (event === 'held_back') reasons.push(reason)
    expect(looks).toBe(6)
    expect(reasons).toEqual(['ana is looking at it', 'lee is looking at it'])
  })
})

describe('a row that does not fit its history', () => {
  it('keeps the supervisor from no other, and is said', async () => {
    const ledger = await aLoop()
    await ledger.prepared({ task_id: 'run-8', operation_id: 'op-8', input: 8 })
    for (let i = 0; i < 4; i++)
      await ledger.store.signal({
        kind: 'activity',
        subject: { task_id: 'run-8' },
        action: POLL,
        clock: ledger.clock,
      })
    const db = new Database(ledger.path)
    db.exec(
      "drop trigger ledger_event_delete; delete from ledger_event where subject = 'task' and subject_id = 'run-7'",
    )
    db.close()
    const events = await looked(ledger)
    expect(events).toMatchObject([
      { event: 'held_back', subject_id: 'run-7', reason: expect.stringContaining('agent-ledger verify') },
      { event: 'noticed', subject_id: 'run-8' },
    ])
  })
})

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
