import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import type { HttpProbe } from '../../src/core/probe.js'
import { addressProblem } from '../../src/probes/http/address.js'
import { checkedLookup } from '../../src/probes/http/get.js'
import { askProbe, planProbe } from '../../src/probes/index.js'
import { aWorld, someFacts } from './support/asking.js'
import { ask, LIST, ours, POINT } from './support/http-probe.js'
import { aServer, json } from './support/server.js'

describe('an http probe that meets trouble', () => {
  it.each([
    [401, 'unauthorized', {}],
    [403, 'forbidden', {}],
    [403, 'rate_limited', { 'retry-after': '60' }],
    [429, 'rate_limited', { 'retry-after': '60' }],
    [500, 'server_error', {}],
    [410, 'refused', {}],
  ] as const)('says of %i that it is %s', async (status, code, headers) => {
    const { url } = await aServer(json({}, status, headers))
    const seen = await ask({ ...POINT, url })
    expect(seen).toMatchObject({ completeness: 'failed', code })
    if (code === 'rate_limited') expect(seen).toMatchObject({ retry_after_ms: 60_000 })
  })

  it.each([
    ['a web page', '<!doctype html><p>log in', 'text/html', 'a web page instead of JSON'],
    ['nothing', '', 'application/json', 'nothing'],
    ['half of its JSON', '[{"id": 1', 'application/json', 'no JSON'],
  ])('does not take %s for an answer', async (_, body, type, why) => {
    const { url } = await aServer((_, response) => void response.setHeader('content-type', type).end(body))
    const seen = await ask({ ...LIST, url })
    expect(seen).toMatchObject({
      completeness: 'failed',
      code: 'not_understood',
      why: expect.stringContaining(why),
    })
  })

  it.each([
    [
      'an error body where it is declared',
      { data: [], errors: [{ message: 'no' }] },
      { items: 'data', error: 'errors' },
    ],
    ['an object where a list was', { message: 'Bad credentials' }, {}],
    ['a list under another name', { data: [] }, { items: 'items' }],
  ])('does not take a 200 with %s for an empty list', async (_, body, over) => {
    const { url } = await aServer(json(body))
    expect(await ask({ ...LIST, ...over, url })).toMatchObject({
      completeness: 'failed',
      code: 'not_understood',
    })
  })

  it('cuts an answer without an end at its bound', async () => {
    const piece = Buffer.alloc(65_536, 0x20)
    let sent = 0
    const { url } = await aServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 2_147_483_648 })
      const more = () => {
        while (!response.destroyed && sent < 2_147_483_648) {
          sent += piece.length
          if (!response.write(piece)) return response.once('drain', more)
        }
        return undefined
      }
      more()
    })
    const seen = await ask({ ...LIST, url, max_bytes: 1_000_000 })
    expect(seen).toMatchObject({ completeness: 'failed', code: 'too_large' })
    expect(sent).toBeLessThan(64 * 1_048_576)
  })

  it('is told apart from an empty answer when the connection is cut, and when nobody is there', async () => {
    const cut = await aServer((_, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('[')
      setTimeout(() => response.destroy(), 5)
    })
    expect(await ask({ ...LIST, url: cut.url })).toMatchObject({
      completeness: 'failed',
      code: 'unreachable',
    })
    const nobody = createServer()
    await new Promise<void>(resolve => nobody.listen(0, '127.0.0.1', resolve))
    const { port } = nobody.address() as AddressInfo // it listens on a port
    await new Promise(resolve => nobody.close(resolve))
    const seen = await ask({ ...LIST, url: `http://127.0.0.1:${port}/` })
    expect(seen).toMatchObject({ completeness: 'failed', code: 'unreachable', response_digest: null })
  })

  it('ends with its time where the service is silent', async () => {
    const { url } = await aServer(() => undefined)
    expect(await ask({ ...LIST, url, timeout_ms: 50 })).toMatchObject({
      completeness: 'failed',
      code: 'timed_out',
    })
  })

  it('tries a read again where the service was busy for a moment', async () => {
    let calls = 0
    const { url, requests } = await aServer((request, response) => {
      calls += 1
      json(calls === 1 ? {} : [ours], calls === 1 ? 503 : 200)(request, response)
    })
    expect(await ask({ ...LIST, url })).toMatchObject({ completeness: 'complete' })
    expect(requests).toHaveLength(2)
  })

  it('is tried three times and no more while the service stays busy', async () => {
    const { url, requests } = await aServer(json({}, 503))
    expect(await ask({ ...LIST, url })).toMatchObject({ completeness: 'failed', code: 'server_error' })
    expect(requests).toHaveLength(3)
  })

  it('asks nothing while a placeholder has nothing to stand for, or would leave its place', async () => {
    const { url, requests } = await aServer(json({}))
    const facts = someFacts({ input: { id: '..', repo: '../x' } })
    for (const path of ['{target}/{input.none}', '{input.id}', '{+input.repo}', '{external_id.job}']) {
      const seen = await askProbe(
        { ...POINT, url: `${url}/${path}` },
        { facts, world: aWorld(), settleMs: undefined },
      )
      expect(seen).toMatchObject({ completeness: 'failed', code: 'cannot_ask' })
    }
    expect(requests).toEqual([])
  })

  it('says in the plan what it would send, and why it cannot', async () => {
    const url = 'https://api.example/repos/{+input.repo}/{idempotency_key}'
    const world = aWorld()
    expect(planProbe({ ...POINT, url }, someFacts(), world)).toEqual([
      { what: 'GET https://api.example/repos/a/b/al-key-1' },
    ])
    const headers = { authorization: 'Bearer {env.NOT_THERE}' }
    expect(planProbe({ ...POINT, url, headers }, someFacts(), world)[0]?.problem).toContain('NOT_THERE')
  })
})

describe('where a request may go', () => {
  it('is to no other host by a redirect, and without the credential to another origin that is named', async () => {
    const other = await aServer(json({ id: 1, key: 'al-key-1' }))
    const { url } = await aServer((_, response) =>
      response.writeHead(302, { location: `${other.url}/x` }).end(),
    )
    const headers = { authorization: 'Bearer {env.TOKEN}' }
    const refused = await ask({ ...POINT, url, headers })
    expect(refused).toMatchObject({ completeness: 'failed', code: 'host_not_named' })
    expect(other.requests).toEqual([])
    const named = await ask({ ...POINT, url, headers, hosts: [new URL(other.url).host] })
    expect(named).toMatchObject({ completeness: 'complete' })
    expect(other.requests[0]?.headers.authorization).toBeUndefined()
  })

  it('is to no other host by a next page', async () => {
    const { url } = await aServer(json({ items: [], next: 'http://evil.example/t' }))
    const seen = await ask({ ...LIST, url, items: 'items', next: 'next' })
    expect(seen).toMatchObject({ completeness: 'failed', code: 'host_not_named' })
  })

  it('is to no host that a value of the record names', async () => {
    const facts = someFacts({ target: 'evil.example' })
    const probe: HttpProbe = { ...POINT, url: 'https://{target}/x', hosts: ['good.example'] }
    const seen = await askProbe(probe, { facts, world: aWorld(), settleMs: undefined })
    expect(seen).toMatchObject({ completeness: 'failed', code: 'host_not_named' })
  })

  it.each([
    ['169.254.169.254', '169.254.169.254'],
    ['100.100.100.200', 'metadata.example'],
    ['fe80::1', 'printer.example'],
    ['fd00:ec2::254', 'metadata.example'],
    ['::ffff:169.254.169.254', 'mapped.example'],
    ['64:ff9b::a9fe:a9fe', 'nat64.example'],
    ['::ffff:a9fe:a9fe', 'mapped.example'],
    ['0.0.0.0', '0.0.0.0'],
    ['127.0.0.1', 'rebound.example'],
    ['10.1.2.3', 'rebound.example'],
    ['::1', 'rebound.example'],
  ])('is not %s through %s, unless it is allowed', (address, host) => {
    expect(addressProblem(address, { host, allowPrivate: false })).not.toBeNull()
    expect(addressProblem(address, { host, allowPrivate: true })).toBeNull()
  })

  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['::1', 'localhost'],
    ['10.1.2.3', '10.1.2.3'],
    ['140.82.121.6', 'api.example'],
  ])('may be %s where the configuration writes %s', (address, host) => {
    expect(addressProblem(address, { host, allowPrivate: false })).toBeNull()
  })

  it('is checked each time the name is looked up: one that leads elsewhere a moment later is refused', async () => {
    const places = [['140.82.121.6'], ['140.82.121.6', '169.254.169.254'], ['127.0.0.1']]
    const rebinding = (_: string, __: object, callback: (error: null, all: object[]) => void) =>
      callback(
        null,
        (places.shift() ?? []).map(address => ({ address, family: 4 })),
      )
    // Only the form that asks for all addresses is called.
    const look = checkedLookup(
      'api.example',
      false,
      rebinding as unknown as Parameters<typeof checkedLookup>[2],
    )
    const outcomes: (string | undefined)[] = []
    for (let n = 0; n < 3; n += 1)
      await new Promise<void>(resolve =>
        look('api.example', { all: true }, error => {
          outcomes.push(error?.message)
          resolve()
        }),
      )
    expect(outcomes).toEqual([
      undefined,
      expect.stringContaining('link-local'),
      expect.stringContaining('private'),
    ])
  })
})

describe('a secret of the environment', () => {
  it('that the service sends back is in nothing that is kept', async () => {
    const { url } = await aServer((request, response) => {
      const token = request.headers.authorization ?? ''
      json({ id: token, key: 'al-key-1', note: `you are ${token}` })(request, response)
    })
    const headers = { authorization: 'Bearer {env.TOKEN}' }
    const seen = await ask({ ...POINT, url, headers, result: '@' })
    expect(seen.completeness).toBe('complete')
    expect(JSON.stringify(seen)).not.toContain('tok_4f9a8b7c6d5e')
  })
})
