import { describe, expect, it } from 'vitest'
import type { Looking } from '../../../src/ledger/looking.js'
import { showPage } from '../../../src/report/page/show-page.js'
import { pageText } from '../../../src/report/text.js'
import { PLAIN } from '../../report/style.js'
import { aSeenLedger, asPublished } from './support.js'

const MINUTE = 60_000

async function actionsOf(see: Looking, id: string) {
  const { document } = await see.show(id)
  asPublished('show@1', document)
  return new Map(document.actions.map(action => [action.action, action]))
}

async function allowedOf(see: Looking, id: string): Promise<string[]> {
  return [...(await actionsOf(see, id))].filter(([, { allowed }]) => allowed).map(([name]) => name)
}

describe('what a person can do', () => {
  const always = ['claim', 'note', 'takeover']

  it('is what the table of moves allows in each status, nothing more', async () => {
    const { see, clock, as, ...ledger } = await aSeenLedger()
    await ledger.prepared({ operation_id: 'prepared', input: 1 })
    await ledger.inFlight({ operation_id: 'flying', input: 2 }, 1000 * MINUTE)
    await ledger.lost({ operation_id: 'lost', input: 3 })
    await ledger.confirmed({ operation_id: 'done', input: 4 })
    await ledger.rejected({ operation_id: 'refused', input: 5 })
    await ledger.lost({ operation_id: 'given-up', input: 6 })
    await as('ana').abandon('given-up', { reason: 'nobody knows' })
    expect(await allowedOf(see, 'prepared')).toEqual(['cancel', 'deny', 'defer', ...always])
    expect(await allowedOf(see, 'flying')).toEqual(['cancel', 'deny', 'defer', ...always])
    expect(await allowedOf(see, 'lost')).toEqual([
      'resolve_confirmed',
      'cancel',
      'deny',
      'abandon',
      'defer',
      ...always,
    ])
    expect(await allowedOf(see, 'done')).toEqual(['reopen', ...always])
    expect(await allowedOf(see, 'refused')).toEqual(['resolve_confirmed', 'allow_retry', 'reopen', ...always])
    expect(await allowedOf(see, 'given-up')).toEqual(['reopen', ...always])
    clock.advance(60 * MINUTE)
    expect(await allowedOf(see, 'lost')).toContain('resolve_not_executed')
  })

  it('says why not, by which rule, and what would satisfy it', async () => {
    const { see, ...ledger } = await aSeenLedger()
    await ledger.lost()
    const refused = (await actionsOf(see, 'ticket-1')).get('resolve_not_executed')
    expect(refused).toMatchObject({
      allowed: false,
      refusal: { rule: 'arrival_passed_or_early', satisfy: expect.stringContaining('--early') },
      note: 'it would be allowed with --early',
    })
  })

  it('is allowed exactly where the decision itself is carried out', async () => {
    const { see, as, gone, ...ledger } = await aSeenLedger()
    const { operation } = await ledger.inFlight()
    const how = { as: 'confirmed', evidence: ['seen'], reason: 'looked' } as const
    const action = (await actionsOf(see, 'ticket-1')).get('resolve_confirmed')
    expect(action?.refusal?.rule).toBe('executor_gone')
    await expect(as('ana').resolve('ticket-1', how)).rejects.toMatchObject({ rule: 'executor_gone' })
    gone.add(operation.lease_owner ?? '')
    expect((await actionsOf(see, 'ticket-1')).get('resolve_confirmed')).toMatchObject({ to: 'confirmed' })
    expect((await as('ana').resolve('ticket-1', how)).after.status).toBe('confirmed')
  })

  it('prints lines that name the version and can be pasted, whatever the id', async () => {
    const { see, ...ledger } = await aSeenLedger()
    const ids = [
      'a.b.Svc/Act(product,query,year:2024 month:4 day:10)',
      "x_'some|value'",
      '100%',
      'a/../b',
      '..',
      '-rf',
    ]
    for (const operation_id of ids) {
      await ledger.lost({ operation_id, input: operation_id })
      const { document } = await see.show(operation_id)
      expect(document.operation_id).toBe(operation_id)
      expect(document.actions[0]?.command).toContain(`--expect-version ${document.version}`)
    }
    const dashed = (await see.show('-rf')).document.actions[0]?.command
    expect(dashed).toMatch(/ -- -rf$/)
  })
})

describe('an operation shown', () => {
  it('tells the story of one that was lost, doubted, and settled by hand', async () => {
    const { see, clock, as, ...ledger } = await aSeenLedger()
    await ledger.lost({ contract: { look_here: { url: 'https://t.example/1', check: 'curl t/1' } } })
    clock.advance(MINUTE)
    await expect(
      as('eve').resolve('ticket-1', { as: 'not_executed', evidence: ['no'], reason: 'not there' }),
    ).rejects.toMatchObject({ code: 'refused' })
    await as('ana').note('ticket-1', 'asked support')
    await as('lee').resolve('ticket-1', { as: 'confirmed', evidence: ['T-9'], reason: 'it is there' })
    const { document } = await see.show('ticket-1')
    asPublished('show@1', document)
    expect(document).toMatchObject({
      status: 'confirmed',
      // what went wrong on the way stands with the attempt; nothing is wrong now
      state: { by_hand: { by: 'lee' }, last_error: null },
      attempts: [{ error: { message: 'socket hang up' } }],
      evidence: [{ origin: 'attested', actor: 'lee' }],
      notes: [{ body: 'asked support', actor: 'ana' }],
    })
    expect(document.history.map(({ type, actor }) => [type, actor])).toEqual([
      ['prepare', 'agent'],
      ['send', 'agent'],
      ['lose', 'agent'],
      ['refused', 'eve'],
      ['note', 'ana'],
      ['resolve_confirmed', 'lee'],
    ])
    const text = pageText(showPage(document), PLAIN)
    for (const line of ['https://t.example/1', 'check: curl t/1', 'settled by hand (lee)', 'socket hang up'])
      expect(text).toContain(line)
  })

  it('says of one whose process is gone that it is gone, not when its lease ends', async () => {
    const { see, gone, ...ledger } = await aSeenLedger()
    const { operation } = await ledger.inFlight()
    const textOf = async () => pageText(showPage((await see.show('ticket-1')).document), PLAIN)
    expect(await textOf()).toContain('its lease ends')
    gone.add(operation.lease_owner ?? '')
    expect(await textOf()).toContain('the process that sent it is gone')
    expect(await textOf()).not.toContain('its lease ends')
  })

  it('finds an id that is spelled with other characters and looks the same', async () => {
    const { see, ...ledger } = await aSeenLedger()
    const [composed, decomposed] = ['caf\u00e9', 'cafe\u0301']
    await ledger.lost({ operation_id: composed, input: 1 })
    const found = await see.show(decomposed)
    expect(found.document.operation_id).toBe(composed)
    expect(found.note).toContain('looks the same')
    await ledger.lost({ operation_id: decomposed, input: 2 })
    const exact = await see.show(decomposed)
    expect(exact.document.operation_id).toBe(decomposed)
    expect(exact.note).toContain('another id looks the same')
    expect((await see.show(composed)).document.operation_id).toBe(composed)
  })

  it('says what ids are near one that is not there', async () => {
    const { see, ...ledger } = await aSeenLedger()
    await ledger.lost({ operation_id: 'op-62' })
    await expect(see.show('op-26')).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('op-62'),
    })
  })
})
