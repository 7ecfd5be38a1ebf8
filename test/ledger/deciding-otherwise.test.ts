import { describe, expect, it } from 'vitest'
import { aLedger, OWNER } from './support/a-ledger.js'
import { absent, HOUR, ledgerEvents, seen } from './support/deciding.js'

describe('the other decisions on an operation', () => {
  it('reopen doubts what was settled, and names the command that settles it again', async () => {
    const ledger = await aLedger()
    await ledger.confirmed()
    const decided = await ledger.as('flag:ana').reopen('ticket-1', { reason: 'the ticket is empty' })
    expect(decided).toMatchObject({
      after: { status: 'unknown', flags: { reopened: true } },
      undo: "agent-ledger resolve --as confirmed --evidence '…' --reason '…' ticket-1",
    })
  })

  it('abandon ends the asking, from in flight too when its executor is gone', async () => {
    const ledger = await aLedger()
    await ledger.inFlight()
    ledger.gone.add(OWNER)
    const { after } = await ledger.as('flag:ana').abandon('ticket-1', { reason: 'nobody knows' })
    expect(after).toMatchObject({ status: 'abandoned', by_hand: { by: 'flag:ana' } })
  })

  it.each([
    ['cancelled, when nothing was sent', 'prepared', 'cancelled'],
    ['unknown still, when it may have applied', 'lost', 'unknown'],
    ['in flight still, asked to stop', 'inFlight', 'in_flight'],
  ] as const)('cancel leaves it %s', async (_, state, status) => {
    const ledger = await aLedger()
    await ledger[state]()
    const { after, still_sending } = await ledger.as('flag:ana').cancel('ticket-1', { reason: 'not wanted' })
    expect(after).toMatchObject({ status, cancel_requested_at: expect.any(Number) })
    expect(still_sending).toHaveLength(status === 'cancelled' ? 0 : 1)
    await expect(ledger.as('flag:bo').cancel('ticket-1', { reason: 'again' })).rejects.toMatchObject({
      code: 'conflict',
      facts: { by: 'flag:ana' },
    })
  })

  it('withdraw takes back the leave to send of a prepared one, by the version seen', async () => {
    const ledger = await aLedger()
    await ledger.prepared()
    const withdraw = (expectVersion: number) =>
      ledger.as('flag:ana').withdraw('ticket-1', { reason: 'not before Monday', expectVersion })
    await expect(withdraw(7)).rejects.toMatchObject({ code: 'conflict', rule: 'version_as_seen' })
    expect((await withdraw(1)).after).toMatchObject({ status: 'prepared', version: 2 })
  })

  it('defer says until when and why, and is taken back', async () => {
    const ledger = await aLedger()
    await ledger.lost()
    const until = ledger.clock().at + HOUR
    const { after } = await ledger.as('flag:ana').defer('ticket-1', { until, reason: 'they answer at noon' })
    expect(after).toMatchObject({ defer_until: until, version: 3 })
    expect(await ledgerEvents(ledger)).toMatchObject([
      { type: 'defer', about: 'ticket-1', body: { until, reason: 'they answer at noon' } },
    ])
    const back = await ledger.as('flag:ana').defer('ticket-1', { until: null, reason: 'they answered' })
    expect(back.after.defer_until).toBeNull()
    await expect(
      ledger.as('flag:ana').defer('ticket-1', { until: ledger.clock().at, reason: 'x' }),
    ).rejects.toMatchObject({ code: 'invalid_input' })
  })

  it('defer of what is settled is refused', async () => {
    const ledger = await aLedger()
    await ledger.confirmed()
    const until = ledger.clock().at + HOUR
    await expect(ledger.as('flag:ana').defer('ticket-1', { until, reason: 'x' })).rejects.toMatchObject({
      code: 'refused',
      rule: 'is_open',
    })
  })
})

describe('a task in a person’s hands', () => {
  it('is fenced off with its open operations, and says which bytes may still leave', async () => {
    const ledger = await aLedger()
    await ledger.inFlight()
    await ledger.prepared({ operation_id: 'ticket-2', input: { n: 2 } })
    const decided = await ledger.as('flag:ana').takeover('task-1', 'the agent loops')
    expect(decided).toMatchObject({
      before: { taken_over_by: null, epoch: 1 },
      after: { taken_over_by: 'flag:ana', epoch: 2 },
      still_sending: [{ operation_id: 'ticket-1', attempt: 1, send_by: expect.any(Number) }],
      undo: "agent-ledger handback --reason '…' task-1",
    })
    expect(decided.operations.map(({ operation }) => [operation.operation_id, operation.status])).toEqual([
      ['ticket-1', 'unknown'],
      ['ticket-2', 'prepared'],
    ])
    const send = { type: 'send', owner: OWNER, lease_ms: 60_000, epoch: 1, fence: null } as const
    await expect(ledger.ask('ticket-2', send)).rejects.toThrow('task_running')
    await ledger.as('flag:ana').handback('task-1', 'fixed')
    await expect(ledger.ask('ticket-2', send)).rejects.toThrow('epoch_as_claimed')
  })

  it('does not speak of bytes of a process that is gone', async () => {
    const ledger = await aLedger()
    await ledger.inFlight()
    ledger.gone.add(OWNER)
    expect((await ledger.as('flag:ana').takeover('task-1', 'it died')).still_sending).toEqual([])
  })

  it('is not taken a second time, and the second is told who holds it, on the record', async () => {
    const ledger = await aLedger()
    await ledger.prepared()
    await ledger.as('flag:ana').takeover('task-1', 'the agent loops')
    await expect(ledger.as('flag:bo').takeover('task-1', 'me too')).rejects.toMatchObject({
      code: 'conflict',
      facts: { held_by: 'flag:ana', since: '2026-03-10T12:00:00.000Z' },
    })
    expect(await ledgerEvents(ledger)).toMatchObject([{ type: 'refused', about: 'task-1', actor: 'flag:bo' }])
    await expect(ledger.as('flag:bo').handback('task-2')).rejects.toMatchObject({ code: 'not_found' })
  })

  it('cancels what is prepared and asks what was sent, in one commit', async () => {
    const ledger = await aLedger()
    await ledger.prepared()
    await ledger.lost({ operation_id: 'ticket-2', input: { n: 2 } })
    await ledger.inFlight({ operation_id: 'ticket-3', input: { n: 3 } })
    const { after, operations, still_sending } = await ledger.as('flag:ana').cancelTask('task-1', 'wrong run')
    expect(after.status).toBe('cancel_requested')
    expect(operations.map(({ operation }) => operation.status)).toEqual(['cancelled', 'unknown', 'in_flight'])
    expect(still_sending.map(({ operation_id }) => operation_id)).toEqual(['ticket-2', 'ticket-3'])
  })
})

describe('claims and notes', () => {
  it('a claim keeps others from claiming until it ends, and nobody from deciding', async () => {
    const ledger = await aLedger()
    await ledger.lost()
    const until = ledger.clock().at + HOUR
    await ledger.as('flag:ana').claim('ticket-1', { until })
    await expect(ledger.as('flag:bo').claim('ticket-1', { until })).rejects.toMatchObject({
      code: 'conflict',
      facts: { by: 'flag:ana', until: '2026-03-10T13:00:00.000Z' },
    })
    await expect(ledger.as('flag:bo').release('ticket-1')).rejects.toMatchObject({ code: 'conflict' })
    const previewed = await ledger.as('flag:bo').preview('ticket-1', { type: 'resolve', how: seen })
    expect(previewed.claimed_by_other).toMatchObject({ actor: 'flag:ana', until })
    await ledger.as('flag:bo').resolve('ticket-1', seen)
    expect(await ledger.as('flag:ana').release('ticket-1')).toBe(true)
    expect(await ledger.as('flag:ana').release('ticket-1')).toBe(false)
  })

  it('notes stay with the operation and its task', async () => {
    const ledger = await aLedger()
    await ledger.lost()
    await ledger.as('flag:ana').note('ticket-1', 'the gateway was down', { kind: 'finding' })
    await ledger.as('flag:ana').note('task-1', 'ask Bo')
    const record = await ledger.store.taskRecord('task-1')
    expect(record?.notes).toMatchObject([
      { operation_id: 'ticket-1', kind: 'finding', body: 'the gateway was down', actor: 'flag:ana' },
      { operation_id: null, kind: 'remark', body: 'ask Bo' },
    ])
    await expect(ledger.as('flag:ana').note('task-1', ' ')).rejects.toMatchObject({ code: 'invalid_input' })
  })
})

describe('ids that lead nowhere', () => {
  it('come with those that are near', async () => {
    const ledger = await aLedger()
    await ledger.lost()
    await expect(ledger.as('flag:ana').resolve('tikcet-1', seen)).rejects.toMatchObject({
      code: 'not_found',
      message: 'there is no operation tikcet-1 (did you mean ticket-1?)',
    })
    await expect(ledger.as('flag:ana').takeover('tsak-1', 'x')).rejects.toThrow('did you mean task-1?')
  })

  it('say so when they are of the other kind', async () => {
    const ledger = await aLedger()
    await ledger.lost()
    await expect(ledger.as('flag:ana').takeover('ticket-1', 'x')).rejects.toThrow('an operation of task-1')
    await expect(ledger.as('flag:ana').abandon('task-1', { reason: 'x' })).rejects.toThrow('it is a task')
  })

  it('are asked about when they are of both', async () => {
    const ledger = await aLedger()
    await ledger.lost({ operation_id: 'same', task_id: 'same' })
    await expect(ledger.as('flag:ana').note('same', 'x')).rejects.toMatchObject({ code: 'usage' })
    expect(await ledger.as('flag:ana').note('same', 'x', { as: 'task' })).toMatchObject({
      operation_id: null,
    })
  })
})

describe('telling beforehand', () => {
  it('gives what would be left, writes nothing, and records only what is checked and refused', async () => {
    const ledger = await aLedger()
    await ledger.lost()
    const ask = { type: 'resolve', how: absent } as const
    const previewed = await ledger.as('flag:ana').preview('ticket-1', ask)
    expect(previewed.refusal?.rule).toBe('arrival_passed_or_early')
    expect(await ledgerEvents(ledger)).toEqual([])
    await expect(ledger.as('flag:ana').check('ticket-1', ask)).rejects.toMatchObject({ code: 'refused' })
    expect(await ledgerEvents(ledger)).toMatchObject([{ type: 'refused' }])
    const fine = await ledger.as('flag:ana').check('ticket-1', { type: 'resolve', how: seen })
    expect(fine).toMatchObject({
      after: { operation: { status: 'confirmed' } },
      before: { status: 'unknown' },
    })
    expect((await ledger.store.operation('ticket-1'))?.operation.version).toBe(3)
  })

  it('records that a person declined', async () => {
    const ledger = await aLedger()
    await ledger.lost()
    await ledger.as('flag:ana').decline({ operation_id: 'ticket-1' }, { decision: 'abandon' })
    expect(await ledgerEvents(ledger)).toMatchObject([
      { type: 'declined', about: 'ticket-1', actor: 'flag:ana', body: { decision: 'abandon' } },
    ])
  })
})
