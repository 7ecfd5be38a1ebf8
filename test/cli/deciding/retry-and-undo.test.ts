import { describe, expect, it } from 'vitest'
import { decisionCode } from '../../../src/core/decision-code.js'
import { open } from './opened.js'

const why = ['--reason', 'as agreed']
const REFUND = {
  tool: 'charge',
  effect: 'compensable',
  contract: { arrival_bound_ms: 0, compensate: { tool: 'refund', input: { of: '{external_id.ticket}' } } },
} as const

describe('allow-retry', () => {
  it('shows what would be sent again, asks, and says what takes it back', async () => {
    const { cli, rejected, operation } = await open()
    await rejected()
    const { code, out, err, asked } = await cli(['allow-retry', 'ticket-1', ...why], { answers: ['y'] })
    expect(code).toBe(0)
    expect(err).toContain('what is sent again:')
    expect(err).toContain('tool    tickets.create')
    expect(err).toContain('key     ')
    expect(asked).toEqual(['Send ticket-1 once more? [y/N] '])
    expect(out).toContain('ticket-1: not_executed → prepared')
    expect(out).toContain("undo: agent-ledger cancel --withdraw --reason '…' ticket-1")
    expect(await operation()).toMatchObject({ status: 'prepared', extra_attempts: 1 })
    const undone = await cli(['cancel', '--withdraw', 'ticket-1', ...why, '--yes'])
    expect([undone.code, (await operation())?.status]).toEqual([0, 'not_executed'])
  })

  it('of a doubt is refused until the risk is named, and then the code has to be typed', async () => {
    const { cli, lost, operation } = await open()
    await lost()
    const refused = await cli(['allow-retry', 'ticket-1', ...why, '--yes', '--json'])
    expect(refused.code).toBe(7)
    expect(JSON.parse(refused.err)).toMatchObject({
      rule: 'repeat_safe_or_accepted',
      hint: expect.stringContaining("agent-ledger allow-retry --accept-duplicate '…'"),
    })
    const unnamed = ['allow-retry', 'ticket-1', '--accept-duplicate', '…', ...why, '--yes']
    expect((await cli(unnamed)).code).toBe(7)
    const risky = ['allow-retry', 'ticket-1', '--accept-duplicate', 'the customer sees two tickets', ...why]
    const plain = await cli(risky, { answers: ['y'] })
    expect([plain.code, (await operation())?.status]).toEqual([130, 'unknown'])
    expect(plain.err).toContain('! it is sent again although it may have taken effect')
    const typed = await cli(risky, { answers: [decisionCode('ticket-1', 3)] })
    expect(typed.code).toBe(0)
    expect(await operation()).toMatchObject({
      status: 'prepared',
      flags: { accepted_duplicate: 'the customer sees two tickets', duplicate_allowed: true },
    })
    const report = JSON.parse((await cli(['report', 'task-1', '--json'])).out)
    expect(report.violations).toMatchObject([
      { rule: 'duplicate_accepted', reason: 'a duplicate was accepted: the customer sees two tickets' },
    ])
  })

  it('takes a cancel back, and is refused while a cancel of what was sent is asked', async () => {
    const { cli, prepared, lost, operation } = await open()
    await prepared()
    await cli(['cancel', 'ticket-1', ...why, '--yes'])
    expect((await operation())?.status).toBe('cancelled')
    expect((await cli(['allow-retry', 'ticket-1', ...why, '--yes'])).code).toBe(0)
    expect(await operation()).toMatchObject({ status: 'prepared', cancel_requested_at: null })
    await lost({ operation_id: 'ticket-2', input: { n: 2 } })
    await cli(['cancel', 'ticket-2', ...why, '--yes'])
    const refused = await cli([
      'allow-retry',
      'ticket-2',
      '--accept-duplicate',
      'x',
      ...why,
      '--yes',
      '--json',
    ])
    expect([refused.code, JSON.parse(refused.err).rule]).toEqual([7, 'no_cancel_asked'])
  })
})

describe('compensate', () => {
  it('shows what undoes it, asks, and prints its id and how it gets sent', async () => {
    const { cli, confirmed, operation } = await open()
    await confirmed(REFUND)
    const { code, out, err, asked } = await cli(['compensate', 'ticket-1', ...why], { answers: ['y'] })
    expect(code).toBe(0)
    expect(err).toContain('ticket-1 (charge) is confirmed: what it did stays visible')
    expect(err).toContain('undone by ticket-1/undo/refund')
    expect(err).toContain('input   {"of":"T-1"}')
    expect(asked).toEqual(['Undo ticket-1? [y/N] '])
    expect(out).toContain(
      'ticket-1/undo/refund is written down and not sent: whoever carries refund out sends it',
    )
    expect(out).toContain("undo: agent-ledger cancel --reason '…' ticket-1/undo/refund")
    expect(await operation('ticket-1/undo/refund')).toMatchObject({
      status: 'prepared',
      compensates: 'ticket-1',
    })
    const again = await cli(['compensate', 'ticket-1', ...why, '--yes'])
    expect([again.code, again.out]).toEqual([0, expect.stringContaining('is there already and not sent')])
    const shown = await cli(['show', 'ticket-1'])
    expect(shown.out).toContain('ticket-1/undo/refund is to undo it: prepared')
  })

  it('goes with its task when that is cancelled, and it is said what stays done', async () => {
    const { cli, confirmed } = await open()
    await confirmed(REFUND)
    await cli(['compensate', 'ticket-1', ...why, '--yes'])
    const { code, err } = await cli(['cancel', 'task-1', ...why, '--yes'])
    expect(code).toBe(0)
    expect(err).toContain('ticket-1 is not undone: ticket-1/undo/refund was to do that, and is cancelled')
  })

  it('of what is unknown is refused: find out first', async () => {
    const { cli, lost } = await open()
    await lost(REFUND)
    const { code, err } = await cli(['compensate', 'ticket-1', ...why, '--yes', '--json'])
    expect(code).toBe(7)
    expect(JSON.parse(err)).toMatchObject({
      rule: 'is_confirmed',
      hint: expect.stringContaining('find out first'),
    })
  })

  it('says by the effect what can be done where its tool declares nothing', async () => {
    const { cli, confirmed } = await open()
    await confirmed({ effect: 'irreversible' })
    const { code, err } = await cli(['compensate', 'ticket-1', ...why, '--yes'])
    expect(code).toBe(7)
    expect(err).toContain('declares no compensation, and nothing undoes it')
  })
})
