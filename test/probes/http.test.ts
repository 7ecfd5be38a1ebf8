import { describe, expect, it } from 'vitest'
import type { HttpProbe } from '../../src/core/probe.js'
import { ask, LIST, ours, POINT } from './support/http-probe.js'
import { aServer, json } from './support/server.js'

describe('an http probe', () => {
  it('finds its own object in a list by the marker, and what only looks alike as a candidate', async () => {
    const alike = { id: 8, title: 'Disk full', body: 'op:op-12' }
    const { url } = await aServer(json([alike, ours, { id: 9, title: 'other', body: null }]))
    const seen = await ask({ ...LIST, url: `${url}/tickets`, result: '{ticket: id}' })
    expect(seen).toMatchObject({
      completeness: 'complete',
      grade: 'C',
      matches: [
        { external_id: { kind: 'ticket', value: '8' }, matched_by: 'attributes' },
        {
          external_id: { kind: 'ticket', value: '7', url: 'https://t.example/7' },
          matched_by: 'operation_id',
        },
      ],
      request: { requests: [{ method: 'GET', url: `${url}/tickets`, status: 200 }] },
    })
    expect(seen.response_digest).toMatch(/^sha256:[0-9a-f]{64}$/)
  })

  it('takes 404 of a point read for nothing, and asks what holds the object in the same way', async () => {
    const { url, requests } = await aServer((request, response) =>
      request.url === '/repo' ? json({ id: 1 })(request, response) : json({}, 404)(request, response),
    )
    const probe: HttpProbe = {
      ...POINT,
      url: `${url}/repo/x`,
      parent: `${url}/repo`,
      headers: { 'x-key': '{env.TOKEN}' },
    }
    expect(await ask(probe)).toMatchObject({ completeness: 'complete', matches: [], parent: 'readable' })
    expect(requests.map(({ headers }) => headers['x-key'])).toEqual(['tok_4f9a8b7c6d5e', 'tok_4f9a8b7c6d5e'])
  })

  it.each([401, 403, 404])('does not take 404 for nothing where what holds it answers %i', async status => {
    const { url } = await aServer((request, response) =>
      json({}, request.url === '/repo' ? status : 404)(request, response),
    )
    const probe: HttpProbe = { ...POINT, url: `${url}/repo/x`, parent: `${url}/repo` }
    expect(await ask(probe)).toMatchObject({ completeness: 'complete', parent: 'unreadable' })
  })

  it('says of what stands under its name and is not its own that it differs', async () => {
    const { url } = await aServer(json({ id: 5, key: 'another' }))
    expect(await ask({ ...POINT, url })).toMatchObject({
      matches: [{ matched_by: 'attributes', differs: 'it carries neither its key nor its id' }],
    })
  })

  it('keeps every digit of an id', async () => {
    const { url } = await aServer((_, response) => {
      response
        .setHeader('content-type', 'application/json')
        .end('{"id": 12345678901234567890, "key": "al-key-1"}')
    })
    expect(await ask({ ...POINT, url })).toMatchObject({
      matches: [{ external_id: { value: '12345678901234567890' }, matched_by: 'key' }],
    })
  })

  it('reads pages to the end, by the Link header and by JMESPath', async () => {
    const { url } = await aServer((request, response) => {
      const page = Number(new URL(request.url ?? '', 'http://x').searchParams.get('page') ?? '1')
      const link: Record<string, string> =
        page < 3 ? { link: `</t?page=${page + 1}>; rel="next", </t?page=3>; rel="last"` } : {}
      const items = page === 3 ? [ours] : [{ id: page, body: '' }]
      json({ items, next: page < 3 ? `/t?page=${page + 1}` : null }, 200, link)(request, response)
    })
    for (const next of ['link', 'next']) {
      const seen = await ask({ ...LIST, url: `${url}/t`, items: 'items', next })
      expect(seen).toMatchObject({
        completeness: 'complete',
        request: { count: 3 },
        matches: [{ matched_by: 'operation_id' }],
      })
    }
    // A page that nobody said how to read is not the end of the list.
    expect(await ask({ ...LIST, url: `${url}/t`, items: 'items' })).toMatchObject({ completeness: 'failed' })
  })

  it.each([
    ['for ever', (n: number) => `/t?page=${n + 1}`, 'more than 5 pages'],
    ['in a circle', () => '/t?page=1', 'in a circle'],
  ])('is partial where pages go on %s', async (_, next, why) => {
    const { url } = await aServer((request, response) => {
      const page = Number(new URL(request.url ?? '', 'http://x').searchParams.get('page') ?? '0')
      json({ items: [], next: next(page) })(request, response)
    })
    const seen = await ask({ ...LIST, url: `${url}/t`, items: 'items', next: 'next', pages: 5 })
    expect(seen).toMatchObject({ completeness: 'partial', why: expect.stringContaining(why) })
  })

  it('is no answer where it has a next page that nobody declared how to read', async () => {
    const { url } = await aServer(json([], 200, { link: '</t?page=2>; rel="next"' }))
    expect(await ask({ ...LIST, url })).toMatchObject({
      completeness: 'failed',
      code: 'not_understood',
      why: expect.stringContaining('a next page'),
    })
  })

  it.each([206, 207])('does not take %i for a whole answer', async status => {
    const { url } = await aServer(json([], status))
    expect(await ask({ ...LIST, url })).toMatchObject({ completeness: 'failed', code: 'not_understood' })
  })

  it('is partial where the service says that its answer is not whole', async () => {
    const { url } = await aServer(json({ items: [], incomplete_results: true }))
    const seen = await ask({ ...LIST, url, items: 'items', complete: 'incomplete_results == `false`' })
    expect(seen.completeness).toBe('partial')
  })

  it('reads a hit of a search again by its id: what is there counts like a list, what is not contradicts', async () => {
    const { url } = await aServer((request, response) => {
      if (request.url === '/search') return json({ items: [ours, { ...ours, id: 70 }] })(request, response)
      return request.url === '/t/7' ? json(ours)(request, response) : json({}, 404)(request, response)
    })
    const probe: HttpProbe = {
      ...LIST,
      grade: 'D',
      url: `${url}/search`,
      items: 'items',
      point: `${url}/t/{found}`,
    }
    expect(await ask(probe)).toMatchObject({
      grade: 'C',
      matches: [{ external_id: { value: '7' } }],
      disagreements: ['the search names ticket 70, and its record is not there'],
    })
  })

  it('reads the state of a task, and does not guess a word that nobody declared', async () => {
    let status = 'progressing'
    const { url } = await aServer((request, response) => json({ status, done: '3/5' })(request, response))
    const probe: HttpProbe = {
      kind: 'http',
      grade: 'B',
      url,
      remote: { state: 'status', says: 'done', working: ['progressing'], completed: ['deployed'] },
    }
    expect(await ask(probe)).toMatchObject({ remote: { state: 'working', says: 'progressing: 3/5' } })
    status = 'paused'
    expect(await ask(probe)).toMatchObject({ completeness: 'failed', code: 'not_understood' })
  })

  it('takes a statement for one only where it is plainly true', async () => {
    const { url } = await aServer(json({ outcome: { not_sent: true }, refused: 'no' }))
    const probe: HttpProbe = {
      kind: 'http',
      grade: 'A',
      url,
      statements: { never_sent: 'outcome.not_sent', refused: 'refused' },
    }
    expect(await ask(probe)).toMatchObject({ statements: [{ says: 'never_sent', attempts: 'all' }] })
  })
})
