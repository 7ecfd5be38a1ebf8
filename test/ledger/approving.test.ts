import { describe, expect, it } from 'vitest'
import type { Request } from '../../src/core/transitions/requests.js'
import { aLedger, OWNER, type TestLedger } from './support/a-ledger.js'
import { approved, aRunningLedger, NEEDED } from './support/approvals.js'

const SEND: Request = { type: 'send', owner: OWNER, lease_ms: 60_000, epoch: null, fence: null }

describe('approving', () => {
  it('gives leave for exactly what was shown, without moving the operation', async () => {
    const ledger = await aLedger()
    const { operation } = await ledger.prepared(NEEDED)
    await expect(ledger.ask('ticket-1', SEND)).rejects.toThrow('approval_matches it needs an approval')
    const { approval, undo } = await approved(ledger)
    expect(approval).toMatchObject({ approver: 'flag:lee', uses: 1, used: 0, expires_at: null })
    expect(undo).toBe("agent-ledger revoke --reason '…' ticket-1")
    const record = await ledger.store.operation('ticket-1')
    expect(record?.operation.version).toBe(operation.version)
    expect((await ledger.ask('ticket-1', SEND)).operation).toMatchObject({
      status: 'in_flight',
      approval_id: approval.approval_id,
    })
    expect((await ledger.store.operation('ticket-1'))?.approvals).toMatchObject([{ used: 1 }])
    expect(await ledger.store.verify()).toMatchObject({ findings: [] })
  })

  it('names the operation and the digest, never a place in a list: another digest is refused, on the record', async () => {
    const ledger = await aLedger()
    await ledger.prepared(NEEDED)
    await ledger.prepared({ ...NEEDED, operation_id: 'ticket-2', idempotency_key: 'key-2' })
    const { digest } = await ledger.as('flag:lee').approvable('ticket-2')
    await expect(ledger.as('flag:lee').approve('ticket-1', { digest })).rejects.toMatchObject({
      code: 'conflict',
      rule: 'digest_as_seen',
    })
    const events = await ledger.store.events({
      about: { operation_id: 'ticket-1' },
      type: 'refused',
      limit: 9,
    })
    expect(events).toMatchObject([{ body: { decision: 'approve', rule: 'digest_as_seen' } }])
    expect((await ledger.store.operation('ticket-1'))?.approvals).toEqual([])
  })

  it('is given once: whoever comes second is told by whom, and gets no further use', async () => {
    const ledger = await aLedger()
    await ledger.prepared(NEEDED)
    const { digest } = await ledger.as('flag:lee').approvable('ticket-1')
    const both = await Promise.allSettled(
      ['flag:lee', 'flag:ana'].map(person => ledger.as(person).approve('ticket-1', { digest })),
    )
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect(both[1]).toMatchObject({
      reason: { code: 'conflict', rule: 'not_approved_yet', message: expect.stringContaining('flag:lee') },
    })
  })

  it.each([
    ['needs none', {}, async () => undefined, 'approval_needed'],
    [
      'was cancelled',
      NEEDED,
      (l: TestLedger) => l.as('flag:ana').cancel('ticket-1', { reason: 'no' }),
      'may_be_sent',
    ],
    [
      'was denied',
      NEEDED,
      (l: TestLedger) => l.as('flag:ana').deny('ticket-1', { reason: 'no' }),
      'not_denied',
    ],
  ])('is refused for one that %s', async (_, over, happens, rule) => {
    const ledger = await aLedger()
    await ledger.prepared(over)
    await happens(ledger)
    await expect(approved(ledger)).rejects.toMatchObject({ code: 'refused', rule })
    expect((await ledger.store.operation('ticket-1'))?.approvals).toEqual([])
  })

  it.each([
    [{ digest: 'sha256:short' }, 'is no digest'],
    [{ uses: 0 }, 'an approval has 1 to 1000 uses'],
    [{ expiresAt: 1 }, 'runs out in the future'],
    [{ until: 1 }, '"until" means nothing here'],
  ])('takes no %j', async (over, says) => {
    const ledger = await aLedger()
    await ledger.prepared(NEEDED)
    const { digest } = await ledger.as('flag:lee').approvable('ticket-1')
    const given = { digest, ...over }
    await expect(ledger.as('flag:lee').approve('ticket-1', given)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining(says),
    })
  })

  it('keeps what was shown masked, and holds the digest to what is there', async () => {
    const ledger = await aLedger()
    const token = `ghp_${'a1'.repeat(18)}`
    await ledger.prepared({ ...NEEDED, input: { title: 'x', token } })
    await approved(ledger)
    const events = await ledger.store.events({
      about: { operation_id: 'ticket-1' },
      type: 'approve',
      limit: 9,
    })
    expect(JSON.stringify(events)).not.toContain(token)
    expect(events).toMatchObject([{ body: { approved: { input: { title: 'x' } } } }])
    expect((await ledger.ask('ticket-1', SEND)).operation.status).toBe('in_flight')
  })
})

describe('an approval in use', () => {
  const end = ({ operation }: { operation: { attempt: number; lease_fence: number } }) => ({
    attempt: operation.attempt,
    fence: operation.lease_fence,
  })
  const error = { rule: 'thrown', message: 'refused', at: 0, attempt: 1 }
  const evidence = [{ kind: 'error', origin: 'observed', attempt: 1, body: 'refused' } as const]

  it('covers attempts until one ends otherwise than without effect', async () => {
    const ledger = await aLedger()
    await ledger.prepared({ ...NEEDED, repeat: { kind: 'conditional', names: 'permanent' }, max_attempts: 9 })
    await approved(ledger)
    const first = await ledger.ask('ticket-1', SEND)
    const retry = { next_attempt_at: 0, retry_reason: 'again', error } as const
    await ledger.ask('ticket-1', { type: 'schedule_retry', ...end(first), ...retry }, evidence)
    const second = await ledger.ask('ticket-1', SEND)
    expect((await ledger.store.operation('ticket-1'))?.approvals).toMatchObject([{ used: 1 }])
    await ledger.ask('ticket-1', { type: 'lose', ...end(second), error })
    await ledger.ask('ticket-1', { type: 'resend' })
    await expect(ledger.ask('ticket-1', SEND)).rejects.toThrow('is used up')
    await approved(ledger)
    await ledger.ask('ticket-1', SEND)
    expect((await ledger.store.operation('ticket-1'))?.approvals).toMatchObject([{ used: 1 }, { used: 1 }])
    expect(await ledger.store.verify()).toMatchObject({ findings: [] })
  })

  it('permits nothing any more once it has run out, and the refused send takes the leave back', async () => {
    const ledger = await aRunningLedger()
    const call = { id: 'op-1', task: 'run-1', tool: 't', input: {}, approval: 'required' } as const
    let sent = 0
    const handler = async () => {
      sent++
    }
    expect(await ledger.run(call, handler)).toMatchObject({ status: 'waiting', for: 'approval' })
    const { digest } = await ledger.approvable('op-1')
    await ledger.approve('op-1', { digest, expiresAt: Date.now() + 500 })
    await expect.poll(() => ledger.approvable('op-1').then(({ refusal }) => refusal)).toBeNull()
    const outcome = await ledger.run(call, handler)
    expect(outcome).toMatchObject({
      status: 'waiting',
      for: 'approval',
      reason: expect.stringContaining('expired'),
    })
    expect(sent).toBe(0)
  })

  it('is used by one of many that ask in one shared commit', async () => {
    const ledger = await aRunningLedger()
    const call = { id: 'op-1', task: 'run-1', tool: 't', input: {}, approval: 'required' } as const
    await ledger.prepare(call)
    const { digest } = await ledger.approvable('op-1')
    await ledger.approve('op-1', { digest })
    let sent = 0
    const runs = [1, 2, 3, 4].map(() =>
      ledger.run(call, async () => {
        sent++
      }),
    )
    const statuses = (await Promise.all(runs)).map(({ status }) => status)
    expect(sent).toBe(1)
    expect(statuses.filter(status => status === 'in_progress')).toHaveLength(3)
    const { approvals } = await ledger.approvable('op-1')
    expect(approvals).toMatchObject([{ approval: { uses: 1, used: 1 } }])
  })
})

describe('taking leave back', () => {
  it('keeps the next send from happening, and can be given again', async () => {
    const ledger = await aLedger()
    await ledger.prepared(NEEDED)
    await approved(ledger)
    const { revoked, undo } = await ledger.as('flag:ana').revoke('ticket-1', { reason: 'not yet' })
    expect(revoked).toMatchObject([{ operation_id: 'ticket-1' }])
    expect(undo).toBe('agent-ledger approve ticket-1')
    await expect(ledger.ask('ticket-1', SEND)).rejects.toThrow('was revoked')
    await approved(ledger)
    expect((await ledger.ask('ticket-1', SEND)).operation.status).toBe('in_flight')
  })

  it('takes one approval by its own id, and says when there is nothing to take back', async () => {
    const ledger = await aLedger()
    await ledger.prepared(NEEDED)
    const { approval } = await approved(ledger)
    await ledger.as('flag:ana').revoke(approval.approval_id, { reason: 'not yet' })
    await expect(ledger.as('flag:ana').revoke('ticket-1', { reason: 'not yet' })).rejects.toMatchObject({
      code: 'refused',
      rule: 'approval_there',
    })
    await expect(ledger.as('flag:ana').revoke('nothing', { reason: 'x' })).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  it('says of one that is in flight until when bytes may still leave', async () => {
    const ledger = await aLedger()
    await ledger.prepared(NEEDED)
    await approved(ledger)
    await ledger.ask('ticket-1', SEND)
    const { still_sending } = await ledger.as('flag:ana').revoke('ticket-1', { reason: 'stop' })
    expect(still_sending).toMatchObject([{ operation_id: 'ticket-1', attempt: 1 }])
  })
})
