import { describe, expect, it, onTestFinished } from 'vitest'
import { parseConfig } from '../../../src/config/load.js'
import type { Repeat } from '../../../src/core/operation.js'
import { LONGEST_ANSWER } from '../../../src/execute/wrappers/fetch.js'
import { type FakeService, type FaultRule, type Mode, startService } from '../../../src/testing/index.js'
import { aCall, aLedger, recordOf } from '../support/ledgers.js'
import { answering, freePort, httpServer } from '../support/servers.js'

const KEYED: Repeat = { kind: 'idempotency_key', retention_ms: 86_400_000 }
const { input: _, ...CALL } = aCall({ maxAttempts: 1 })

describe('a guarded fetch', () => {
  it('sends the write once and confirms it with the answer', async () => {
    const service = await serviceWith([])
    const { ledger, store } = await aLedger()
    const outcome = await ledger.fetch(CALL, { url: `${service.url}/tickets`, json: { title: 'Disk full' } })
    const [effect] = service.effects()
    const id = effect?.id
    expect(outcome).toMatchObject({
      status: 'confirmed',
      result: { status: 201, headers: { location: `${service.url}/tickets/${id}` }, body: { id } },
      replayed: false,
    })
    expect(
      await ledger.fetch(CALL, { url: `${service.url}/tickets`, json: { title: 'Disk full' } }),
    ).toMatchObject({
      status: 'confirmed',
      result: { status: 201, body: { id } },
      replayed: true,
    })
    expect(service.calls()).toMatchObject([{ method: 'POST', key: null }])
    const { operation, evidence } = await recordOf(store)
    expect(operation).toMatchObject({
      target: new URL(service.url).host,
      input: { method: 'POST', url: `${service.url}/tickets`, body: { title: 'Disk full' } },
    })
    expect(evidence).toMatchObject([{ kind: 'receipt', body: { rule: 'done', status: 201 } }])
  })

  it('sends the key of the operation where the contract says so, the same at every attempt', async () => {
    const service = await serviceWith([{ action: 'create', calls: [1], fault: { kind: 'drop_response' } }], {
      kind: 'keyed',
      retention_ms: 86_400_000,
    })
    const { ledger, store } = await aLedger()
    const call = { ...CALL, repeat: KEYED, maxAttempts: 2 }
    const write = { url: `${service.url}/tickets`, json: { title: 'x' } }
    for (let tries = 0; tries < 3 && (await ledger.fetch(call, write)).status !== 'confirmed'; tries++);
    const { idempotency_key, status } = (await recordOf(store)).operation
    expect(status).toBe('confirmed')
    expect(service.calls().map(({ key }) => key)).toEqual([idempotency_key, idempotency_key])
    expect(service.effects()).toHaveLength(1)
  })

  it('sends nothing where the key of the caller fits no header', async () => {
    const service = await serviceWith([])
    const { ledger } = await aLedger()
    const call = { ...CALL, repeat: KEYED, idempotencyKey: 'order-9\r\nX-Other: 1' }
    const outcome = await ledger.fetch(call, { url: `${service.url}/tickets`, json: {} })
    expect(outcome).toMatchObject({
      status: 'not_executed',
      reason: expect.stringContaining('Idempotency-Key'),
    })
    expect(service.calls()).toEqual([])
  })

  it('sends the key in the header that the service reads', async () => {
    const { url, arrived } = await answering(200, {})
    const { ledger, store } = await aLedger()
    await ledger.fetch({ ...CALL, repeat: KEYED }, { url, keyHeader: 'PayPal-Request-Id' })
    const { idempotency_key } = (await recordOf(store)).operation
    expect(arrived[0]?.request.headers).toMatchObject({ 'paypal-request-id': idempotency_key })
    expect(arrived[0]?.request.headers).not.toHaveProperty('idempotency-key')
  })

  it.each([
    [
      'a key of the caller',
      { headers: { 'idempotency-key': 'k-b' } },
      "the ledger sends the operation's own key",
    ],
    ['a read', { method: 'GET' }, 'must be a write'],
    ['no address', { url: 'tickets' }, 'must be an http or https URL'],
    ['a file', { url: 'file:///etc/passwd' }, 'must be an http or https URL'],
    [
      'a password in the address',
      { url: 'https://ana:secret@tickets.example' },
      'without a name and password',
    ],
    ['a stream', { body: new ReadableStream() }, 'must be a text or bytes'],
    ['two bodies', { json: 1, body: 'x' }, 'is given twice'],
    ['a body that JSON cannot hold', { json: { amount: 1n } }, '"json": it cannot be written as JSON'],
    ['a body without a JSON form', { json: () => 1 }, '"json" has no JSON form'],
    ['a header that is none', { headers: { 'a b': 'x' } }, 'must be headers'],
    ['a name that means nothing', { jsno: 1 }, '"jsno" means nothing here'],
  ])('refuses %s before anything is written down', async (_, over, says) => {
    const { ledger, store } = await aLedger()
    const request = { url: 'https://tickets.example', ...over } as never
    await expect(ledger.fetch({ ...CALL, repeat: KEYED }, request)).rejects.toThrow(says)
    expect(await store.operation(CALL.id)).toBeNull()
  })

  it('follows no redirect', async () => {
    const { url: elsewhere, arrived } = await answering(200, {})
    const { url } = await answering(307, '', { location: elsewhere })
    const { ledger, store } = await aLedger()
    expect(await ledger.fetch(CALL, { url, body: 'x' })).toMatchObject({ status: 'not_executed' })
    expect(arrived).toEqual([])
    expect((await recordOf(store)).operation.last_error).toMatchObject({
      rule: 'redirected',
      host: '127.0.0.1',
    })
  })

  it('confirms a write whose answer broke off after its status, and says that the result is lost', async () => {
    const service = await serviceWith([{ action: 'create', fault: { kind: 'cut_response' } }])
    const { ledger, store } = await aLedger()
    const outcome = await ledger.fetch(CALL, { url: `${service.url}/tickets`, json: {} })
    expect(outcome).toMatchObject({
      status: 'confirmed',
      result: { status: 201, body_left_out: 'the answer broke off' },
    })
    expect(service.effects()).toHaveLength(1)
    expect((await recordOf(store)).evidence).toMatchObject([
      { kind: 'receipt', body: { rule: 'result_lost' } },
    ])
  })

  it('leaves a refusal whose answer broke off a refusal', async () => {
    const { url } = await httpServer(({ request }, response) => {
      response.writeHead(400, { 'content-length': '100' })
      response.write('{"error":', () => request.socket.destroy())
    })
    const { ledger } = await aLedger()
    expect(await ledger.fetch(CALL, { url })).toMatchObject({ status: 'not_executed' })
  })

  it.each<[string, FaultRule['fault'], string, number]>([
    ['the request is lost', { kind: 'drop_request' }, 'connection_lost', 0],
    ['the answer is lost', { kind: 'drop_response' }, 'connection_lost', 1],
    ['it fails after the work', { kind: 'answer', stage: 'response', status: 500 }, 'server_error', 1],
    ['a gateway fails before the work', { kind: 'answer', stage: 'request', status: 502 }, 'server_error', 0],
    ['it has something else', { kind: 'answer', stage: 'request', status: 409 }, 'compare', 0],
  ])('is unknown where %s', async (_, fault, rule, effects) => {
    const service = await serviceWith([{ action: 'create', fault }])
    const { ledger, store } = await aLedger()
    expect(await ledger.fetch(CALL, { url: `${service.url}/tickets`, json: {} })).toMatchObject({
      status: 'unknown',
    })
    expect((await recordOf(store)).operation).toMatchObject({ may_have_applied: true, last_error: { rule } })
    expect(service.effects()).toHaveLength(effects)
  })

  it('is not executed where nobody listens', async () => {
    const { ledger } = await aLedger()
    const url = `http://127.0.0.1:${await freePort()}/`
    expect(await ledger.fetch(CALL, { url })).toMatchObject({ status: 'not_executed' })
  })

  it('stops when its time is up, and is unknown', async () => {
    const { url, arrived } = await httpServer(() => {})
    const { ledger, store } = await aLedger()
    expect(await ledger.fetch({ ...CALL, timeoutMs: 2_000 }, { url })).toMatchObject({ status: 'unknown' })
    expect(arrived).toHaveLength(1)
    expect((await recordOf(store)).operation.last_error).toMatchObject({ rule: 'timeout' })
  })

  it('is in progress with the service where it was taken in, and names what to ask for', async () => {
    const { url } = await answering(202, { job: 'J-1' }, { location: '/jobs/J-1' })
    const { ledger, store } = await aLedger()
    const contract = { patience_ms: 3_600_000 }
    const outcome = await ledger.fetch({ ...CALL, contract }, { url })
    expect(outcome).toMatchObject({ status: 'in_progress', owner: 'remote' })
    const { operation, external_ids, attempts } = await recordOf(store)
    expect(operation).toMatchObject({ status: 'in_flight', lease_owner: 'remote' })
    expect(external_ids).toMatchObject([{ kind: 'status', value: `${url}/jobs/J-1` }])
    expect(attempts).toMatchObject([{ end: null }])
    const id = { ...CALL, id: 'ticket-2', task: 'task-2', contract: { ids: [{ kind: 'job', path: 'job' }] } }
    await ledger.fetch(id, { url })
    expect((await recordOf(store, 'ticket-2')).external_ids).toEqual([{ kind: 'job', value: 'J-1' }])
  })

  it('takes the ids where the contract says, and masks what services say of refusals', async () => {
    const { ledger, store } = await aLedger()
    const { url } = await answering(200, { data: { id: 7, link: 'https://t.example/7' } })
    const ids = [{ kind: 'ticket', path: 'data.id', url: 'data.link', scope: 'acme' }]
    expect(await ledger.fetch({ ...CALL, contract: { ids } }, { url })).toMatchObject({
      external_ids: [{ kind: 'ticket', value: '7', url: 'https://t.example/7', scope: 'acme' }],
    })
    const secret = `sk_live_${'a1B2'.repeat(8)}`
    const refusing = await answering(400, { error: `no such key ${secret}` })
    await ledger.fetch({ ...CALL, id: 'b', task: 'b' }, { url: `${refusing.url}/?token=${secret}` })
    const { operation, evidence } = await recordOf(store, 'b')
    expect(operation.last_error?.message).toContain('answered 400: {"error":"no such key')
    expect(JSON.stringify([operation.last_error, evidence])).not.toContain(secret)
  })

  it('takes an answer in up to its limit, and text for what it is', async () => {
    const { ledger } = await aLedger()
    const read = async (id: string, body: string) => {
      const { url } = await answering(200, body)
      const outcome = await ledger.fetch({ ...CALL, id, task: id }, { url })
      return outcome.status === 'confirmed' ? outcome.result : outcome
    }
    expect(await read('text', 'done')).toMatchObject({ body: 'done' })
    expect(await read('nothing', '')).toEqual({ status: 200, headers: {} })
    expect(await read('longest', 'x'.repeat(LONGEST_ANSWER))).toHaveProperty('body')
    expect(await read('longer', 'x'.repeat(LONGEST_ANSWER + 1))).toMatchObject({
      status: 200,
      body_left_out: `it is longer than ${LONGEST_ANSWER} bytes`,
    })
  })

  it('keeps every digit of an id that JSON readers round', async () => {
    const { ledger, store } = await aLedger()
    const { url } = await answering(201, '{"id": 12345678901234567890, "ok": null}')
    const contract = { ids: [{ kind: 'ticket', path: 'id' }] }
    expect(await ledger.fetch({ ...CALL, contract }, { url, json: {} })).toMatchObject({
      status: 'confirmed',
      result: { body: { id: '12345678901234567890', ok: null } },
    })
    expect((await recordOf(store)).external_ids).toEqual([{ kind: 'ticket', value: '12345678901234567890' }])
  })

  it('is in doubt where a rule of the service asks for a body that was not read whole', async () => {
    const when = { status: 200, body: { ok: false } }
    const contract = {
      classify: [{ when, end: 'not_applied', reason: 'it answers errors with 200' }],
    } as const
    const { ledger, store } = await aLedger()
    const told = async (id: string, body: string, headers = {}) => {
      const { url } = await answering(200, body, headers)
      return ledger.fetch({ ...CALL, id, contract }, { url, json: { id } })
    }
    const longest = JSON.stringify({ ok: false, why: 'x'.repeat(LONGEST_ANSWER) })
    expect(await told('long', longest.slice(0, 100_000 - 2).concat('"}'))).toMatchObject({
      status: 'not_executed',
    })
    expect(await told('longer', longest)).toMatchObject({ status: 'unknown' })
    expect((await recordOf(store, 'longer')).operation.last_error).toMatchObject({ rule: 'body_unread' })
    expect(await told('no JSON', 'fine')).toMatchObject({ status: 'confirmed' })
  })

  it('is read by the rules of the service first, out of its configuration', async () => {
    const text = `
tools:
  tickets.create:
    classify:
      - when: { status: 503, header: { Transient-Error: "true" } }
        end: not_applied
        reason: its store of keys was down
      - when: { status: 200, body: { ok: false } }
        end: not_applied
        reason: it answers errors with 200
`
    const config = parseConfig(text, '/agent-ledger.yaml')
    const { ledger, store } = await aLedger({ config })
    const told = async (id: string, ...[status, body, headers]: Parameters<typeof answering>) => {
      const { url } = await answering(status, body, headers)
      const outcome = await ledger.fetch({ ...CALL, id, task: id }, { url })
      return [outcome.status, (await recordOf(store, id)).operation.last_error?.rule]
    }
    const transient = { 'transient-error': 'true' }
    expect(await told('a', 503, '', transient)).toEqual(['not_executed', 'service:503+Transient-Error=true'])
    expect(await told('b', 503, '')).toEqual(['unknown', 'server_error'])
    expect(await told('c', 200, { ok: false })).toEqual(['not_executed', 'service:200+ok=false'])
    expect(await told('d', 200, { ok: true })).toEqual(['confirmed', undefined])
    expect((await recordOf(store, 'a')).operation.contract.classify).toHaveLength(2)
  })
})

async function serviceWith(
  faults: readonly FaultRule[],
  mode: Mode = { kind: 'plain' },
): Promise<FakeService> {
  const service = await startService({ faults, mode })
  onTestFinished(() => service.close())
  return service
}
