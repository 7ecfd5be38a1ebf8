import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { approvalDigest } from '../../src/core/approval-digest.js'
import { operationId } from '../../src/index.js'
import { bytesOfDigest } from '../../src/store/chain.js'
import { type FakeService, startService } from '../../src/testing/index.js'
import { bundled } from '../support/bundled.js'
import { takeoverOf } from './support/decisions.js'
import { aLedger, aPath, recordOf } from './support/ledgers.js'
import { spawned } from './support/spawned.js'

// The six stories this project was begun for. Each compares the ledger, the objects that exist outside, the calls
// that arrived there, and the answer to the caller.

const AGENT = bundled(join(import.meta.dirname, 'support', 'founding-program.ts'))
const TASK = 'alert-4711'
const ID = operationId({ task: TASK, tool: 'tickets.open' })
const INPUT = { title: 'Disk full on db-2', priority: 'high' }
const CALL = { id: ID, task: TASK, tool: 'tickets.open', input: INPUT }

describe('a process that exits', () => {
  it('before the call leaves a doubt; looked up when it can no longer arrive, the call is made once', async () => {
    const { path, service } = await aPlace()
    const over = { leaseMs: 3_000, contract: { arrival_bound_ms: 0 } }
    const killed = await agent({ path, service, over, crashAt: 'before_the_call' })
    expect(killed.signal).toBe('SIGKILL')
    expect([service.effects().length, service.calls().length]).toEqual([0, 0])
    expect((await agent({ path, service, over })).said).toMatchObject({ status: 'unknown' })
    expect(service.calls()).toEqual([])
    const { ledger, store } = await aLedger({ path })
    const [attempt] = (await recordOf(store, ID)).attempts
    const arrival = attempt?.latest_arrival ?? 0
    // the clock of the boot, which has to agree, is read in hundredths of a second
    await sleep(Math.max(0, arrival - Date.now() + 100))
    const evidence = ['no such ticket in the list of the queue']
    await ledger.resolve(ID, { as: 'not_executed', evidence, reason: 'looked it up' })
    expect((await agent({ path, service, over: { contract: over.contract } })).said).toMatchObject({
      status: 'confirmed',
      result: { id: 'TICKET-1' },
      replayed: false,
    })
    expect([service.effects().length, service.calls().length]).toEqual([1, 1])
    expect((await recordOf(store, ID)).attempts.map(({ end }) => end)).toEqual(['absent', 'applied'])
  })

  it('after the effect and before it was saved is looked up first, and not repeated', async () => {
    const { path, service } = await aPlace()
    expect(await agent({ path, service, crashAt: 'effect_done' })).toMatchObject({ signal: 'SIGKILL' })
    expect([service.effects().length, service.calls().length]).toEqual([1, 1])
    expect((await agent({ path, service })).said).toMatchObject({ status: 'unknown' })
    const { ledger, store } = await aLedger({ path })
    const found = await fetch(`${service.url}/tickets?title=${encodeURIComponent(INPUT.title)}`)
    const { items } = (await found.json()) as { items: { id: string }[] }
    await ledger.resolve(ID, {
      as: 'confirmed',
      evidence: [`${service.url}/tickets/${items[0]?.id}`],
      externalIds: [{ kind: 'ticket', value: items[0]?.id ?? '' }],
      result: { id: items[0]?.id ?? '' },
      reason: 'the ticket is there',
    })
    expect((await agent({ path, service })).said).toMatchObject({
      status: 'confirmed',
      result: { id: 'TICKET-1' },
      by: 'person',
      replayed: true,
    })
    expect(service.effects()).toHaveLength(1)
    expect(service.calls().filter(({ action }) => action === 'create')).toHaveLength(1)
    expect((await recordOf(store, ID)).operation).toMatchObject({ status: 'confirmed', attempt: 1 })
  })
})

describe('two executors', () => {
  it('that begin at the same time make one call, and the other is told who holds it', async () => {
    const { path, service } = await aPlace()
    service.setFaults([{ action: 'create', fault: { kind: 'delay', stage: 'request' } }])
    await aLedger({ path })
    const both = [
      begun({ path, service, over: { waits: true } }),
      begun({ path, service, over: { waits: true } }),
    ]
    await Promise.all(both.map(one => one.ready))
    for (const one of both) one.go()
    const first = await Promise.race(both.map(one => one.end))
    expect(first.said).toMatchObject({ status: 'in_progress', here: false })
    await expect.poll(() => service.calls().length).toBe(1)
    service.release()
    const said = (await Promise.all(both.map(one => one.end))).map(({ said }) => said.status)
    expect(said.sort()).toEqual(['confirmed', 'in_progress'])
    expect([service.effects().length, service.calls().length]).toEqual([1, 1])
    const { store } = await aLedger({ path })
    expect((await recordOf(store, ID)).attempts).toMatchObject([{ n: 1, end: 'applied' }])
  })
})

describe('the same id with other parameters', () => {
  it('is refused with both digests, and nothing is called', async () => {
    const { path, service } = await aPlace()
    await agent({ path, service })
    const before = service.calls().length
    expect((await agent({ path, service, over: { input: { ...INPUT, priority: 'low' } } })).said).toEqual({
      refused: 'different_input',
    })
    expect([service.effects().length, service.calls().length - before]).toEqual([1, 0])
    const { store } = await aLedger({ path })
    expect((await recordOf(store, ID)).operation).toMatchObject({
      status: 'confirmed',
      input: INPUT,
      attempt: 1,
    })
  })
})

describe('an approval', () => {
  it('given before the target changed lets nothing be sent', async () => {
    const { path, service } = await aPlace()
    const { ledger, store } = await aLedger({ path })
    const call = { ...CALL, target: 'queue/operations', contract: { approval: 'required' } } as const
    const handler = () => fetch(`${service.url}/tickets`, { method: 'POST', body: JSON.stringify(INPUT) })
    expect(await ledger.run(call, handler)).toMatchObject({ status: 'waiting', for: 'approval' })
    // what the person was shown had another target by then
    const { operation } = await recordOf(store, ID)
    approve(path, approvalDigest({ ...operation, target: 'queue/elsewhere' }))
    expect(await ledger.run(call, handler)).toMatchObject({
      status: 'waiting',
      for: 'approval',
      reason: expect.stringContaining('was given for something else'),
    })
    await expect(ledger.run({ ...call, target: 'queue/elsewhere' }, handler)).rejects.toMatchObject({
      code: 'different_input',
      facts: { differing_paths: ['target (changed)'] },
    })
    expect([service.effects().length, service.calls().length]).toEqual([0, 0])
    expect((await recordOf(store, ID)).operation).toMatchObject({ status: 'prepared', attempt: 0 })
    approve(path, approvalDigest(operation))
    expect(await ledger.run(call, () => handler().then(response => response.status))).toMatchObject({
      result: 201,
    })
    expect([service.effects().length, service.calls().length]).toEqual([1, 1])
  })
})

describe('a cancel', () => {
  it('while a retry waits lets no further call be made, and says what certainly did not happen', async () => {
    const { path, service } = await aPlace()
    service.setFaults([{ action: 'create', fault: { kind: 'answer', stage: 'request', status: 429 } }])
    const { ledger, store } = await aLedger({ path })
    // another operation took the only token of the quota, so that the retry must wait for the next
    const retry = { base_ms: 0, quota: { retries: 1, per_ms: 500 } }
    await ledger.prepare({ ...CALL, id: 'first', task: 'another', retry })
    const first = await ledger.send('first')
    if (!first.sent) throw new Error('it is sent')
    await ledger.reject(first.sending, { reason: '429', retryable: true })
    const running = ledger.run({ ...CALL, retry }, async () => {
      const answer = await fetch(`${service.url}/tickets`, { method: 'POST', body: JSON.stringify(INPUT) })
      // refused before the request was taken in; what a connection that is refused throws
      throw Object.assign(new Error(`answered ${answer.status}`), {
        code: 'ECONNREFUSED',
        syscall: 'connect',
      })
    })
    await expect
      .poll(() => store.operation(ID).then(found => found?.operation.retry_reason))
      .toMatch(/attempt 2/)
    await takeoverOf(store, TASK, 'cancel')
    expect(await running).toMatchObject({ status: 'not_executed', next_action: { next_action: 'none' } })
    expect([service.effects().length, service.calls().length]).toEqual([0, 1])
    const { operation, attempts } = await recordOf(store, ID)
    expect(attempts).toMatchObject([{ end: 'not_applied' }])
    expect(operation).toMatchObject({ status: 'not_executed', cancel_requested_at: expect.any(Number) })
    expect(await ledger.run(CALL, () => 1)).toMatchObject({ status: 'not_executed' })
  })
})

async function aPlace(): Promise<{ path: string; service: FakeService }> {
  const service = await startService()
  onTestFinished(() => service.close())
  return { path: aPath(), service }
}

interface Agent {
  readonly path: string
  readonly service: FakeService
  readonly crashAt?: string
  /** what of its call is otherwise; `waits`: it begins when it is told to */
  readonly over?: object
}

/** Runs the agent to its end; what it printed last. */
function agent(asked: Agent) {
  return begun(asked).end
}

function begun({ path, service, crashAt, over = {} }: Agent) {
  const { child, printed, closed } = spawned(AGENT, [path, service.url, JSON.stringify(over)], crashAt)
  return {
    ready: once(child.stdout, 'data'),
    go: () => {
      child.stdin.end('go\n')
    },
    end: closed.then(([, signal]) => {
      const last = printed().trim().split('\n').at(-1) ?? ''
      return { signal, said: last === '' ? null : JSON.parse(last) }
    }),
  }
}

/** A person's leave for what has this digest, as the ledger keeps it. */
function approve(path: string, digest: string): void {
  const database = new Database(path)
  database.pragma('synchronous = full')
  database
    .prepare(
      `insert into ledger_approval (approval_id, operation_id, digest, approver, reason, granted_at, uses, used)
       values (?, ?, ?, 'ana', 'looks right', ?, 1, 0)`,
    )
    .run(`approval of ${digest.slice(-6)}`, ID, bytesOfDigest(digest), Date.now())
  database.close()
}
