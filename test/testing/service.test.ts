import { request } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { type FakeService, startService, testClock } from '../../src/testing/index.js'
import { endServices, openTicket, putTicket, read, serviceWith } from './builders.js'

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

describe('A look-up', () => {
  test('lists in pages and says where the next one is', async () => {
    const service = await serviceWith()
    for (const title of ['a', 'b', 'c']) await openTicket(service, { title })
    const first = await read(service, '/tickets?per_page=2')
    expect(first.items.map((item: { id: string }) => item.id)).toEqual(['TICKET-1', 'TICKET-2'])
    const second = await (await fetch(first.next)).json()
    expect(second).toMatchObject({ items: [{ id: 'TICKET-3' }], next: null })
  })

  test('finds by a field of the body', async () => {
    const service = await serviceWith()
    await openTicket(service, { title: 'a' })
    await openTicket(service, { title: 'b' })
    expect((await read(service, '/tickets?title=b')).items).toMatchObject([{ id: 'TICKET-2' }])
    expect((await read(service, '/tickets?title=c')).items).toEqual([])
  })

  test('does not see what is younger than its lag, and sees it from then on', async () => {
    const clock = testClock()
    const service = await serviceWith({
      clock,
      faults: [{ action: 'find', fault: { kind: 'lag', ms: 1000 } }],
    })
    await openTicket(service, { title: 'a' })
    clock.advance(999)
    expect((await read(service, '/tickets?title=a')).items).toEqual([])
    expect((await read(service, '/tickets')).items).toHaveLength(1)
    clock.advance(1)
    expect((await read(service, '/tickets?title=a')).items).toHaveLength(1)
  })

  test('answers ambiguously with candidates that nothing ties to the key', async () => {
    const service = await serviceWith({
      mode: { kind: 'keyed', retention_ms: 60_000 },
      faults: [{ action: 'find', fault: { kind: 'ambiguous' } }],
    })
    await openTicket(service, { key: 'k1' })
    await openTicket(service, { key: 'k2' })
    const found = await read(service, '/tickets?key=k1')
    expect(found).toMatchObject({ complete: false, items: [{ key: null }, { key: null }] })
  })
})

describe('A fault', () => {
  test('drop_request cuts the connection and nothing is done', async () => {
    const service = await serviceWith({ faults: [{ action: 'create', fault: { kind: 'drop_request' } }] })
    await expect(openTicket(service)).rejects.toThrow(TypeError)
    expect(service.effects()).toEqual([])
    expect(service.calls()).toMatchObject([{ faults: ['drop_request'], status: null }])
  })

  test('drop_response cuts the connection after the work is done', async () => {
    const service = await serviceWith({ faults: [{ action: 'create', fault: { kind: 'drop_response' } }] })
    await expect(openTicket(service)).rejects.toThrow(TypeError)
    expect(service.effects()).toHaveLength(1)
    expect(service.calls()).toMatchObject([{ faults: ['drop_response'], status: null }])
  })

  test('cut_response sends the status line and not the whole body', async () => {
    const service = await serviceWith({ faults: [{ action: 'create', fault: { kind: 'cut_response' } }] })
    const response = await openTicket(service)
    expect(response.status).toBe(201)
    await expect(response.text()).rejects.toThrow(TypeError)
    expect(service.effects()).toHaveLength(1)
  })

  test('duplicate does the work twice for one request', async () => {
    const service = await serviceWith({ faults: [{ action: 'create', fault: { kind: 'duplicate' } }] })
    expect(await (await openTicket(service)).json()).toMatchObject({ id: 'TICKET-1' })
    expect(service.effects().map(({ call }) => call)).toEqual([1, 1])
  })

  test('answer at the stage request refuses, at the stage response only says so', async () => {
    const refusal = {
      kind: 'answer',
      stage: 'request',
      status: 429,
      headers: { 'retry-after': '7' },
    } as const
    const lie = { kind: 'answer', stage: 'response', status: 502, body: { error: 'bad gateway' } } as const
    const service = await serviceWith({
      faults: [
        { action: 'create', calls: [1], fault: refusal },
        { action: 'create', calls: [2], fault: lie },
      ],
    })
    const refused = await openTicket(service)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '7'])
    expect(service.effects()).toEqual([])
    const lied = await openTicket(service)
    expect([lied.status, await lied.json()]).toEqual([502, { error: 'bad gateway' }])
    expect(service.effects()).toHaveLength(1)
  })

  test('delay on the way in: the work happens after the client has left', async () => {
    const service = await serviceWith({
      faults: [{ action: 'create', fault: { kind: 'delay', stage: 'request' } }],
    })
    const leaving = new AbortController()
    const sent = openTicket(service, { signal: leaving.signal })
    await until(() => service.calls().length === 1)
    leaving.abort()
    await expect(sent).rejects.toThrow('aborted')
    expect(service.effects()).toEqual([])
    await fetch(`${service.url}/_release`, { method: 'POST' })
    await effectsOf(service, 1)
    expect(service.calls()).toMatchObject([{ status: null }])
  })

  test('delay with a time goes on by itself', async () => {
    const service = await serviceWith({
      faults: [{ action: 'create', fault: { kind: 'delay', stage: 'response', ms: 5 } }],
    })
    expect((await openTicket(service)).status).toBe(201)
  })

  test('happens at the calls its rule names, counted again from new rules', async () => {
    const service = await serviceWith()
    const rule = { action: 'create', calls: [2], fault: { kind: 'drop_request' } } as const
    await openTicket(service)
    service.setFaults([rule])
    await openTicket(service)
    await expect(openTicket(service)).rejects.toThrow(TypeError)
    await openTicket(service)
    expect(service.effects()).toHaveLength(3)
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

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(resolve => setTimeout(resolve, 2))
}

function effectsOf(service: FakeService, count: number): Promise<void> {
  return until(() => service.effects().length === count)
}

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
