import { describe, expect, it } from 'vitest'
import type { ResolveOptions } from '../../src/ledger/decisions.js'
import { aLedger, OWNER, type TestLedger } from './support/a-ledger.js'
import { absent, HOUR, ledgerEvents, seen } from './support/deciding.js'

describe('resolving by hand', () => {
  it('settles what is unknown, keeps the evidence and the result, and says by whom for ever', async () => {
    const ledger = await aLedger()
    await ledger.lost()
    const how = {
      ...seen,
      result: { id: 'T-1' },
      externalIds: [{ kind: 'ticket', value: 'T-1', url: 'https://tickets/T-1' }],
      expectVersion: 3,
    }
    const decided = await ledger.as('flag:ana').resolve('ticket-1', how)
    expect(decided).toMatchObject({
      decision: 'resolve_confirmed',
      before: { status: 'unknown', version: 3 },
      after: { status: 'confirmed', version: 4, settled_by: 'person', result: { id: 'T-1' } },
      repeated: false,
      undo: "agent-ledger reopen --reason '…' ticket-1",
    })
    const record = await ledger.store.operation('ticket-1')
    expect(record?.operation.by_hand).toMatchObject({ by: 'flag:ana' })
    expect(record?.external_ids).toMatchObject([{ kind: 'ticket', value: 'T-1' }])
    expect(record?.evidence).toMatchObject([
      { kind: 'attestation', origin: 'attested', actor: 'flag:ana', body: 'https://tickets/T-1' },
    ])
    const reopened = await ledger.as('flag:bo').reopen('ticket-1', { reason: 'wrong ticket' })
    expect(reopened.after.by_hand).toMatchObject({ by: 'flag:ana' })
  })

  it('settles what was refused before as done by hand, and keeps the error', async () => {
    const ledger = await aLedger()
    await ledger.rejected()
    const { after } = await ledger
      .as('flag:ana')
      .resolve('ticket-1', { ...seen, evidence: ['ticket OPS-12'] })
    expect(after).toMatchObject({
      status: 'confirmed',
      by_hand: { by: 'flag:ana' },
      last_error: { message: 'quota exceeded' },
    })
  })

  it.each([
    ['without evidence', { ...seen, evidence: [] }, 'evidence_given'],
    ['with blank evidence', { ...seen, evidence: ['  '] }, 'evidence_given'],
    ['without a reason', { ...seen, reason: ' ' }, 'reason_given'],
  ])('is refused %s, on the record', async (_, how, rule) => {
    const ledger = await aLedger()
    await ledger.lost()
    await expect(ledger.as('flag:ana').resolve('ticket-1', how)).rejects.toMatchObject({
      code: 'refused',
      rule,
    })
    expect(await ledgerEvents(ledger)).toMatchObject([
      {
        type: 'refused',
        about: 'ticket-1',
        actor: 'flag:ana',
        body: { decision: 'resolve_confirmed', rule },
      },
    ])
    expect((await ledger.store.operation('ticket-1'))?.operation.version).toBe(3)
  })

  it('is possible without evidence for whoever says so, and stays marked', async () => {
    const ledger = await aLedger()
    await ledger.lost()
    ledger.clock.advance(HOUR)
    const risk = { as: 'not_executed', withoutEvidence: true, reason: 'accepting the risk' } as const
    const { after } = await ledger.as('flag:ana').resolve('ticket-1', risk)
    expect(after).toMatchObject({ status: 'not_executed', flags: { without_evidence: true } })
    const record = await ledger.store.operation('ticket-1')
    expect(record?.evidence).toMatchObject([{ kind: 'attestation', body: { without_evidence: true } }])
  })

  it('as not executed waits until nothing can arrive any more, or says that it is early', async () => {
    const ledger = await aLedger()
    await ledger.lost()
    await expect(ledger.as('flag:ana').resolve('ticket-1', absent)).rejects.toMatchObject({
      code: 'refused',
      rule: 'arrival_passed_or_early',
    })
    const early = await ledger.as('flag:ana').resolve('ticket-1', { ...absent, early: true })
    expect(early.after).toMatchObject({
      status: 'not_executed',
      may_have_applied: true,
      flags: { early: true },
    })
    expect(early.still_sending).toMatchObject([{ operation_id: 'ticket-1', attempt: 1, owner: OWNER }])
  })

  it('compares the target with what was touched', async () => {
    const ledger = await aLedger()
    await ledger.lost({ target: 'release/v2.1.0' })
    const how = { ...seen, externalIds: [{ kind: 'release', value: 'v2.1.0-rc1' }] }
    await expect(ledger.as('flag:ana').resolve('ticket-1', how)).rejects.toMatchObject({
      code: 'refused',
      rule: 'target_as_asked',
      message: 'the target differs: asked v2.1.0, touched v2.1.0-rc1',
    })
    const { after } = await ledger.as('flag:ana').resolve('ticket-1', { ...how, otherTarget: true })
    expect(after.flags).toEqual({ accepted_target: 'asked v2.1.0, touched v2.1.0-rc1' })
  })

  it('keeps a large result by digest alone', async () => {
    const ledger = await aLedger()
    await ledger.lost()
    const { after } = await ledger
      .as('flag:ana')
      .resolve('ticket-1', { ...seen, result: 'x'.repeat(300_000) })
    expect(after).toMatchObject({ status: 'confirmed', result: null })
    expect(after.result_digest).toMatch(/^sha256:/)
  })

  it('masks secrets in what it stores', async () => {
    const ledger = await aLedger()
    await ledger.lost()
    const token = `ghp_${'a1'.repeat(18)}`
    const how = { ...seen, evidence: [`curl -H "Authorization: Bearer ${token}"`], reason: `used ${token}` }
    await ledger.as('flag:ana').resolve('ticket-1', how)
    const all = JSON.stringify([
      await ledger.store.operation('ticket-1'),
      await ledger.store.events({ limit: 100 }),
    ])
    expect(all).not.toContain(token)
  })

  it.each([
    [{ ...seen, early: true }, 'early is for not_executed'],
    [{ ...absent, result: 1 }, 'result belong to what took effect'],
    [{ ...absent, externalIds: [{ kind: 'a', value: 'b' }] }, 'external ids belong'],
    [{ ...seen, externalIds: [{ kind: 'a', value: 'b\u0000' }] }, 'does not fit'],
    [{ ...seen, withoutEvidence: true }, 'evidence was given, and that there is none'],
    [{ ...seen, reason: 'a\ud800' }, 'lone surrogates'],
    [{ ...seen, reason: 'x'.repeat(70_000) }, 'at most 65536 fit'],
    [{ ...seen, expectVersion: 0 }, 'version 0 is no version'],
    [{ ...seen, evidense: ['x'] }, '"evidense" means nothing here'],
  ])('refuses what makes no sense: %j', async (how, says) => {
    const ledger = await aLedger()
    await ledger.lost()
    await expect(ledger.as('flag:ana').resolve('ticket-1', how as ResolveOptions)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining(says),
    })
  })
})

describe('a decision on one in flight', () => {
  it('is refused while its executor may live', async () => {
    const ledger = await aLedger()
    await ledger.inFlight()
    await expect(ledger.as('flag:ana').resolve('ticket-1', seen)).rejects.toMatchObject({
      code: 'refused',
      rule: 'executor_gone',
    })
    expect((await ledger.store.operation('ticket-1'))?.operation.status).toBe('in_flight')
  })

  it.each([
    ['its lease has run out', (ledger: TestLedger) => ledger.clock.advance(61_000), 'lease_lapsed'],
    ['its owner is gone', (ledger: TestLedger) => ledger.gone.add(OWNER), 'owner_gone'],
  ])(
    'orphans it first in the same commit when %s, by the version the person saw',
    async (_, happens, why) => {
      const ledger = await aLedger()
      await ledger.inFlight()
      happens(ledger)
      const decided = await ledger.as('flag:ana').resolve('ticket-1', { ...seen, expectVersion: 2 })
      expect(decided).toMatchObject({ before: { version: 2 }, after: { status: 'confirmed', version: 4 } })
      const events = await ledger.store.events({ about: { operation_id: 'ticket-1' }, limit: 10 })
      expect(events.slice(2)).toMatchObject([
        { type: 'orphan', body: { facts: { why } } },
        { type: 'resolve_confirmed' },
      ])
    },
  )

  it('takes the word of a person only where the writer uses no leases', async () => {
    const ledger = await aLedger()
    await ledger.inFlight({}, null)
    await ledger.as('flag:ana').resolve('ticket-1', { ...seen, reason: 'the pod was deleted' })
    const events = await ledger.store.events({
      about: { operation_id: 'ticket-1' },
      type: 'orphan',
      limit: 10,
    })
    expect(events).toMatchObject([{ body: { facts: { why: 'person' }, reason: 'the pod was deleted' } }])
  })
})

describe('whoever comes second', () => {
  it('is told who decided what and when, and nothing changes', async () => {
    const ledger = await aLedger()
    await ledger.lost()
    await ledger.as('flag:ana').resolve('ticket-1', seen)
    ledger.clock.advance(5_000)
    await expect(ledger.as('flag:bo').resolve('ticket-1', { ...absent, early: true })).rejects.toMatchObject({
      code: 'conflict',
      rule: 'not_settled_yet',
      facts: {
        decided: 'resolve confirmed, now confirmed',
        by: 'flag:ana',
        at: '2026-03-10T12:00:00.000Z',
        because: 'I see it',
      },
    })
    expect((await ledger.store.operation('ticket-1'))?.operation).toMatchObject({
      status: 'confirmed',
      version: 4,
    })
  })

  it('is refused by the version they looked at, whatever came between', async () => {
    const ledger = await aLedger()
    await ledger.lost()
    await ledger.as('flag:ana').cancel('ticket-1', { reason: 'not wanted' })
    await expect(
      ledger.as('flag:bo').resolve('ticket-1', { ...seen, expectVersion: 3 }),
    ).rejects.toMatchObject({
      code: 'conflict',
      rule: 'version_as_seen',
      message: 'ticket-1 is unknown at version 4 now, you looked at version 3',
      facts: { decided: 'cancel, now unknown', by: 'flag:ana' },
    })
  })

  it('of two at the same moment is told so, and the first one stands', async () => {
    const ledger = await aLedger()
    await ledger.lost()
    const ends = await Promise.allSettled([
      ledger.as('flag:ana').resolve('ticket-1', { ...seen, expectVersion: 3 }),
      ledger.as('flag:bo').abandon('ticket-1', { reason: 'nobody knows', expectVersion: 3 }),
    ])
    expect(ends).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: { code: 'conflict', facts: { by: 'flag:ana' } } },
    ])
  })

  it('with the same decision id changes nothing and is no error', async () => {
    const ledger = await aLedger()
    await ledger.lost()
    const how = { ...seen, decisionId: 'd-1' }
    await ledger.as('flag:ana').resolve('ticket-1', how)
    const again = await ledger.as('flag:ana').resolve('ticket-1', how)
    expect(again).toMatchObject({ repeated: true, after: { version: 4, status: 'confirmed' } })
    await ledger.lost({ operation_id: 'ticket-2' })
    await expect(ledger.as('flag:ana').resolve('ticket-2', how)).rejects.toMatchObject({ code: 'conflict' })
  })
})
