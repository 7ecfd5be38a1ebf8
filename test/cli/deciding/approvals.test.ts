import { describe, expect, it } from 'vitest'
import { decisionCode } from '../../../src/core/decision-code.js'
import { open } from './opened.js'

const NEEDED = { contract: { approval: 'required' }, target: 'acme/shop' } as const
const why = ['--reason', 'as agreed']

async function waiting() {
  const ledger = await open()
  await ledger.prepared({ ...NEEDED, input: { title: 'refund', token: 'hunter2hunter2' } })
  const { digest } = await ledger.as('flag:ana').approvable('ticket-1')
  return { ...ledger, digest }
}

describe('approve', () => {
  it('shows what would be sent, masked, with the digest over what is there, and asks', async () => {
    const { cli, digest, store } = await waiting()
    const { code, out, err, asked } = await cli(['approve', 'ticket-1', ...why, '--expires', '2h'], {
      answers: ['y'],
    })
    expect(code).toBe(0)
    expect(err).toContain('tool    tickets.create on acme/shop')
    expect(err).toContain('input   {"title":"refund","token":"[masked token]"}')
    expect(err).toContain('effect  ')
    expect(err).toContain('repeat  ')
    expect(err).toContain('policy  sha256:')
    expect(err).toContain(`digest  ${digest}`)
    expect(err).not.toContain('hunter2')
    expect(asked).toEqual(['Approve ticket-1? [y/N] '])
    expect(out).toMatch(/ticket-1: approved by ana \(flag\) for one send, until .* \(approval-[0-9a-f]{12}\)/)
    expect(out).toContain("undo: agent-ledger revoke --reason '…' ticket-1")
    expect((await store.operation('ticket-1'))?.approvals).toMatchObject([{ digest, uses: 1, used: 0 }])
  })

  it('writes nothing when the person says no, but that they were asked', async () => {
    const { cli, store } = await waiting()
    expect((await cli(['approve', 'ticket-1', ...why], { answers: ['n'] })).code).toBe(130)
    expect((await store.operation('ticket-1'))?.approvals).toEqual([])
    const events = await store.events({ about: { operation_id: 'ticket-1' }, type: 'declined', limit: 9 })
    expect(events).toMatchObject([{ body: { decision: 'approve' } }])
  })

  it('names the digest where nobody looks: --yes alone is refused and says which', async () => {
    const { cli, json, digest } = await waiting()
    for (const given of [{}, { answers: ['y'] }]) {
      const { code, err } = await cli(['approve', 'ticket-1', ...why, '--yes'], given)
      expect([code, err]).toEqual([2, expect.stringContaining(`--expect-digest ${digest}`)])
    }
    const done = await json('approve', 'ticket-1', '--yes', '--expect-digest', digest, '--uses', '2')
    expect(done).toMatchObject({
      code: 0,
      document: { decision: 'approve', approvals: [{ digest, uses: 2, used: 0, expires_at: null }] },
    })
  })

  it('is refused for another digest, and for what needs none', async () => {
    const { cli, prepared } = await waiting()
    const other = `sha256:${'0'.repeat(64)}`
    const changed = await cli(['approve', 'ticket-1', '--yes', '--expect-digest', other, '--json'])
    expect([changed.code, JSON.parse(changed.err).rule]).toEqual([5, 'digest_as_seen'])
    await prepared({ operation_id: 'ticket-2', input: 2 })
    const free = await cli(['approve', 'ticket-2', ...why, '--json'], { answers: ['y'] })
    expect([free.code, JSON.parse(free.err).rule]).toEqual([7, 'approval_needed'])
    expect((await cli(['approve', 'ticket-1', '--expect-digest', 'short'])).code).toBe(2)
    expect((await cli(['approve', 'nobody', ...why], { answers: ['y'] })).code).toBe(4)
  })

  it('prints where an earlier approval is not what would be sent now', async () => {
    const { cli, digest, store, path } = await waiting()
    // Only a writer of its own makes this: an approval for a message that somebody changed afterwards.
    const approved = { operation_id: 'ticket-1', input: { title: 'reviewed' }, target: 'acme/shop' }
    await store.close()
    await foreignApproval(path, approved)
    const { err } = await cli(['approve', 'ticket-1', ...why], { answers: ['n'] })
    expect(err).toContain('given for something else')
    expect(err).toContain('input.title was "reviewed" and is "refund"')
    const shown = await cli(['show', 'ticket-1'])
    expect(shown.out).toContain('given for something else than this is now')
    expect(shown.out).toContain('input.title was "reviewed" and is "refund"')
    expect(shown.out).toContain(digest)
  })
})

describe('what waits for an approval', () => {
  it('is told by list, status, check and report, until it has one', async () => {
    const { cli, digest } = await waiting()
    expect((await cli(['list'])).out).toContain('it waits for an approval')
    expect(JSON.parse((await cli(['status', '--json'])).out)).toMatchObject({ awaiting_approval: 1 })
    expect((await cli(['check', '--fail-on', 'approvals'])).code).toBe(12)
    const report = await cli(['report', 'task-1', '--json'])
    expect(JSON.parse(report.out)).toMatchObject({
      not_sent: [{ waits_for: 'approval' }],
      next_steps: [{ command: 'agent-ledger approve ticket-1' }, {}],
    })
    await cli(['approve', 'ticket-1', '--yes', '--expect-digest', digest])
    expect((await cli(['list'])).out).not.toContain('ticket-1')
    expect(JSON.parse((await cli(['status', '--json'])).out)).toMatchObject({
      awaiting_approval: 0,
      not_sent: { count: 1 },
    })
    expect((await cli(['check', '--fail-on', 'approvals'])).code).toBe(0)
    expect(JSON.parse((await cli(['report', 'task-1', '--json'])).out)).toMatchObject({
      not_sent: [{ waits_for: 'run' }],
      approvals: [{ state: 'usable', digest }],
    })
    await cli(['revoke', 'ticket-1', ...why, '--yes'])
    expect((await cli(['check', '--fail-on', 'approvals'])).code).toBe(12)
    expect((await cli(['list'])).out).toContain('it waits for an approval')
  })
})

describe('revoke', () => {
  it('takes the leave back, of an operation or one approval, and says how it is given again', async () => {
    const { json, digest } = await waiting()
    const { document } = await json('approve', 'ticket-1', '--yes', '--expect-digest', digest)
    const id = document?.approvals[0]?.approval_id ?? ''
    expect(await json('revoke', id, ...why, '--yes')).toMatchObject({
      code: 0,
      document: { decision: 'revoke', operation_id: 'ticket-1', undo: 'agent-ledger approve ticket-1' },
    })
    const again = await json('revoke', 'ticket-1', ...why, '--yes')
    expect([again.code, JSON.parse(again.err).rule]).toEqual([7, 'approval_there'])
  })
})

describe('deny', () => {
  it('asks for the code, since nobody can take it back, and keeps everybody from approving', async () => {
    const { cli, json, operation } = await waiting()
    const plain = await cli(['deny', 'ticket-1', ...why], { answers: ['y'] })
    expect(plain.code).toBe(130)
    expect(plain.err).toContain('! a denial is final')
    const typed = await cli(['deny', 'ticket-1', ...why], { answers: [decisionCode('ticket-1', 1)] })
    expect(typed.code).toBe(0)
    expect(await operation()).toMatchObject({ status: 'cancelled', flags: { denied: true } })
    const second = await json('deny', 'ticket-1', ...why, '--yes')
    expect([second.code, JSON.parse(second.err).rule]).toEqual([5, 'not_denied_yet'])
    const after = await cli(['approve', 'ticket-1', ...why, '--json'], { answers: ['y'] })
    expect([after.code, JSON.parse(after.err).rule]).toEqual([7, 'not_denied'])
    const retry = await json('allow-retry', 'ticket-1', ...why, '--yes')
    expect([retry.code, JSON.parse(retry.err).rule]).toEqual([7, 'not_denied'])
  })
})

/** Writes as another program would: the row of an approval, and the event that tells what was shown. */
async function foreignApproval(path: string, approved: object) {
  const { default: Database } = await import('better-sqlite3')
  const { openStore } = await import('../../../src/store/open.js')
  const { testClock } = await import('../../../src/testing/test-clock.js')
  const clock = testClock(Date.now())
  const store = await openStore({ url: path, clock, program: 'other' })
  const body = {
    approval_id: 'theirs',
    digest: `sha256:${'1'.repeat(64)}`,
    approved: JSON.parse(JSON.stringify(approved)),
  }
  await store.record('approve', { operation_id: 'ticket-1' }, body, { actor: 'other:lee', clock })
  await store.close()
  const file = new Database(path)
  file
    .prepare(
      `insert into ledger_approval (approval_id, operation_id, digest, approver, reason, granted_at, uses, used)
       values ('theirs', 'ticket-1', ?, 'other:lee', '', 1, 1, 0)`,
    )
    .run(Buffer.alloc(32, 0x11))
  file.close()
}
