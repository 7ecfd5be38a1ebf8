import { describe, expect, it } from 'vitest'
import { aLedger } from '../../ledger/support/a-ledger.js'
import { startStripe } from '../services/stripe.js'
import { contracted } from '../support/contract.js'

const MINUTE = 60_000
const INPUT = { amount: 500, currency: 'eur' }
const mark = (id: string) => ({ metadata: { operation_id: id } })

async function stripe(given: Record<string, string> = {}, options = {}, service = 'stripe.v1') {
  const ledger = await aLedger()
  const fake = await startStripe({ now: () => ledger.clock().at, ...options })
  const env = { STRIPE_API_KEY: 'sk_live_writer', TESTING: 'sk_test_writer', RESTRICTED: 'rk_live_some' }
  const object = service === 'stripe.v1' ? 'charges' : 'core/charges'
  const version: Record<string, string> =
    service === 'stripe.v1' ? {} : { stripe_version: '2026-10-28.preview' }
  const shop = contracted({ service, with: { object, api: fake.url, ...version, ...given }, env, ledger })
  return { fake, ...shop }
}

describe('stripe.v1', () => {
  it('confirms the charge with our metadata, on whatever page, and names it', async () => {
    const { fake, lost, ask, ledger } = await stripe()
    await lost('op-1', INPUT)
    fake.add(mark('op-1'))
    for (const n of [1, 2, 3]) fake.add(mark(`op-1${n}`))
    expect(await ask('op-1')).toMatchObject({
      outcome: 'confirmed',
      external_ids: [{ kind: 'stripe_object', value: 'ch_1' }],
    })
    expect(fake.requests.at(-1)?.url).toContain('starting_after=ch_3')
    expect((await ledger.store.operation('op-1'))?.operation.result).toEqual({
      id: 'ch_1',
      status: 'succeeded',
    })
  })

  it('is absent only late enough and twice, with the key of the same mode', async () => {
    const { lost, askTo } = await stripe({}, { lagMs: MINUTE })
    await lost('op-1', INPUT)
    expect((await askTo('op-1', 3)).map(({ outcome }) => outcome)).toEqual([
      'in_doubt',
      'in_doubt',
      'not_executed',
    ])
  })

  it.each([
    ['a key of the test mode', { key: 'TESTING' }],
    ['a restricted key that may not read the balance', { key: 'RESTRICTED' }],
  ])('never takes for absent what %s does not see', async (_, given) => {
    const { fake, lost, ask, pastArrival } = await stripe(given)
    await lost('op-1', INPUT)
    fake.add(mark('op-1'))
    pastArrival()
    const { outcome, waits_for } = await ask('op-1')
    // The restricted key sees the charge; what it does not see it may not be allowed to.
    expect(outcome).toBe(given.key === 'RESTRICTED' ? 'confirmed' : 'in_doubt')
    if (given.key === 'TESTING') expect(waits_for).toBe('person')
  })

  it('asks for the connected account that it was made for', async () => {
    const { fake, lost, ask, pastArrival } = await stripe({ account: 'acct_2' })
    await lost('op-1', INPUT)
    fake.add({ ...mark('op-1'), account: 'acct_2' })
    pastArrival()
    expect(await ask('op-1')).toMatchObject({
      outcome: 'confirmed',
      external_ids: [{ scope: 'acct_2' }],
    })
  })

  it('hands to a person a charge of ours that failed, and one of the same amount without a mark', async () => {
    for (const object of [{ ...mark('op-1'), status: 'failed' }, {}]) {
      const { fake, lost, ask, pastArrival } = await stripe()
      await lost('op-1', INPUT)
      fake.add(object)
      pastArrival()
      expect(await ask('op-1')).toMatchObject({
        outcome: 'in_doubt',
        rule: 'candidates',
        waits_for: 'person',
      })
    }
  })

  it('marks two charges for one', async () => {
    const { fake, lost, ask } = await stripe()
    await lost('op-1', INPUT)
    fake.add(mark('op-1'))
    fake.add(mark('op-1'))
    expect(await ask('op-1')).toMatchObject({
      duplicates: true,
      reason: '2 found for 1 intended: stripe_object ch_2, stripe_object ch_1',
    })
  })

  it.each([
    [429, 'rate_limited'],
    [401, 'unauthorized'],
    [500, 'server_error'],
  ])('concludes nothing from %i', async status => {
    const { fake, lost, ask, pastArrival } = await stripe()
    await lost('op-1', INPUT)
    pastArrival()
    fake.trouble({ on: '/charges', status, headers: { 'retry-after': '60' }, times: 3 })
    expect(await ask('op-1')).toMatchObject({ outcome: 'probe_failed', status: 'unknown' })
  })

  it('concludes nothing where the list breaks off', async () => {
    const { fake, lost, ask, pastArrival } = await stripe()
    await lost('op-1', INPUT)
    for (const _ of [1, 2, 3]) fake.add(mark('other'))
    pastArrival()
    fake.trouble({ on: 'starting_after', cut: 'within', times: 3 })
    expect(await ask('op-1')).toMatchObject({ outcome: 'probe_failed', status: 'unknown' })
  })
})

describe('stripe.v2', () => {
  it('reads the pages it is led to, and says absent of what is on none of them', async () => {
    const { fake, lost, ask, askTo, pastArrival } = await stripe({}, {}, 'stripe.v2')
    await lost('op-1', INPUT)
    await lost('op-2', { amount: 7, currency: 'eur' })
    fake.add(mark('op-1'))
    for (const _ of [1, 2, 3]) fake.add(mark('other'))
    expect(await ask('op-1')).toMatchObject({ outcome: 'confirmed' })
    pastArrival()
    expect((await askTo('op-2', 2)).at(-1)).toMatchObject({ outcome: 'not_executed' })
  })
})
