import { describe, expect, test } from 'vitest'
import { testClock } from '../../src/testing/index.js'
import { openTicket, read, serviceWith } from './builders.js'
import { effectsOf, until } from './waiting.js'

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
