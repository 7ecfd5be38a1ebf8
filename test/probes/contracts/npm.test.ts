import { describe, expect, it } from 'vitest'
import { aLedger } from '../../ledger/support/a-ledger.js'
import { startRegistry } from '../services/npm-registry.js'
import { contracted } from '../support/contract.js'

const MINUTE = 60_000

async function registry(lagMs = 0, given: Record<string, string> = {}) {
  const ledger = await aLedger()
  const fake = await startRegistry({ now: () => ledger.clock().at, lagMs })
  const env = { NPM_TOKEN: 'npm_token' }
  return {
    fake,
    ...contracted({ service: 'npm.publish', with: { registry: fake.url, ...given }, env, ledger }),
  }
}

const LIB_Y = { name: 'lib-y', version: '2.7.8', integrity: 'sha512-AAA' }

describe('npm.publish', () => {
  it('B2: confirms a version with our integrity, and not one that somebody published with other content', async () => {
    const { fake, lost, ask, ledger } = await registry()
    await lost('op-21', LIB_Y)
    fake.publish('lib-y', '2.7.8', 'sha512-AAA')
    expect(await ask('op-21')).toMatchObject({
      outcome: 'confirmed',
      external_ids: [{ kind: 'npm', value: 'lib-y@2.7.8' }],
    })
    const { evidence } = (await ledger.store.operation('op-21')) ?? {}
    expect(JSON.stringify(evidence?.at(-1)?.body)).toMatch(/2\.7\.8.*sha512-AAA|sha512-AAA.*2\.7\.8/)
    const other = await registry()
    await other.lost('op-21', LIB_Y)
    other.fake.publish('lib-y', '2.7.8', 'sha512-BBB')
    expect(await other.ask('op-21')).toMatchObject({
      outcome: 'in_doubt',
      waits_for: 'person',
      reason: expect.stringContaining('someone published different content'),
    })
  })

  it('B1: stays unknown where time has the version and versions has not, and shows both', async () => {
    const { fake, lost, ask, pastArrival } = await registry()
    await lost('op-20', { name: 'lib-x', version: '2.8.0-rc.1', integrity: 'sha512-AAA' })
    fake.publish('lib-x', '2.7.0', 'sha512-OLD')
    fake.half('lib-x', '2.8.0-rc.1')
    pastArrival()
    expect(await ask('op-20')).toMatchObject({
      outcome: 'in_doubt',
      status: 'unknown',
      rule: 'disagreement',
      reason: expect.stringContaining('the evidence disagrees'),
      facts: [expect.stringContaining('time has'), expect.stringContaining('versions does not have')],
      candidates: [],
    })
  })

  it('is not absent two hours after it was sent: publishing goes on behind the answer', async () => {
    const { fake, lost, ask, ledger } = await registry(120 * MINUTE)
    await lost('op-21', LIB_Y)
    fake.publish('lib-y', '1.0.0', 'sha512-OLD')
    ledger.clock.advance(119 * MINUTE)
    fake.publish('lib-y', '2.7.8', 'sha512-AAA')
    expect(await ask('op-21')).toMatchObject({ outcome: 'in_doubt' })
    ledger.clock.advance(120 * MINUTE)
    expect(await ask('op-21', { early: true })).toMatchObject({ outcome: 'confirmed' })
  })

  it('is absent after four hours by two reads of a package that can be seen', async () => {
    const { fake, lost, askTo } = await registry()
    await lost('op-21', LIB_Y)
    fake.publish('lib-y', '1.0.0', 'sha512-OLD')
    const said = await askTo('op-21', 3)
    expect(said.map(({ outcome }) => outcome)).toEqual(['in_doubt', 'in_doubt', 'not_executed'])
    const [first, second] = said.map(({ next_look_at }) => Date.parse(next_look_at ?? ''))
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(15 * MINUTE)
  })

  it('is never absent where the package is not seen, be it hidden or not there', async () => {
    for (const isThere of [true, false]) {
      const { fake, lost, ask, pastArrival } = await registry()
      await lost('op-21', LIB_Y)
      if (isThere) fake.publish('lib-y', '2.7.8', 'sha512-AAA')
      fake.hidden.add('lib-y')
      pastArrival()
      expect(await ask('op-21')).toMatchObject({
        outcome: 'in_doubt',
        status: 'unknown',
        waits_for: 'person',
      })
    }
    const seen = await registry(0, { authorization: 'Bearer {env.NPM_TOKEN}' })
    await seen.lost('op-21', LIB_Y)
    seen.fake.publish('lib-y', '2.7.8', 'sha512-AAA')
    seen.fake.hidden.add('lib-y')
    expect(await seen.ask('op-21')).toMatchObject({ outcome: 'confirmed' })
  })

  it.each([
    [{ status: 429, headers: { 'retry-after': '600' } }],
    [{ status: 503, times: 3 }],
    [{ cut: 'within' as const, times: 3 }],
  ])('concludes nothing from %j', async trouble => {
    const { fake, lost, ask, pastArrival } = await registry()
    await lost('op-21', LIB_Y)
    pastArrival()
    fake.trouble(trouble)
    expect(await ask('op-21')).toMatchObject({ outcome: 'probe_failed', status: 'unknown' })
  })
})
