import { describe, expect, it } from 'vitest'
import type { Ask } from '../../src/ledger/asked-decision.js'
import { aLedger, OWNER, type TestLedger } from './support/a-ledger.js'

const IDS = ['op-1', 'op-2', 'op-3', 'op-4', 'op-5']
const ABSENT: Ask = {
  type: 'resolve',
  how: { as: 'not_executed', evidence: ['searched'], reason: 'not there', early: true },
}

async function fiveUnknown(ledger: TestLedger) {
  for (const operation_id of IDS)
    await ledger.lost({
      operation_id,
      idempotency_key: `key of ${operation_id}`,
      repeat: { kind: 'conditional', names: 'permanent' },
    })
  return IDS.map(operationId => ({
    operationId,
    ask: { ...ABSENT, how: { ...ABSENT.how, expectVersion: 3 } } as Ask,
  }))
}

async function statuses({ store }: TestLedger) {
  return Promise.all(IDS.map(async id => (await store.operation(id))?.operation.status))
}

async function busyAgain(ledger: TestLedger) {
  await ledger.ask('op-5', { type: 'resend' })
  await ledger.ask('op-5', { type: 'send', owner: OWNER, lease_ms: 60_000, epoch: null, fence: null })
}

describe('one decision on many', () => {
  it('is one commit', async () => {
    const ledger = await aLedger()
    const asks = await fiveUnknown(ledger)
    const { decided, skipped } = await ledger.as('flag:ana').decideAll(asks)
    expect(decided.map(({ operation_id }) => operation_id)).toEqual(IDS)
    expect(skipped).toEqual([])
    expect(await statuses(ledger)).toEqual(IDS.map(() => 'not_executed'))
    expect(await ledger.store.verify()).toMatchObject({ findings: [] })
  })

  it('is carried out on none when one of them changed meanwhile, and names it with its new state', async () => {
    const ledger = await aLedger()
    const asks = await fiveUnknown(ledger)
    await busyAgain(ledger)
    await expect(ledger.as('flag:ana').decideAll(asks)).rejects.toMatchObject({
      code: 'conflict',
      rule: 'version_as_seen',
      message: 'none of 5 was decided: op-5 is in_flight at version 5 now, you looked at version 3',
    })
    expect(await statuses(ledger)).toEqual(['unknown', 'unknown', 'unknown', 'unknown', 'in_flight'])
    const events = await ledger.store.events({ about: { operation_id: 'op-5' }, type: 'refused', limit: 9 })
    expect(events).toHaveLength(1)
  })

  it('leaves out those that changed where that is asked for, and says which', async () => {
    const ledger = await aLedger()
    const asks = await fiveUnknown(ledger)
    await busyAgain(ledger)
    const { decided, skipped } = await ledger.as('flag:ana').decideAll(asks, { skipChanged: true })
    expect(decided).toHaveLength(4)
    expect(skipped).toMatchObject([{ id: 'op-5', rule: 'version_as_seen' }])
    expect(await statuses(ledger)).toEqual([...Array(4).fill('not_executed'), 'in_flight'])
  })

  it('is never carried out in part against a safety rule, whatever may be left out', async () => {
    const ledger = await aLedger()
    const asks = await fiveUnknown(ledger)
    const [first, ...rest] = asks
    if (first === undefined) throw new Error('there are five')
    const late = {
      operationId: first.operationId,
      ask: { ...ABSENT, how: { ...ABSENT.how, early: false } } as Ask,
    }
    await expect(
      ledger.as('flag:ana').decideAll([late, ...rest], { skipChanged: true }),
    ).rejects.toMatchObject({ code: 'refused', rule: 'arrival_passed_or_early' })
    expect(await statuses(ledger)).toEqual(IDS.map(() => 'unknown'))
  })

  it('names an operation that is not there, and decides nothing', async () => {
    const ledger = await aLedger()
    const asks = await fiveUnknown(ledger)
    await expect(
      ledger.as('flag:ana').decideAll([...asks, { operationId: 'op-6', ask: ABSENT }]),
    ).rejects.toMatchObject({ code: 'not_found' })
    expect(await statuses(ledger)).toEqual(IDS.map(() => 'unknown'))
  })
})
