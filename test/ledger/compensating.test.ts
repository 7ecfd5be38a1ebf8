import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Ledger, openLedger } from '../../src/index.js'
import { aDirectory } from '../store/support/places.js'

const CONFIG = `
tools:
  charge:
    effect: compensable
    arrival: 0ms
    compensate:
      tool: refund
      target: "{target}"
      input: { charge: "{external_id.charge}", amount: "{input.amount}" }
  refund:
    effect: irreversible
    approval: required
`
const CHARGE = { id: 'op-2', task: 'run-1', tool: 'charge', target: 'order-9', input: { amount: 1250 } }

async function aLedger(config = CONFIG): Promise<Ledger> {
  const folder = aDirectory()
  writeFileSync(join(folder, 'agent-ledger.yaml'), config)
  const ledger = await openLedger(join(folder, 'ledger.db'), {
    actor: 'flag:ana',
    config: join(folder, 'agent-ledger.yaml'),
  })
  onTestFinished(() => ledger.close())
  return ledger
}

async function charged(ledger: Ledger) {
  return ledger.run(CHARGE, async ({ externalId }) => {
    externalId('charge', 'ch_1')
    return { id: 'ch_1' }
  })
}

async function bothPrepared(ledger: Ledger) {
  await charged(ledger)
  const undo = (id: string) =>
    ledger.prepare({
      id,
      task: 'run-1',
      tool: 'credit',
      target: 'order-9',
      input: { id },
      compensates: 'op-2',
    })
  await undo('credit-1')
  return undo('credit-2').then(
    () => true,
    () => false,
  )
}

async function refunded(ledger: Ledger) {
  const { operation } = await ledger.compensate('op-2', { reason: 'ordered twice' })
  const { digest } = await ledger.approvable(operation.operation_id)
  await ledger.approve(operation.operation_id, { digest })
  const call = {
    id: operation.operation_id,
    task: operation.task_id,
    tool: operation.tool,
    input: operation.input,
    target: 'order-9',
    compensates: 'op-2',
  }
  const outcome = await ledger.run(call, async ({ externalId }) => {
    externalId('refund', 're_100')
  })
  return { call, outcome }
}

describe('compensating', () => {
  it('is new to one caller alone, when two ask at once', async () => {
    const ledger = await aLedger()
    await charged(ledger)
    const answers = await Promise.all(
      ['ordered twice', 'sent back'].map(reason => ledger.compensate('op-2', { reason })),
    )
    expect(answers.map(({ isNew }) => isNew).sort()).toEqual([false, true])
    expect(new Set(answers.map(({ operation }) => operation.operation_id)).size).toBe(1)
  })

  it('prepares an operation of its own, with its own key and its own need of an approval', async () => {
    const ledger = await aLedger()
    await charged(ledger)
    const { operation, undone, isNew } = await ledger.compensate('op-2', { reason: 'ordered twice' })
    expect(isNew).toBe(true)
    expect(operation).toMatchObject({
      operation_id: 'op-2/undo/refund',
      task_id: 'run-1',
      status: 'prepared',
      tool: 'refund',
      effect: 'irreversible',
      target: 'order-9',
      input: { charge: 'ch_1', amount: 1250 },
      compensates: 'op-2',
      contract: { approval: 'required' },
    })
    expect(operation.idempotency_key).not.toBe(undone.idempotency_key)
    expect(undone.status).toBe('confirmed')
    const { document } = await ledger.show('op-2')
    expect(document.history.at(-1)).toMatchObject({ type: 'compensate', reason: 'ordered twice' })
  })

  it('answers a second time with the one that is done, and the report says done, then undone', async () => {
    const ledger = await aLedger()
    await charged(ledger)
    const { call, outcome } = await refunded(ledger)
    expect(outcome).toMatchObject({ status: 'confirmed', replayed: false })
    let sent = 0
    const again = await ledger.run(call, async () => {
      sent++
    })
    expect(again).toMatchObject({
      status: 'confirmed',
      replayed: true,
      external_ids: [{ kind: 'refund', value: 're_100' }],
    })
    expect(sent).toBe(0)
    const second = await ledger.compensate('op-2', { reason: 'really' })
    expect(second).toMatchObject({
      isNew: false,
      operation: { operation_id: 'op-2/undo/refund', status: 'confirmed' },
    })
    const { document } = await ledger.report('run-1')
    expect(document.compensations).toMatchObject([
      { reason: 'op-2 was done, then undone by op-2/undo/refund' },
    ])
    expect(document.confirmed).toMatchObject([{ undone_by: 'op-2/undo/refund' }, { undone_by: null }])
    expect((await ledger.show('op-2')).document).toMatchObject({ undone_by: 'op-2/undo/refund' })
    const { operations } = await ledger.list({ show: 'all' })
    expect(operations.map(({ undone_by }) => undone_by).sort()).toEqual([null, 'op-2/undo/refund'].sort())
  })

  it('never starts from a doubt: what is unknown is settled first', async () => {
    const ledger = await aLedger()
    await ledger.run(CHARGE, async () => {
      throw new Error('socket hang up')
    })
    await expect(ledger.compensate('op-2', { reason: 'x' })).rejects.toMatchObject({
      code: 'refused',
      rule: 'is_confirmed',
      hint: expect.stringContaining('agent-ledger show op-2'),
    })
    const events = ledger.log({ about: 'op-2', type: 'refused' })
    const found = []
    for await (const event of events) found.push(event)
    expect(found).toMatchObject([{ rule: 'is_confirmed' }])
  })

  it('lets the first of two prepared ones go, and keeps the second back', async () => {
    const ledger = await aLedger()
    expect(await bothPrepared(ledger)).toBe(true)
    const call = (id: string) => ({
      id,
      task: 'run-1',
      tool: 'credit',
      target: 'order-9',
      input: { id },
      compensates: 'op-2',
    })
    expect(await ledger.run(call('credit-2'), () => 2)).toMatchObject({ status: 'waiting' })
    expect(await ledger.run(call('credit-1'), () => 1)).toMatchObject({ status: 'confirmed' })
    expect(await ledger.run(call('credit-2'), () => 2)).toMatchObject({ status: 'waiting' })
  })

  it('uses what was copied into the row when the configuration is gone', async () => {
    const folder = aDirectory()
    writeFileSync(join(folder, 'agent-ledger.yaml'), CONFIG)
    const path = join(folder, 'ledger.db')
    const before = await openLedger(path, { config: join(folder, 'agent-ledger.yaml') })
    await charged(before)
    await before.close()
    const ledger = await openLedger(path)
    onTestFinished(() => ledger.close())
    const { operation } = await ledger.compensate('op-2', { reason: 'ordered twice' })
    expect(operation).toMatchObject({ effect: 'irreversible', contract: { approval: 'required' } })
  })

  it.each([
    ['without a reason', { reason: ' ' }, 'reason_given'],
    ['for another version than the one there is', { reason: 'x', expectVersion: 1 }, 'version_as_seen'],
  ])('is refused %s', async (_, given, rule) => {
    const ledger = await aLedger()
    await charged(ledger)
    await expect(ledger.compensate('op-2', given)).rejects.toMatchObject({ rule })
  })
})

describe('an operation that was undone and is doubted again', () => {
  it('is marked with its compensation, both in one commit', async () => {
    const ledger = await aLedger()
    await charged(ledger)
    await refunded(ledger)
    await ledger.reopen('op-2', { reason: 'the charge belongs to another order' })
    const flagged = { compensation_in_question: true }
    expect((await ledger.show('op-2')).document).toMatchObject({
      status: 'unknown',
      state: { flags: flagged },
    })
    const { document } = await ledger.show('op-2/undo/refund')
    expect(document).toMatchObject({ status: 'confirmed', state: { flags: flagged } })
    expect(document.history.at(-1)).toMatchObject({ type: 'question' })
    const { document: report } = await ledger.report('run-1')
    expect(report.violations.filter(({ rule }) => rule === 'compensation_in_question')).toHaveLength(2)
    expect(await ledger.verify()).toMatchObject({ findings: [] })
  })

  it('leaves a compensation alone that was never sent: its send asks again', async () => {
    const ledger = await aLedger()
    await charged(ledger)
    const { operation } = await ledger.compensate('op-2', { reason: 'ordered twice' })
    const { digest } = await ledger.approvable(operation.operation_id)
    await ledger.approve(operation.operation_id, { digest })
    await ledger.reopen('op-2', { reason: 'is it there at all?' })
    expect((await ledger.show(operation.operation_id)).document.state.flags).toEqual({})
    const { operation_id, task_id, tool, input } = operation
    const call = { id: operation_id, task: task_id, tool, input, target: 'order-9', compensates: 'op-2' }
    let sent = 0
    const outcome = await ledger.run(call, async () => {
      sent++
    })
    expect(outcome).toMatchObject({ status: 'waiting', for: 'person' })
    expect(sent).toBe(0)
  })
})
