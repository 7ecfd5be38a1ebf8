import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseConfig } from '../../src/config/load.js'
import type { Intent } from '../../src/core/operation.js'
import { createRedactor } from '../../src/core/redact/redact.js'
import { verificationOf } from '../../src/core/verification.js'
import { signalGroup } from '../../src/host.js'
import type { ReconcileBody, ReconcileFilter, ReconcileOptions } from '../../src/ledger/reconciling.js'
import { reconciling } from '../../src/ledger/reconciling.js'
import type { Session } from '../../src/ledger/session.js'
import { aServer, json } from '../probes/support/server.js'
import { aLedger, OWNER, type TestLedger } from './support/a-ledger.js'

const MINUTE = 60_000
const TOKEN = 'tok_4f9a8b7c6d5e'

interface Asking {
  readonly ledger: TestLedger
  readonly session: Session
  readonly ask: (
    which: string | readonly string[] | ReconcileFilter,
    options?: ReconcileOptions,
  ) => Promise<ReconcileBody[]>
}

/** A ledger, and a tool `tickets.create` whose probe reads what this server answers. */
async function asking(url: string, yaml = '', trusted = true): Promise<Asking> {
  const ledger = await aLedger()
  const path = join(dirname(ledger.path), 'agent-ledger.yaml')
  const text = `tools:
  tickets.create:
    arrival: 10m
    settle: 5m
    probe:
      kind: http
      grade: C
      url: ${url}/tickets
      parent: ${url}/
      headers: { authorization: 'Bearer {env.TOKEN}' }
      match: { key: key }
      id: { kind: ticket, value: id }
      result: '{ticket: id}'
${yaml}`
  writeFileSync(path, text)
  const session: Session = {
    store: ledger.store,
    clock: ledger.clock,
    monotonicMs: () => 0,
    actor: 'ana',
    owner: OWNER,
    isOwnerGone: owner => ledger.gone.has(owner),
    config: parseConfig(text, path),
    mask: createRedactor(),
    warn: () => undefined,
    outside: {
      env: { TOKEN, PATH: process.env.PATH },
      folder: '/',
      node: process.execPath,
      signalGroup,
      trust: () => (trusted ? { trusted } : { trusted, why: 'nobody trusted it' }),
    },
  }
  const { reconcile } = reconciling(session)
  const ask: Asking['ask'] = async (which, options) => {
    const bodies: ReconcileBody[] = []
    for await (const body of reconcile(which, options)) bodies.push(body)
    return bodies
  }
  return { ledger, session, ask }
}

const lost = (ledger: TestLedger, operation_id: string, over: Partial<Intent> = {}) =>
  ledger.lost({
    operation_id,
    input: operation_id,
    contract: { arrival_bound_ms: 10 * MINUTE, settle_ms: 5 * MINUTE },
    ...over,
  })

/** A second attempt of op-1, whose answer is lost too. */
async function sendAgain(ledger: TestLedger, expected_version: number): Promise<void> {
  await ledger.ask('op-1', {
    type: 'allow_retry',
    reason: 'again',
    expected_version,
    accept_duplicate: 'two',
  })
  const sent = await ledger.ask('op-1', {
    type: 'send',
    owner: OWNER,
    lease_ms: MINUTE,
    epoch: null,
    fence: null,
  })
  const error = { rule: 'thrown', message: 'EOF', at: ledger.clock().at, attempt: 2 }
  await ledger.ask('op-1', { type: 'lose', attempt: 2, fence: sent.operation.lease_fence, error })
}

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

  it('never says absent of what was sent again between the looks', async () => {
    const { url } = await aServer(json([]))
    const { ledger, ask } = await asking(url)
    const { operation } = await lost(ledger, 'op-1', { repeat: { kind: 'idempotent' } })
    ledger.clock.advance(17 * MINUTE)
    await ask('op-1')
    await sendAgain(ledger, operation.version)
    ledger.clock.advance(2 * MINUTE)
    expect(await ask('op-1')).toMatchObject([{ outcome: 'in_doubt', waits_for: 'time' }])
  })

  it('does not write an absence over what was sent while it was being read', async () => {
    let meanwhile: (() => Promise<void>) | null = null
    const { url } = await aServer(async (request, response) => {
      if (request.url === '/tickets') {
        await meanwhile?.()
        meanwhile = null
      }
      json([])(request, response)
    })
    const { ledger, ask } = await asking(url)
    const { operation } = await lost(ledger, 'op-1', { repeat: { kind: 'idempotent' } })
    ledger.clock.advance(17 * MINUTE)
    await ask('op-1')
    ledger.clock.advance(2 * MINUTE)
    meanwhile = () => sendAgain(ledger, operation.version)
    expect(await ask('op-1')).toMatchObject([
      {
        outcome: 'in_doubt',
        status: 'unknown',
        rule: 'proved_absent',
        reason: expect.stringContaining('it was not written'),
      },
    ])
    const record = await ledger.store.operation('op-1')
    expect(record?.attempts.map(({ end }) => end)).toEqual(['ambiguous', 'ambiguous'])
  })

  it('marks three for one, and gives a resumed run none of them', async () => {
    const items: object[] = []
    const { url } = await aServer((request, response) => json(items)(request, response))
    const { ledger, ask } = await asking(url)
    const { operation } = await lost(ledger, 'op-141')
    for (const id of ['tok-1', 'tok-2', 'tok-3']) items.push({ id, key: operation.idempotency_key })
    expect(await ask('op-141')).toMatchObject([
      { outcome: 'confirmed', duplicates: true, reason: expect.stringContaining('3 found for 1 intended') },
    ])
    const record = await ledger.store.operation('op-141')
    expect(record?.operation).toMatchObject({ flags: { duplicates: true }, result: null })
    expect(record?.external_ids).toHaveLength(3)
  })

  it('does not take the object of another operation for its own', async () => {
    const items: object[] = []
    const { url } = await aServer((request, response) => json(items)(request, response))
    const { ledger, ask } = await asking(url)
    const { operation } = await lost(ledger, 'op-1')
    await ledger.confirmed({ operation_id: 'op-2' }) // holds ticket T-1
    items.push({ id: 'T-1', key: operation.idempotency_key })
    expect(await ask('op-1')).toMatchObject([
      { outcome: 'in_doubt', rule: 'bound_elsewhere', reason: expect.stringContaining('op-2') },
    ])
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

  it('writes down first that an executor is gone, and leaves alone one that lives', async () => {
    const { url, requests } = await aServer(json([]))
    const { ledger, ask } = await asking(url)
    await ledger.inFlight({ operation_id: 'op-1' })
    expect(await ask('op-1')).toMatchObject([
      { outcome: 'not_yet', reason: expect.stringContaining('its executor holds it') },
    ])
    expect(requests).toEqual([])
    ledger.gone.add(OWNER)
    expect(await ask({})).toMatchObject([{ operation_id: 'op-1', outcome: 'in_doubt', status: 'unknown' }])
  })

  it('contradicts what was settled as not executed and is there after all', async () => {
    const items: object[] = []
    const { url } = await aServer((request, response) => json(items)(request, response))
    const { ledger, ask } = await asking(url)
    const { operation } = await ledger.rejected({ operation_id: 'op-1' })
    expect(await ask('op-1')).toMatchObject([{ outcome: 'settled', status: 'not_executed' }])
    items.push({ id: 'T-7', key: operation.idempotency_key })
    expect(await ask('op-1', { early: true })).toMatchObject([
      { outcome: 'in_doubt', status: 'unknown', waits_for: 'person' },
    ])
    expect((await ledger.store.operation('op-1'))?.operation.flags).toMatchObject({ contradicted: true })
  })

  it('asks about what a person settled: a word becomes verified, or is said to be contradicted', async () => {
    const items: object[] = []
    const { url } = await aServer((request, response) => json(items)(request, response))
    const { ledger, ask } = await asking(url)
    const told = async (id: string) => {
      const record = await ledger.store.operation(id)
      return [record?.operation.status, record === null ? null : verificationOf(record)]
    }
    const keys = new Map<string, string>()
    for (const id of ['op-1', 'op-2']) {
      const { operation } = await lost(ledger, id, { idempotency_key: id })
      keys.set(id, operation.idempotency_key)
      await ledger.as('flag:ana').resolve(id, { as: 'confirmed', evidence: ['I saw it'], reason: 'r' })
    }
    expect(await told('op-1')).toEqual(['confirmed', 'attested'])
    items.push({ id: 'T-7', key: keys.get('op-1') })
    const [agreed] = await ask('op-1')
    expect(agreed).toMatchObject({ outcome: 'settled', external_ids: [{ value: 'T-7' }] })
    expect(agreed?.reason).toContain('the service says the same')
    expect(await told('op-1')).toEqual(['confirmed', 'verified'])
    expect(await ask('op-1')).toMatchObject([{ outcome: 'settled', requests: [] }])
    ledger.clock.advance(60 * MINUTE)
    await ask('op-2')
    ledger.clock.advance(2 * MINUTE)
    const [contradicted] = await ask('op-2', { early: true })
    expect(contradicted).toMatchObject({ outcome: 'in_doubt', waits_for: 'person' })
    expect(contradicted?.reason).toContain('the service says otherwise')
    expect(await told('op-2')).toEqual(['unknown', null])
    expect((await ledger.store.operation('op-2'))?.operation.flags).toMatchObject({ contradicted: true })
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

  it('asks by no probe that only a record holds, and hands no variable out for a configuration that nobody trusts', async () => {
    const { url, requests } = await aServer(json([]))
    const untrusted = await asking(url, '', false)
    await lost(untrusted.ledger, 'op-1')
    expect(await untrusted.ask('op-1')).toMatchObject([
      { outcome: 'not_asked', reason: 'its probe hands out TOKEN, and nobody trusted it' },
    ])
    const recorded = await asking(url)
    const contract = { probe: { kind: 'http', url: `${url}/` } }
    await lost(recorded.ledger, 'op-2', { tool: 'elsewhere', contract })
    await lost(recorded.ledger, 'op-3', { tool: 'nothing', contract: {} })
    expect(await recorded.ask(['op-2', 'op-3'])).toMatchObject([
      { outcome: 'not_asked', reason: expect.stringContaining('no configuration in use declares it') },
      { outcome: 'not_asked', reason: expect.stringContaining('declares no probe') },
    ])
    expect(requests).toEqual([])
  })

  it('counts no reading that another program forged', async () => {
    const { url } = await aServer(json([]))
    const { ledger, session, ask } = await asking(url)
    await lost(ledger, 'op-1')
    ledger.clock.advance(17 * MINUTE)
    const body = { observation: { completeness: 'complete', matches: [] } }
    const by = { actor: 'x', clock: session.clock }
    await ledger.store.addEvidence({
      operation_id: 'op-1',
      by,
      evidence: [{ kind: 'probe', origin: 'looked_up', attempt: null, body }],
    })
    ledger.clock.advance(2 * MINUTE)
    expect(await ask('op-1')).toMatchObject([
      { outcome: 'in_doubt', reason: expect.stringContaining('1 of 2') },
    ])
  })

  it('counts no reading that was imported or told, though it looks like one of ours', async () => {
    const { url } = await aServer(json([]))
    const { ledger, session, ask } = await asking(url)
    await lost(ledger, 'op-1')
    await lost(ledger, 'op-2')
    ledger.clock.advance(17 * MINUTE)
    await ask('op-2')
    const body = (await ledger.store.operation('op-2'))?.evidence.at(-1)?.body ?? null
    const by = { actor: 'x', clock: session.clock }
    const evidence = (['imported', 'observed'] as const).map(origin => ({
      kind: 'probe' as const,
      origin,
      attempt: null,
      body,
    }))
    await ledger.store.addEvidence({ operation_id: 'op-1', by, evidence })
    ledger.clock.advance(2 * MINUTE)
    expect(await ask('op-1')).toMatchObject([
      { outcome: 'in_doubt', reason: expect.stringContaining('1 of 2') },
    ])
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
