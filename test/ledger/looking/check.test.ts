import { describe, expect, it } from 'vitest'
import { checkExitCode } from '../../../src/core/documents/check.js'
import { aSeenLedger, asPublished } from './support.js'

const MINUTE = 60_000

describe('the gate', () => {
  it('opens where nothing is in doubt and nothing stalled', async () => {
    const { see, ...ledger } = await aSeenLedger()
    await ledger.confirmed()
    const check = asPublished('check@1', await see.checkFor())
    expect(check).toEqual({
      ok: true,
      failed_on: [],
      counts: { unknown: 0, stalled: 0 },
      found: [],
      left_out: 0,
    })
    expect(checkExitCode(check)).toBe(0)
  })

  it('fails on what is in doubt before anything else', async () => {
    const { see, clock, ...ledger } = await aSeenLedger()
    await ledger.lost({ operation_id: 'lost', input: 1 })
    await ledger.prepared({ operation_id: 'forgotten', input: 2 })
    clock.advance(16 * MINUTE)
    const check = asPublished('check@1', await see.checkFor())
    expect(check).toMatchObject({ failed_on: ['unknown', 'stalled'], counts: { unknown: 1, stalled: 1 } })
    expect(checkExitCode(check)).toBe(10)
    expect(checkExitCode(await see.checkFor({ failOn: ['stalled'] }))).toBe(11)
  })

  it('asks only for what is older than was said, and of the task that was named', async () => {
    const { see, clock, ...ledger } = await aSeenLedger()
    await ledger.lost({ operation_id: 'old', input: 1 })
    clock.advance(10 * MINUTE)
    await ledger.lost({ operation_id: 'young', task_id: 'task-2', input: 2 })
    const foundBy = async (options: Parameters<typeof see.checkFor>[0]) =>
      (await see.checkFor({ failOn: ['unknown'], ...options })).found.map(({ operation_id }) => operation_id)
    expect(await foundBy({ before: clock().at - 5 * MINUTE })).toEqual(['old'])
    expect(await foundBy({ taskId: 'task-2' })).toEqual(['young'])
    expect(await foundBy({ taskId: 'task-2', before: clock().at - 5 * MINUTE })).toEqual([])
  })

  it('does not pass for a task that is not there', async () => {
    const { see, ...ledger } = await aSeenLedger()
    await ledger.lost({ operation_id: 'young', task_id: 'task-2', input: 2 })
    await expect(see.checkFor({ taskId: 'task-3' })).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('task-2'),
    })
  })

  it('finds approvals that are waited for, and evidence that names another target', async () => {
    const { see, ...ledger } = await aSeenLedger()
    await ledger.prepared({ operation_id: 'asking', input: 1, contract: { approval: 'required' } })
    await ledger.confirmed({ operation_id: 'other', input: 2, target: 'ticket/T-7' })
    const check = asPublished('check@1', await see.checkFor({ failOn: ['approvals', 'violations'] }))
    expect(check.found).toMatchObject([
      { condition: 'approvals', operation_id: 'asking' },
      { condition: 'violations', operation_id: 'other', reason: 'target differs: asked T-7, touched T-1' },
    ])
    expect(checkExitCode(check)).toBe(12)
  })

  it('finds what was settled against a rule, though it needs nobody any more', async () => {
    const { see, as, ...ledger } = await aSeenLedger()
    await ledger.lost({ operation_id: 'nothing', input: 1, idempotency_key: 'k-1' })
    await ledger.lost({ operation_id: 'word', input: 2, idempotency_key: 'k-2' })
    await as('flag:ana').resolve('nothing', { as: 'confirmed', withoutEvidence: true, reason: 'r' })
    await as('flag:ana').resolve('word', { as: 'confirmed', evidence: ['e'], reason: 'r' })
    const check = asPublished('check@1', await see.checkFor({ failOn: ['violations'] }))
    expect(check.found).toMatchObject([
      { operation_id: 'nothing', reason: 'ana (flag) settled it without evidence' },
    ])
  })

  it('finds doubts that nothing but a person can answer: no probe and no safe repeat', async () => {
    const { see, ...ledger } = await aSeenLedger()
    const keyed = { kind: 'idempotency_key', retention_ms: 60 * MINUTE } as const
    await ledger.lost({ operation_id: 'mute', input: 1 })
    await ledger.lost({ operation_id: 'probed', input: 2, contract: { probe: { kind: 'http' } } })
    await ledger.lost({ operation_id: 'keyed', input: 3, repeat: keyed })
    await ledger.prepared({ operation_id: 'waiting', input: 4 })
    const check = asPublished('check@1', await see.checkFor({ failOn: ['unanswered'] }))
    expect(check.found.map(({ operation_id }) => operation_id)).toEqual(['mute'])
    expect(check.found[0]?.reason).toContain('names no probe and no safe repeat')
    expect(checkExitCode(check)).toBe(12)
  })

  it('does not take a settled repeat for something stalled, and finds it where duplicates are asked for', async () => {
    const { see, ...ledger } = await aSeenLedger()
    await ledger.confirmed({ operation_id: 'first', input: 1 })
    await ledger.imported({ operation_id: 'second', input: 1, idempotency_key: 'k2' })
    expect((await see.checkFor()).ok).toBe(true)
    const check = await see.checkFor({ failOn: ['duplicates'] })
    expect(check.found).toMatchObject([{ operation_id: 'second' }])
  })

  it('counts all, and names a hundred', async () => {
    const { see, ...ledger } = await aSeenLedger()
    await Promise.all(
      Array.from({ length: 103 }, (_, i) => ledger.lost({ operation_id: `op-${i}`, input: i })),
    )
    const check = await see.checkFor({ failOn: ['unknown'] })
    expect([check.counts.unknown, check.found.length, check.left_out]).toEqual([103, 100, 3])
  })

  it('finds what a person settled and nothing else says, until a receipt says the same', async () => {
    const { see, as, clock, ...ledger } = await aSeenLedger()
    const failOn = ['unverified'] as const
    for (const id of ['word', 'nothing', 'receipted'])
      await ledger.lost({ operation_id: id, input: id, idempotency_key: id })
    clock.advance(60 * MINUTE)
    await as('ana').resolve('word', { as: 'confirmed', evidence: ['I saw it'], reason: 'r' })
    await as('ana').resolve('nothing', { as: 'not_executed', withoutEvidence: true, reason: 'r' })
    await as('ana').resolve('receipted', { as: 'confirmed', evidence: ['I saw it'], reason: 'r' })
    const found = async () =>
      asPublished('check@1', await see.checkFor({ failOn })).found.map(({ operation_id, reason }) => [
        operation_id,
        reason,
      ])
    const word = ['word', expect.stringContaining('ana settled it as confirmed on their word alone')]
    const nothing = ['nothing', expect.stringContaining('on nothing')]
    expect(new Set(await found())).toEqual(
      new Set([word, nothing, ['receipted', expect.stringContaining('on their word alone')]]),
    )
    const sent = (await ledger.store.operation('receipted'))?.attempts[0]
    await ledger.ask(
      'receipted',
      {
        type: 'late_result',
        attempt: 1,
        fence: sent?.fence ?? 0,
        end: 'applied',
        external_ids: [],
        result: null,
        result_digest: null,
        error: null,
      },
      [{ kind: 'late_result', origin: 'observed', attempt: 1, body: { status: 200 } }],
    )
    expect((await found()).map(([id]) => id).sort()).toEqual(['nothing', 'word'])
    expect(checkExitCode(await see.checkFor({ failOn }))).toBe(12)
  })
})
