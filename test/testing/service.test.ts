import { request } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { type FakeService, startService, testClock } from '../../src/testing/index.js'
import { endServices, openTicket, putTicket, read, serviceWith } from './builders.js'
import { effectsOf, until } from './waiting.js'

function statusOfTarget(service: FakeService, path: string): Promise<number | undefined> {
  const { port } = new URL(service.url)
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path }, response => {
      response.resume()
      resolve(response.statusCode)
    })
      .on('error', reject)
      .end()
  })
}

endServices()

describe('A plain service', () => {
  test('makes another object for every request and says where it is', async () => {
    const service = await serviceWith()
    const first = await openTicket(service)
    await openTicket(service)
    expect(first.status).toBe(201)
    expect(first.headers.get('location')).toBe(`${service.url}/tickets/TICKET-1`)
    expect(await read(service, '/tickets/TICKET-2')).toMatchObject({
      id: 'TICKET-2',
      body: { title: 'Disk full' },
    })
    expect(service.effects().map(({ id, call }) => [id, call])).toEqual([
      ['TICKET-1', 1],
      ['TICKET-2', 2],
    ])
  })

  test('keeps the key out of its objects: it does not know what one is', async () => {
    const service = await serviceWith()
    await openTicket(service, { key: 'k1' })
    expect(service.effects()[0]?.key).toBeNull()
    expect(service.calls()[0]?.key).toBe('k1')
  })

  test('tells other processes its effects and calls over HTTP, without counting these looks', async () => {
    const service = await serviceWith()
    await openTicket(service)
    expect(await read(service, '/_effects')).toEqual(service.effects())
    expect(await read(service, '/_calls')).toEqual(service.calls())
    expect(service.calls()).toMatchObject([
      { n: 1, method: 'POST', path: '/tickets', action: 'create', status: 201 },
    ])
  })

  test('refuses what it does not know without doing anything', async () => {
    const service = await serviceWith()
    expect((await putTicket(service, 'a')).status).toBe(404)
    expect((await fetch(`${service.url}/tickets`, { method: 'POST', body: 'not json' })).status).toBe(400)
    expect((await fetch(`${service.url}/tickets`, { method: 'DELETE' })).status).toBe(404)
    expect((await fetch(`${service.url}/tickets/%E0%A4%A`)).status).toBe(404)
    expect(await statusOfTarget(service, '//')).toBe(404)
    expect(service.effects()).toEqual([])
  })
})

describe('A keyed service', () => {
  const keyed = { kind: 'keyed', retention_ms: 60_000 } as const

  test('answers a repeat with what it answered first, and says so', async () => {
    const service = await serviceWith({ mode: keyed })
    const first = await openTicket(service, { key: 'k1' })
    const repeat = await openTicket(service, { key: 'k1' })
    expect(await repeat.json()).toEqual(await first.json())
    expect(repeat.headers.get('idempotent-replayed')).toBe('true')
    expect(service.effects()).toHaveLength(1)
  })

  test('knows the key until its retention has passed and not any longer', async () => {
    const clock = testClock()
    const service = await serviceWith({ mode: keyed, clock })
    await openTicket(service, { key: 'k1' })
    clock.advance(59_999)
    await openTicket(service, { key: 'k1' })
    expect(service.effects()).toHaveLength(1)
    clock.advance(1)
    await openTicket(service, { key: 'k1' })
    expect(service.effects()).toHaveLength(2)
  })

  test('answers 409 while the first request under the key is worked on', async () => {
    const service = await serviceWith({
      mode: keyed,
      faults: [{ action: 'create', calls: [1], fault: { kind: 'delay', stage: 'response' } }],
    })
    const first = openTicket(service, { key: 'k1' })
    await effectsOf(service, 1)
    expect((await openTicket(service, { key: 'k1' })).status).toBe(409)
    service.release()
    expect((await first).status).toBe(201)
    expect((await openTicket(service, { key: 'k1' })).status).toBe(201)
    expect(service.effects()).toHaveLength(1)
  })

  test('answers 422 to other parameters and 400 to a missing key', async () => {
    const service = await serviceWith({ mode: keyed })
    await openTicket(service, { key: 'k1' })
    expect((await openTicket(service, { key: 'k1', title: 'Other' })).status).toBe(422)
    expect((await openTicket(service)).status).toBe(400)
    expect(service.effects()).toHaveLength(1)
  })

  test('finds what was made under a key', async () => {
    const service = await serviceWith({ mode: keyed })
    await openTicket(service, { key: 'k1' })
    await openTicket(service, { key: 'k2' })
    const found = await read(service, '/tickets?key=k2')
    expect(found).toMatchObject({ items: [{ id: 'TICKET-2', key: 'k2' }], next: null, complete: true })
  })

  test('works once where a proxy delivers the request twice', async () => {
    const service = await serviceWith({
      mode: keyed,
      faults: [{ action: 'create', fault: { kind: 'duplicate' } }],
    })
    expect((await openTicket(service, { key: 'k1' })).status).toBe(201)
    expect(service.effects()).toHaveLength(1)
  })

  test('keeps an error as the answer of the key where the rule says so', async () => {
    const fault = { kind: 'answer', stage: 'response', status: 500, remembered: true } as const
    const service = await serviceWith({ mode: keyed, faults: [{ action: 'create', calls: [1], fault }] })
    expect((await openTicket(service, { key: 'k1' })).status).toBe(500)
    expect((await openTicket(service, { key: 'k1' })).status).toBe(500)
    expect(service.effects()).toHaveLength(1)
  })
})

describe('A conditional service', () => {
  const conditional = { kind: 'conditional' } as const

  test('makes a name once and answers 412 from then on', async () => {
    const service = await serviceWith({ mode: conditional })
    expect((await putTicket(service, 'disk-full')).status).toBe(201)
    expect((await putTicket(service, 'disk-full')).status).toBe(412)
    expect(await read(service, '/tickets/disk-full')).toMatchObject({ id: 'TICKET-1', name: 'disk-full' })
    expect(service.effects()).toHaveLength(1)
  })

  test('does nothing without the condition', async () => {
    const service = await serviceWith({ mode: conditional })
    expect((await putTicket(service, 'disk-full', '')).status).toBe(428)
    expect(service.effects()).toEqual([])
  })
})

test('a request of which only half arrives does nothing', async () => {
  const service = await serviceWith()
  const { port } = new URL(service.url)
  const socket = connect(Number(port), '127.0.0.1')
  socket.write('POST /tickets HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{"title":"half"}')
  await until(() => service.calls().length === 1)
  socket.destroy()
  await openTicket(service, { title: 'whole' })
  expect(service.effects().map(({ body }) => body)).toEqual([{ title: 'whole' }])
})

test('closing forgets the calls it holds', async () => {
  const service = await startService({
    faults: [{ action: 'create', fault: { kind: 'delay', stage: 'request' } }],
  })
  const sent = openTicket(service)
  const failed = expect(sent).rejects.toThrow(TypeError)
  await until(() => service.calls().length === 1)
  await service.close()
  service.release()
  await failed
  expect(service.effects()).toEqual([])
})

test('a port in use is named in the error', async () => {
  const service = await serviceWith()
  const port = Number(new URL(service.url).port)
  await expect(startService({ port })).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringContaining(`${port}`),
  })
})
