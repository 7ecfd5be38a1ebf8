import { describe, expect, onTestFinished, test } from 'vitest'
import type { LedgerEvent } from '../../../src/index.js'
import { notExecuted } from '../../../src/index.js'
import { openLedger } from '../../../src/ledger.js'
import { aCall, aPath, held } from '../support/ledgers.js'

describe('Events', () => {
  test('tell the life of an operation in order, each after it is durable', async () => {
    const { ledger, events, path } = await listened()
    await ledger.run(aCall({ phase: 'triage', target: 'queue-1' }), async () => {
      const other = await openLedger(path, { telemetry: false })
      onTestFinished(() => other.close())
      expect(await other.run(aCall({ target: 'queue-1' }), () => 1)).toMatchObject({ status: 'in_progress' })
      expect(namesOf(events)).toEqual(['prepared prepared', 'sent in_flight'])
      return { id: 'T-1' }
    })
    expect(namesOf(events)).toEqual(['prepared prepared', 'sent in_flight', 'confirmed confirmed'])
    expect(events[2]).toMatchObject({
      move: 'confirm',
      by: 'agent',
      operation_id: 'ticket-1',
      task_id: 'task-1',
      phase: 'triage',
      tool: 'tickets.create',
      target: 'queue-1',
      attempts: 1,
      error: null,
      next_action: { next_action: 'none' },
    })
  })

  test('tell a doubt with what to do next, and that a repeat was refused', async () => {
    const { ledger, events } = await listened()
    await ledger.run(aCall(), () => Promise.reject(new Error('the answer is lost')))
    await ledger.run(aCall(), () => 1)
    expect(namesOf(events)).toEqual([
      'prepared prepared',
      'sent in_flight',
      'unknown unknown',
      'refused unknown',
    ])
    expect(events[2]).toMatchObject({
      error: { rule: 'thrown', message: 'the answer is lost' },
      may_have_applied: true,
      next_action: { next_action: 'ask_person', safe_to_repeat: false },
    })
    expect(events[3]).toMatchObject({ move: null, reason: expect.stringContaining('may have taken effect') })
  })

  test('tell what certainly did not happen, and that it is tried again', async () => {
    const { ledger, events } = await listened()
    await ledger.run(aCall(), () => Promise.reject(notExecuted('the queue is closed')))
    await ledger.run(aCall(), () => 1)
    expect(namesOf(events).slice(2)).toEqual([
      'not_executed not_executed',
      'retry_allowed prepared',
      'sent in_flight',
      'confirmed confirmed',
    ])
  })

  test('tell what persons decide through the same handle, and late results', async () => {
    const { ledger, events } = await listened()
    const answer = held<string>()
    const outcome = ledger.run(aCall(), () => answer.promise)
    await expect.poll(() => namesOf(events).at(-1)).toBe('sent in_flight')
    await ledger.takeover('task-1', 'it is on fire')
    answer.resolve('T-1')
    await outcome
    expect(namesOf(events).slice(2)).toEqual(['taken_over unknown', 'late confirmed'])
  })

  test('tell of a lost lease', async () => {
    const { ledger, events, path } = await listened()
    const outcome = ledger.run(aCall({ leaseMs: 100 }), async ({ heartbeat }) => {
      const other = await openLedger(path, { telemetry: false })
      await other.takeover('task-1', 'it is on fire')
      await other.close()
      await heartbeat()
    })
    await outcome
    expect(namesOf(events)).toContain('lease_lost in_flight')
  })

  test('hold no secret', async () => {
    const { ledger, events } = await listened()
    const secret = 'sk_live_4242424242424242abcdABCD'
    const call = aCall({ target: `https://ana:${secret}@tickets.example`, step: `with ${secret}` })
    await ledger.run(call, () => Promise.reject(new Error(`Authorization: Bearer ${secret}`)))
    await ledger.run(call, () => 1)
    expect(events.length).toBe(4)
    expect(JSON.stringify(events)).not.toContain(secret)
  })

  test.each([
    [
      'throws',
      () => {
        throw new Error('the logger is broken')
      },
    ],
    ['rejects', () => Promise.reject(new Error('the logger is broken'))],
  ])('decide nothing: a listener that %s changes no outcome', async (_, onEvent) => {
    const ledger = await openLedger(aPath(), { telemetry: false, onEvent })
    onTestFinished(() => ledger.close())
    expect(await ledger.run(aCall(), () => 'T-1')).toMatchObject({ status: 'confirmed', result: 'T-1' })
  })
})

async function listened() {
  const path = aPath()
  const events: LedgerEvent[] = []
  const ledger = await openLedger(path, { telemetry: false, onEvent: event => events.push(event) })
  onTestFinished(() => ledger.close())
  return { ledger, events, path }
}

function namesOf(events: readonly LedgerEvent[]): string[] {
  return events.map(({ type, status }) => `${type} ${status}`)
}
