import { describe, expect, it } from 'vitest'
import { verificationOf } from '../../src/core/verification.js'
import { aServer, json } from '../probes/support/server.js'
import { OWNER, type TestLedger } from './support/a-ledger.js'
import { asking, lost, MINUTE } from './support/asking.js'

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

describe('what a reading may settle', () => {
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
})
