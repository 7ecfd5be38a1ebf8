import { describe, expect, it } from 'vitest'
import { aLedger } from './support/a-ledger.js'
import { approved, aRunningLedger, NEEDED } from './support/approvals.js'

describe('denying', () => {
  it('cancels, takes the approvals back in the same commit, and is final', async () => {
    const ledger = await aLedger()
    await ledger.prepared(NEEDED)
    await approved(ledger)
    const { after, undo } = await ledger.as('flag:ana').deny('ticket-1', { reason: 'wrong customer' })
    expect(after).toMatchObject({ status: 'cancelled', flags: { denied: true } })
    expect(undo).toBeNull()
    const record = await ledger.store.operation('ticket-1')
    expect(record?.approvals).toMatchObject([{ revoked_at: expect.any(Number) }])
    await expect(ledger.as('flag:bo').allowRetry('ticket-1', { reason: 'after all' })).rejects.toMatchObject({
      rule: 'not_denied',
    })
    await expect(ledger.as('flag:bo').deny('ticket-1', { reason: 'again' })).rejects.toMatchObject({
      code: 'conflict',
      rule: 'not_denied_yet',
      facts: { by: 'flag:ana' },
    })
  })

  it('G5: stands on a run that is over: nobody approves it any more, and who denied it when is said', async () => {
    const ledger = await aRunningLedger('flag:lee')
    const call = { id: 'op-85', task: 'run-85', tool: 't', input: {}, approval: 'required' } as const
    const task = await ledger.task('run-85')
    await ledger.prepare(call)
    const { digest, operation } = await ledger.approvable('op-85')
    await ledger.deny('op-85', { reason: 'never' })
    await task.complete()
    await expect(ledger.approve('op-85', { digest })).rejects.toMatchObject({
      code: 'refused',
      rule: 'not_denied',
      message: 'op-85 was denied, and its run is completed',
      facts: { by: 'flag:lee', at: expect.any(String), because: 'never' },
    })
    let sent = 0
    const outcome = await ledger.run(call, async () => {
      sent++
    })
    expect(outcome).toMatchObject({ status: 'cancelled' })
    expect(sent).toBe(0)
    expect((await ledger.approvable('op-85')).operation.version).toBe(operation.version + 1)
  })
})

describe('G2: what was approved against what is sent', () => {
  it('differs when a value behind a placeholder is another one: refused with the path, and it goes on waiting', async () => {
    const ledger = await aRunningLedger()
    const call = { id: 'op-81', task: 'run-81', tool: 'mail', approval: 'required' } as const
    await ledger.prepare({ ...call, input: { to: 'a@example.test' } })
    const { digest } = await ledger.approvable('op-81')
    await ledger.approve('op-81', { digest })
    let sent = 0
    const run = ledger.run({ ...call, input: { to: '' } }, async () => {
      sent++
    })
    await expect(run).rejects.toMatchObject({
      code: 'different_input',
      message: expect.stringContaining('input.to (changed)'),
    })
    expect(sent).toBe(0)
    const { operation, approvals } = await ledger.approvable('op-81')
    expect(operation).toMatchObject({ status: 'prepared', attempt: 0 })
    expect(approvals).toMatchObject([{ approval: { used: 0 } }])
  })
})

describe('an edit of what was not sent', () => {
  const task = 'run-1'
  const old = { id: 'mail-1', task, tool: 'mail', input: { to: 'a' }, approval: 'required' } as const
  const edited = { ...old, id: 'mail-2', input: { to: 'b' } }

  it('is a new operation that replaces the old one, and needs an approval of its own', async () => {
    const ledger = await aRunningLedger()
    await ledger.prepare(old)
    const { digest } = await ledger.approvable('mail-1')
    await ledger.approve('mail-1', { digest })
    const done = await ledger.supersede('mail-1', { call: edited, reason: 'wrong address' })
    expect(done).toMatchObject({
      old: { status: 'cancelled' },
      operation: { operation_id: 'mail-2', status: 'prepared', supersedes: 'mail-1' },
    })
    const before = await ledger.approvable('mail-1')
    expect(before.approvals).toMatchObject([{ approval: { revoked_at: expect.any(Number) } }])
    expect(await ledger.run(edited, async () => 1)).toMatchObject({ status: 'waiting', for: 'approval' })
    expect(await ledger.verify()).toMatchObject({ findings: [] })
  })

  it('is sent in place of the old one, which nobody brings back beside it', async () => {
    const ledger = await aRunningLedger()
    await ledger.prepare(old)
    await ledger.supersede('mail-1', { call: edited, reason: 'wrong address' })
    await expect(ledger.allowRetry('mail-1', { reason: 'after all' })).rejects.toMatchObject({
      rule: 'not_superseded',
      message: expect.stringContaining('mail-2'),
    })
  })

  it('changes nothing when it is asked for again after a restart', async () => {
    const ledger = await aRunningLedger()
    await ledger.prepare(old)
    const first = await ledger.supersede('mail-1', { call: edited, reason: 'wrong address' })
    const again = await ledger.supersede('mail-1', { call: edited, reason: 'wrong address' })
    expect(again.operation.version).toBe(first.operation.version)
  })

  it('is refused once an attempt was sent, and then nothing is prepared', async () => {
    const ledger = await aRunningLedger()
    await ledger.run({ ...old, approval: undefined }, async () => {
      throw new Error('socket hang up')
    })
    await expect(ledger.supersede('mail-1', { call: edited, reason: 'wrong address' })).rejects.toMatchObject(
      { code: 'refused', rule: 'never_sent' },
    )
    await expect(ledger.show('mail-2')).rejects.toMatchObject({ code: 'not_found' })
  })

  it.each([
    ['its own id', { ...edited, id: 'mail-1' }, 'give it an id of its own'],
    ['another task', { ...edited, task: 'run-2' }, 'an edit stays in its task'],
  ])('is no edit under %s', async (_, call, says) => {
    const ledger = await aRunningLedger()
    await ledger.prepare(old)
    await expect(ledger.supersede('mail-1', { call, reason: 'x' })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining(says),
    })
  })
})
