import { describe, expect, it } from 'vitest'
import { aServer, json } from '../probes/support/server.js'
import { asking, lost, MINUTE, TOKEN } from './support/asking.js'

describe('reconcile', () => {
  it('confirms what carries the key, with its id, the result for a resumed run, and the reading as evidence', async () => {
    const items: object[] = []
    const { url } = await aServer((request, response) => json(items)(request, response))
    const { ledger, ask } = await asking(url)
    const { operation } = await lost(ledger, 'op-1')
    items.push({ id: 'T-7', key: operation.idempotency_key }, { id: 'T-8', key: 'other' })
    expect(await ask('op-1')).toMatchObject([
      {
        outcome: 'confirmed',
        status: 'confirmed',
        rule: 'found',
        external_ids: [{ kind: 'ticket', value: 'T-7' }],
      },
    ])
    const record = await ledger.store.operation('op-1')
    expect(record?.operation).toMatchObject({ settled_by: 'probe', result: { ticket: 'T-7' }, flags: {} })
    expect(record?.evidence.at(-1)).toMatchObject({
      kind: 'probe',
      origin: 'looked_up',
      body: {
        observation: { request: { requests: [{ url: `${url}/` }, { url: `${url}/tickets` }] } },
        verdict: { rule: 'found', rules_version: 1 },
      },
    })
    expect(JSON.stringify(record)).not.toContain(TOKEN)
    // What is settled is not asked about again.
    expect(await ask('op-1')).toMatchObject([{ outcome: 'settled', requests: [] }])
    expect((await ledger.store.verify()).findings).toEqual([])
  })

  it('says absent only after arrival, lag and a second look, and obeys the time of the next useful one', async () => {
    const { url, requests } = await aServer(json([]))
    const { ledger, ask } = await asking(url)
    await lost(ledger, 'op-1')
    const [early] = await ask('op-1')
    expect(early).toMatchObject({
      outcome: 'in_doubt',
      status: 'unknown',
      rule: 'proved_absent',
      waits_for: 'time',
    })
    expect(early?.reason).toContain('too early to believe an absence')
    expect((await ledger.store.operation('op-1'))?.operation).toMatchObject({
      version: 3,
      next_look_at: Date.parse(early?.next_look_at ?? ''),
    })
    const count = requests.length
    expect(await ask('op-1')).toMatchObject([{ outcome: 'not_yet', next_look_at: early?.next_look_at }])
    expect(requests).toHaveLength(count)
    ledger.clock.advance(17 * MINUTE)
    const [first] = await ask('op-1')
    expect(first).toMatchObject({
      outcome: 'in_doubt',
      reason: 'it is not there, by 1 of 2 complete reads: look again',
    })
    expect(await ask('op-1', { early: true })).toMatchObject([{ outcome: 'in_doubt' }])
    ledger.clock.advance(MINUTE)
    expect(await ask('op-1')).toMatchObject([{ outcome: 'not_executed', status: 'not_executed' }])
    const record = await ledger.store.operation('op-1')
    expect(record?.attempts.map(({ end }) => end)).toEqual(['absent'])
    expect(record?.operation.settled_by).toBe('probe')
  })

  // Its bytes may leave until its lease of a minute ends; from then on the two minutes count.
  it('L1: 404 half a minute after it was sent is too early, and counts once the service has had its time', async () => {
    const { url } = await aServer((request, response) =>
      json({}, request.url === '/' ? 200 : 404)(request, response),
    )
    const { ledger, ask } = await asking(
      url,
      `
  create_db:
    arrival: 0s
    settle: 2m
    probe:
      kind: http
      grade: B
      url: ${url}/databases/{operation_id}
      parent: ${url}/
      match: { named_by: operation_id }
      id: { kind: database, value: id }
  `,
    )
    const contract = { arrival_bound_ms: 0, settle_ms: 2 * MINUTE }
    await lost(ledger, 'op-140', { tool: 'create_db', contract })
    ledger.clock.advance(MINUTE / 2)
    expect(await ask('op-140')).toMatchObject([
      { status: 'unknown', reason: 'too early to believe an absence (30s of 3m)' },
    ])
    ledger.clock.advance(3 * MINUTE)
    expect(await ask('op-140')).toMatchObject([{ status: 'unknown', waits_for: 'time' }])
    ledger.clock.advance(MINUTE)
    expect(await ask('op-140')).toMatchObject([{ status: 'not_executed' }])
    const { evidence } = (await ledger.store.operation('op-140')) ?? {}
    expect(evidence?.map(({ kind }) => kind)).toEqual(['probe', 'probe', 'probe'])
  })

  it('S5: keeps what was answered where some could not be asked, and asks for those alone the next time', async () => {
    let broken = ['op-4', 'op-5']
    const { url, requests } = await aServer((request, response) => {
      const id = request.url?.split('/').at(-1) ?? ''
      if (request.url === '/') return json({})(request, response)
      return json(broken.includes(id) ? '<html>' : { id, op: id }, broken.includes(id) ? 500 : 200)(
        request,
        response,
      )
    })
    const probe = `
  named:
    probe:
      kind: http
      grade: B
      url: ${url}/t/{operation_id}
      match: { named_by: operation_id }
      id: { kind: ticket, value: id }
  `
    const { ledger, ask } = await asking(url, probe)
    for (const n of [1, 2, 3, 4, 5]) await lost(ledger, `op-${n}`, { tool: 'named' })
    const outcomes = Object.fromEntries(
      (await ask({ tool: 'named' })).map(({ operation_id, outcome }) => [operation_id, outcome]),
    )
    expect(outcomes).toEqual({
      'op-1': 'confirmed',
      'op-2': 'confirmed',
      'op-3': 'confirmed',
      'op-4': 'probe_failed',
      'op-5': 'probe_failed',
    })
    broken = []
    requests.length = 0
    expect((await ask({ tool: 'named' })).map(({ outcome }) => outcome)).toEqual(['confirmed', 'confirmed'])
    expect(requests.map(({ url }) => url).sort()).toEqual(['/t/op-4', '/t/op-5'])
  })

  it('goes on after a stop, and what was being asked then is not written', async () => {
    const stop = new AbortController()
    const { url } = await aServer((request, response) => {
      if (request.url === '/' || stop.signal.aborted) json([])(request, response)
      else stop.abort()
    })
    const { ledger, ask } = await asking(url)
    await lost(ledger, 'op-1')
    await lost(ledger, 'op-2')
    expect(await ask(['op-1', 'op-2'], { signal: stop.signal, concurrency: 1 })).toEqual([])
    expect((await ledger.store.operation('op-1'))?.evidence).toEqual([])
    expect((await ask({})).map(({ operation_id }) => operation_id).sort()).toEqual(['op-1', 'op-2'])
  })

  it('sends and writes nothing in a dry run', async () => {
    const { url, requests } = await aServer(json([]))
    const { ledger, ask } = await asking(url)
    await lost(ledger, 'op-1')
    expect(await ask('op-1', { dryRun: true })).toMatchObject([
      { outcome: 'planned', requests: [`GET ${url}/`, `GET ${url}/tickets`] },
    ])
    expect(requests).toEqual([])
    expect((await ledger.store.operation('op-1'))?.evidence).toEqual([])
  })

  it('B5: follows what a service took in, and settles it when the service says so', async () => {
    let status = 'progressing'
    const { url } = await aServer((request, response) => json({ status })(request, response))
    const { ledger, ask } = await asking(
      url,
      `
  deploy:
    probe:
      kind: http
      grade: B
      url: ${url}/jobs/{external_id.job}
      remote: { state: status, working: [progressing], completed: [deployed], failed: [failed], left_nothing: true }
  `,
    )
    const sent = await ledger.inFlight({ operation_id: 'op-26', tool: 'deploy' })
    const held = { attempt: 1, fence: sent.operation.lease_fence }
    await ledger.ask('op-26', {
      type: 'accept',
      ...held,
      remote: { kind: 'job', value: 'rev27' },
      patience_ms: 60 * MINUTE,
    })
    expect(await ask({})).toMatchObject([
      {
        outcome: 'in_doubt',
        waits_for: 'service',
        reason: 'still running remotely (progressing): look again',
      },
    ])
    status = 'deployed'
    expect(await ask({}, { early: true })).toMatchObject([{ outcome: 'confirmed' }])
    const second = await ledger.inFlight({ operation_id: 'op-27', tool: 'deploy', input: 27 })
    await ledger.ask('op-27', {
      type: 'accept',
      attempt: 1,
      fence: second.operation.lease_fence,
      remote: { kind: 'job', value: 'rev28' },
      patience_ms: MINUTE,
    })
    status = 'failed'
    expect(await ask('op-27')).toMatchObject([{ outcome: 'not_executed', status: 'not_executed' }])
  })

  it('says of an id that is not there that it is not, before anything is asked', async () => {
    const { url, requests } = await aServer(json([]))
    const { ledger, ask } = await asking(url)
    await lost(ledger, 'op-1')
    await expect(ask(['op-1', 'op-l'])).rejects.toMatchObject({ code: 'not_found', id: 'op-l' })
    expect(requests).toEqual([])
    await expect(ask('op-1', { concurrency: 0 })).rejects.toMatchObject({ code: 'invalid_input' })
  })
})
