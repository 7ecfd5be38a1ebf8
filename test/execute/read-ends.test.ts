import { describe, expect, it } from 'vitest'
import { accepted } from '../../src/core/classify/accepted.js'
import { notExecuted } from '../../src/core/classify/not-executed.js'
import type { Contract } from '../../src/core/operation.js'
import { failure } from '../core/classify/support/thrown.js'
import { takeoverOf } from './support/decisions.js'
import { aCall, aLedger, held, recordOf } from './support/ledgers.js'
import { answering } from './support/servers.js'

const JOB = { kind: 'job', value: 'J-1', url: 'https://jobs.example/J-1' }
const once = (contract: Contract = {}) => aCall({ contract, maxAttempts: 1 })

describe('accepted()', () => {
  it.each([
    ['returned', () => accepted({ remote: JOB, patienceMs: 60_000 })],
    ['thrown', () => Promise.reject(accepted({ remote: JOB, patienceMs: 60_000 }))],
  ])('%s leaves it in flight with the service, until its patience ends', async (_, handler) => {
    const { ledger, store } = await aLedger()
    const outcome = await ledger.run(once(), handler)
    const { operation, attempts, external_ids, evidence } = await recordOf(store)
    const until = operation.lease_expires_at
    expect(outcome).toMatchObject({ status: 'in_progress', owner: 'remote', until })
    expect(operation).toMatchObject({ status: 'in_flight', lease_owner: 'remote', may_have_applied: false })
    expect(Number(operation.lease_expires_at) - operation.updated_at).toBe(60_000)
    expect(attempts).toMatchObject([{ end: null }])
    expect(external_ids).toEqual([JOB])
    expect(evidence).toMatchObject([{ kind: 'receipt', body: { rule: 'said_accepted', accepted: JOB } }])
    expect(await ledger.run(once(), () => 'again')).toMatchObject({ status: 'in_progress', owner: 'remote' })
  })

  it('waits as long as the contract says where the handler does not', async () => {
    const { ledger, store } = await aLedger()
    await ledger.run(once({ patience_ms: 7_000 }), () => accepted({ remote: JOB }))
    const { lease_expires_at, updated_at } = (await recordOf(store)).operation
    expect(Number(lease_expires_at) - updated_at).toBe(7_000)
    await ledger.run({ ...once(), id: 'b', task: 'task-b' }, () => accepted({ remote: JOB }))
    const plain = (await recordOf(store, 'b')).operation
    expect(Number(plain.lease_expires_at) - plain.updated_at).toBe(15 * 60_000)
  })

  it('is believed where what it names cannot be kept', async () => {
    const { ledger, store } = await aLedger()
    const odd = accepted({ remote: { kind: '', value: undefined } as never, patienceMs: Number.NaN })
    expect(await ledger.run(once({ patience_ms: 7_000 }), () => odd)).toMatchObject({ owner: 'remote' })
    const { operation, external_ids } = await recordOf(store)
    expect(Number(operation.lease_expires_at) - operation.updated_at).toBe(7_000)
    expect(external_ids).toEqual([])
  })

  it('after a takeover is late evidence, with the id on file', async () => {
    const { ledger, store } = await aLedger()
    const inside = held<void>()
    const gate = held<void>()
    const running = ledger.run(once(), async () => {
      inside.resolve()
      await gate.promise
      return accepted({ remote: JOB })
    })
    await inside.promise
    await takeoverOf(store, 'task-1')
    gate.resolve()
    expect(await running).toMatchObject({ status: 'unknown' })
    const { operation, attempts, external_ids, evidence } = await recordOf(store)
    expect(operation).toMatchObject({ status: 'unknown', last_error: { rule: 'taken_over' } })
    expect(attempts).toMatchObject([{ end: 'ambiguous' }])
    expect(external_ids).toEqual([JOB])
    expect(evidence).toMatchObject([{ kind: 'late_result' }])
  })
})

describe('a Response that is returned', () => {
  it.each([
    [201, 'confirmed', undefined],
    [400, 'not_executed', 'invalid_request'],
    [409, 'unknown', 'compare'],
    [500, 'unknown', 'server_error'],
    [303, 'unknown', 'see_other'],
  ])('with status %i is %s', async (status, becomes, rule) => {
    const { url } = await answering(status, '{}')
    const { ledger, store } = await aLedger()
    const outcome = await ledger.run(once(), () => fetch(url, { method: 'POST', redirect: 'manual' }))
    expect(outcome.status).toBe(becomes)
    expect((await recordOf(store)).operation.last_error?.rule).toBe(rule)
  })

  it('comes back whole to the caller, and its body is said not to be kept', async () => {
    const { url } = await answering(200, '{"id":"T-1"}')
    const { ledger, warnings } = await aLedger()
    const outcome = await ledger.run(once(), () => fetch(url, { method: 'POST' }))
    if (outcome.status !== 'confirmed') throw new Error(outcome.status)
    expect(await outcome.result?.json()).toEqual({ id: 'T-1' })
    expect(warnings).toMatchObject([
      { code: 'result_not_kept', message: expect.stringContaining('not read') },
    ])
    expect(await ledger.run(once(), () => 'again')).toMatchObject({ replayed: true, result: { status: 200 } })
  })

  it('is in flight with the service with status 202, by the place it names or by none', async () => {
    const { ledger, store } = await aLedger()
    const named = await answering(202, '', { location: 'https://jobs.example/J-1' })
    expect(await ledger.run(once(), () => fetch(named.url, { method: 'POST' }))).toMatchObject({
      status: 'in_progress',
      owner: 'remote',
    })
    expect((await recordOf(store)).external_ids).toMatchObject([
      { kind: 'status', value: 'https://jobs.example/J-1' },
    ])
    const silent = await answering(202)
    const call = { ...once(), id: 'b', task: 'task-b' }
    expect(await ledger.run(call, () => fetch(silent.url, { method: 'POST' }))).toMatchObject({
      owner: 'remote',
    })
    const { operation, external_ids } = await recordOf(store, 'b')
    expect(operation).toMatchObject({ status: 'in_flight', lease_owner: 'remote' })
    expect(external_ids).toEqual([])
  })

  it('is nothing that JSON can look like', async () => {
    const { ledger } = await aLedger()
    const result = { status: 500, ok: false, headers: { get: 'x' }, text: 'no' }
    expect(await ledger.run(once(), () => result)).toMatchObject({ status: 'confirmed', result })
  })
})

describe("a service's own rules", () => {
  const rules = (...classify: NonNullable<Contract['classify']>) => once({ classify })

  it('make a lost answer certain, and a refusal doubtful', async () => {
    const { ledger, store } = await aLedger()
    const neon = rules({
      when: { status: 503 },
      end: 'not_applied',
      reason: 'nothing was begun',
      retry: true,
    })
    const down = failure({ response: { status: 503, headers: {} } })
    // where a retry follows by itself it has no attempt left
    expect(await ledger.run(neon, () => Promise.reject(down))).toMatchObject({ status: 'not_executed' })
    const npm = {
      ...rules({ when: { status: 403, code: 'E403' }, end: 'ambiguous', reason: 'compare' }),
      id: 'b',
      task: 'task-b',
    }
    const taken = failure({ code: 'E403', statusCode: 403, headers: {} })
    expect(await ledger.run(npm, () => Promise.reject(taken))).toMatchObject({ status: 'unknown' })
    expect((await recordOf(store, 'b')).operation.last_error).toMatchObject({ rule: 'service:403+E403' })
  })

  it('know an error in what was returned', async () => {
    const { ledger, store } = await aLedger()
    const slack = rules({
      when: { body: { ok: false, error: 'fatal_error' } },
      end: 'ambiguous',
      reason: 'parts may be',
    })
    expect(await ledger.run(slack, () => ({ ok: false, error: 'fatal_error' }))).toMatchObject({
      status: 'unknown',
    })
    expect((await recordOf(store)).operation.last_error).toMatchObject({ message: 'parts may be' })
    expect(await ledger.run({ ...slack, id: 'b', task: 'task-b' }, () => ({ ok: true }))).toMatchObject({
      status: 'confirmed',
    })
  })

  it('can say that it took effect, or was taken in', async () => {
    const { ledger, store } = await aLedger()
    const done = rules({
      when: { body: { 'error.code': 'done_already' } },
      end: 'applied',
      reason: 'ours by its name',
    })
    const thrown = failure({ response: { status: 409, data: { error: { code: 'done_already' } } } })
    expect(await ledger.run(done, () => Promise.reject(thrown))).toMatchObject({
      status: 'confirmed',
      by: 'receipt',
    })
    const queued = {
      ...once({
        classify: [{ when: { body: { state: 'queued' } }, end: 'accepted', reason: 'a worker takes it' }],
        ids: [{ kind: 'job', json: 'id' }],
      }),
      id: 'b',
      task: 'task-b',
    }
    expect(await ledger.run(queued, () => ({ state: 'queued', id: 9 }))).toMatchObject({ owner: 'remote' })
    expect((await recordOf(store, 'b')).external_ids).toEqual([{ kind: 'job', value: '9' }])
  })

  it('cannot speak for a sending before the last one', async () => {
    const { ledger, store } = await aLedger()
    const call = rules({ when: { status: 503 }, end: 'not_applied', reason: 'nothing was begun' })
    const thrown = failure({ response: { statusCode: 503, retryCount: 1 } })
    expect(await ledger.run(call, () => Promise.reject(thrown))).toMatchObject({ status: 'unknown' })
    expect((await recordOf(store)).operation.last_error).toMatchObject({ rule: 'resent_below' })
  })

  it('are looked for on the error itself where no body was read', async () => {
    const { ledger, store } = await aLedger()
    const call = rules({
      when: { body: { 'errors.0.type': 'NOT_FOUND' } },
      end: 'not_applied',
      reason: 'no such team',
    })
    const graphql = failure({ name: 'GraphqlResponseError', headers: {}, errors: [{ type: 'NOT_FOUND' }] })
    expect(await ledger.run(call, () => Promise.reject(graphql))).toMatchObject({ status: 'not_executed' })
    expect((await recordOf(store)).operation.last_error).toMatchObject({
      rule: 'service:errors.0.type=NOT_FOUND',
    })
  })

  it('come after the word of the handler', async () => {
    const { ledger } = await aLedger()
    const all = rules({ when: { code: 'X' }, end: 'ambiguous', reason: 'who knows' })
    const said = Object.assign(notExecuted('never began'), { code: 'X' })
    expect(await ledger.run(all, () => Promise.reject(said))).toMatchObject({ status: 'not_executed' })
  })

  it('need not be known to doubt every refusal of a service that queues, but for a connection never made', async () => {
    const { ledger, store } = await aLedger()
    const queueing = once({ queues: true })
    const refused = failure({ response: { status: 400, headers: {} } })
    expect(await ledger.run(queueing, () => Promise.reject(refused))).toMatchObject({ status: 'unknown' })
    expect((await recordOf(store)).operation.last_error).toMatchObject({ rule: 'queued_refusal' })
    const unreached = failure({ code: 'ECONNREFUSED', syscall: 'connect' })
    const call = { ...queueing, id: 'b', task: 'task-b' }
    expect(await ledger.run(call, () => Promise.reject(unreached))).toMatchObject({ status: 'not_executed' })
  })
})

describe('ids of the contract', () => {
  const ids = [
    { kind: 'charge', json: 'id', url: 'links.receipt' },
    { kind: 'charge', json: 'error.charge', in: 'error' },
  ] as const

  it('are taken from a result, beside those that the handler named', async () => {
    const { ledger } = await aLedger()
    const outcome = await ledger.run(once({ ids }), async ({ externalId }) => {
      await externalId('order', 7)
      await externalId('charge', 'ch_1')
      return { id: 'ch_1', links: { receipt: 'https://pay.example/ch_1' } }
    })
    expect(outcome).toMatchObject({
      external_ids: [
        { kind: 'order', value: '7' },
        { kind: 'charge', value: 'ch_1' },
      ],
    })
    const other = await ledger.run({ ...once({ ids }), id: 'b', task: 'task-b' }, () => ({
      id: 'ch_2',
      links: {},
    }))
    expect(other).toMatchObject({ external_ids: [{ kind: 'charge', value: 'ch_2' }] })
    expect(await ledger.run({ ...once({ ids }), id: 'c', task: 'task-c' }, () => ({ id: {} }))).toMatchObject(
      {
        external_ids: [],
      },
    )
  })

  it('in an error outrank it', async () => {
    const { ledger, store } = await aLedger()
    const body = { id: 'req_1', error: { charge: 'ch_3', code: 'receipt_mail_failed' } }
    const outcome = await ledger.run(once({ ids }), () =>
      Promise.reject(failure({ response: { status: 500, data: body } })),
    )
    expect(outcome).toMatchObject({ status: 'confirmed', external_ids: [{ kind: 'charge', value: 'ch_3' }] })
    expect((await recordOf(store)).evidence).toMatchObject([
      { kind: 'receipt', body: { rule: 'id_in_error' } },
    ])
  })

  it('in an error that says "it exists already" are kept to compare with', async () => {
    const { ledger, store } = await aLedger()
    const body = { error: { charge: 'ch_4' } }
    const outcome = await ledger.run(once({ ids }), () =>
      Promise.reject(failure({ response: { status: 409, data: body } })),
    )
    expect(outcome).toMatchObject({ status: 'unknown' })
    const { evidence, external_ids } = await recordOf(store)
    expect(external_ids).toEqual([])
    expect(evidence).toMatchObject([
      { body: { rule: 'compare', compare_with: [{ kind: 'charge', value: 'ch_4' }] } },
    ])
  })
})
