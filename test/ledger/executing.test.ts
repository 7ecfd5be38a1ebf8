import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../../src/core/json.js'
import { takeoverOf } from '../execute/support/decisions.js'
import { aCall, aLedger, recordOf } from '../execute/support/ledgers.js'

describe('a task', () => {
  it('is opened with what is said of it, and more can be said later', async () => {
    const { ledger, store } = await aLedger()
    const task = await ledger.task('task-1', {
      goal: 'Keep the disks free',
      agent: 'cleaner',
      labels: { team: 'ops' },
    })
    expect(task).toMatchObject({ taskId: 'task-1', epoch: 1 })
    await ledger.task('task-1', { workspace: '/srv/work', deadlineAt: 4_000_000_000_000 })
    expect(await store.task('task-1')).toMatchObject({
      goal: 'Keep the disks free',
      agent: 'cleaner',
      labels: { team: 'ops' },
      workspace: '/srv/work',
      deadline_at: 4_000_000_000_000,
      status: 'running',
    })
  })

  it('refuses a name that means nothing', async () => {
    const { ledger } = await aLedger()
    await expect(ledger.task('task-1', { gaol: 'x' } as never)).rejects.toMatchObject({
      code: 'invalid_input',
    })
    await expect(ledger.task('')).rejects.toMatchObject({ code: 'invalid_input' })
  })

  it.each([600, 1_500, 200_000])('refuses labels and progress of %i levels, and says which', async levels => {
    const { ledger } = await aLedger()
    const deep = nested(levels)
    const task = await ledger.task('task-1')
    const refused = { code: 'invalid_input', message: expect.stringContaining('nested') }
    await expect(ledger.task('task-1', { labels: { deep } as never })).rejects.toMatchObject(refused)
    await expect(task.progress(deep)).rejects.toMatchObject(refused)
    await ledger.prepare(aCall())
    const sent = await ledger.send('ticket-1')
    if (!sent.sent) throw new Error('it was not sent')
    await expect(
      ledger.progress(
        { operation_id: 'ticket-1', attempt: sent.sending.attempt, fence: sent.sending.fence },
        deep,
      ),
    ).rejects.toMatchObject(refused)
  })

  it('refuses an activity that cannot be written as JSON, and says which part', async () => {
    const { ledger } = await aLedger()
    const task = await ledger.task('task-1')
    await expect(task.activity({ tool: 'log', result: 1n as never })).rejects.toMatchObject({
      code: 'invalid_input',
      message: 'the activity: "result": it cannot be written as JSON',
    })
  })

  it('refuses a connection that is none', async () => {
    const { ledger } = await aLedger()
    for (const none of [null, undefined, 7])
      expect(() => ledger.prepareIn(none as never, aCall())).toThrowError(
        expect.objectContaining({ code: 'invalid_input', path: 'connection' }),
      )
  })

  it('is paused and goes on, and while it is paused nothing of it is sent', async () => {
    const { ledger } = await aLedger()
    const task = await ledger.task('task-1')
    expect(await task.setStatus('waiting_input', 'which disk?')).toMatchObject({
      status: 'waiting_input',
      status_reason: 'which disk?',
    })
    expect(await ledger.run(aCall(), () => 1)).toMatchObject({ status: 'waiting', for: 'person' })
    await task.setStatus('running')
    expect(await ledger.run(aCall(), () => 1)).toMatchObject({ status: 'confirmed' })
  })

  it('ends as completed or failed', async () => {
    const { ledger, store } = await aLedger()
    await (await ledger.task('a')).complete()
    await (await ledger.task('b')).fail('no disk was found')
    expect(await store.task('a')).toMatchObject({ status: 'completed', closed_at: expect.any(Number) })
    expect(await store.task('b')).toMatchObject({ status: 'failed', status_reason: 'no disk was found' })
  })

  it('tells that it lives, acts and gets on, and is told when nobody listens any more', async () => {
    const { ledger, store } = await aLedger()
    const task = await ledger.task('task-1')
    expect(await task.heartbeat()).toMatchObject({ held: true })
    expect(await task.activity()).toMatchObject({ held: true })
    expect(await task.progress({ files: 3 })).toMatchObject({ held: true })
    const row = await store.task('task-1')
    expect([row?.heartbeat_at, row?.activity_at, row?.progress_at].every(at => at !== null)).toBe(true)
    await takeoverOf(store, 'task-1')
    expect(await task.heartbeat()).toMatchObject({ held: false })
  })

  it('taken over cannot be closed by the process that was fenced off, also after handback', async () => {
    const { ledger, store } = await aLedger()
    const task = await ledger.task('task-1')
    await takeoverOf(store, 'task-1')
    await expect(task.complete()).rejects.toMatchObject({ code: 'conflict' })
    await takeoverOf(store, 'task-1', 'handback')
    await expect(task.complete()).rejects.toMatchObject({ code: 'conflict', rule: 'epoch_as_claimed' })
    // opening it again in the same process does not undo that
    expect((await ledger.task('task-1')).epoch).toBe(1)
    expect(await store.task('task-1')).toMatchObject({ status: 'running', epoch: 2 })
  })
})

describe('step by step', () => {
  it('prepare, send and confirm come to the same as run', async () => {
    const { ledger, store } = await aLedger()
    expect(await ledger.prepare(aCall())).toMatchObject({
      status: 'prepared',
      version: 1,
      next_action: { next_action: 'resume' },
    })
    expect(await ledger.prepare(aCall())).toMatchObject({ status: 'prepared', version: 1 })
    const sent = await ledger.send('ticket-1')
    if (!sent.sent) throw new Error(sent.outcome.status)
    const { sending } = sent
    expect(sending).toMatchObject({
      operation_id: 'ticket-1',
      attempt: 1,
      fence: 2,
      epoch: 1,
      previous: { attempts: [] },
    })
    expect(sending.send_by).toBeGreaterThan(Date.now())
    await ledger.progress(sending, { page: 2 })
    expect(await ledger.heartbeat(sending, { leaseMs: 120_000 })).toMatchObject({ held: true })
    const told = await ledger.confirm(sending, {
      result: { id: 'T-1' },
      external_ids: [{ kind: 'ticket', value: 'T-1' }],
    })
    expect(told).toMatchObject({ status: 'confirmed', held: true, late: false })
    const { operation, external_ids, evidence } = await recordOf(store)
    expect(operation).toMatchObject({ result: { id: 'T-1' }, progress: { page: 2 } })
    expect([external_ids.length, evidence.length]).toEqual([1, 1])
  })

  it('an operation that was never prepared is not found, one of another input is refused', async () => {
    const { ledger } = await aLedger()
    await expect(ledger.send('ticket-1')).rejects.toMatchObject({ code: 'not_found' })
    await expect(ledger.confirm({ operation_id: 'ticket-1', attempt: 1, fence: 2 })).rejects.toMatchObject({
      code: 'not_found',
    })
    await ledger.prepare(aCall())
    await expect(ledger.prepare(aCall({ input: 2 }))).rejects.toMatchObject({ code: 'different_input' })
  })

  it('a second send is refused while the first holds it, and the wrong fence tells nothing', async () => {
    const { ledger, store } = await aLedger()
    await ledger.prepare(aCall())
    await ledger.send('ticket-1')
    expect(await ledger.send('ticket-1')).toMatchObject({ sent: false, outcome: { status: 'in_progress' } })
    const before = await recordOf(store)
    for (const held of [
      { attempt: 1, fence: 9 },
      { attempt: 3, fence: 2 },
    ]) {
      await expect(ledger.confirm({ operation_id: 'ticket-1', ...held })).rejects.toMatchObject({
        code: 'conflict',
        rule: 'attempt_known',
      })
    }
    expect(await recordOf(store)).toEqual(before)
  })

  it('a writer that takes no lease is never dead by age', async () => {
    const { ledger, store } = await aLedger()
    await ledger.prepare(aCall())
    await ledger.send('ticket-1', { leaseMs: null })
    expect((await recordOf(store)).operation.lease_expires_at).toBeNull()
  })

  it('an epoch from before a takeover sends nothing', async () => {
    const { ledger, store } = await aLedger()
    await ledger.prepare(aCall())
    await takeoverOf(store, 'task-1')
    await takeoverOf(store, 'task-1', 'handback')
    expect(await ledger.send('ticket-1', { epoch: 1 })).toMatchObject({
      sent: false,
      outcome: { status: 'waiting', for: 'person' },
    })
    expect(await ledger.send('ticket-1', { epoch: 2 })).toMatchObject({ sent: true })
  })

  it('reject and lose end it as what they say; telling it again changes nothing', async () => {
    const { ledger, store } = await aLedger()
    const a = await aSending(ledger, 'a')
    expect(await ledger.reject(a, { reason: 'over quota' })).toMatchObject({
      status: 'not_executed',
      held: true,
    })
    expect(await ledger.reject(a, { reason: 'over quota' })).toMatchObject({
      status: 'not_executed',
      held: false,
      late: false,
      version: 3,
    })
    const b = await aSending(ledger, 'b')
    expect(
      await ledger.lose(b, {
        reason: 'reset',
        code: 'ECONNRESET',
        external_ids: [{ kind: 'ticket', value: 'T-9' }],
      }),
    ).toMatchObject({ status: 'unknown' })
    const record = await recordOf(store, 'b')
    expect(record.operation.last_error).toMatchObject({ rule: 'said_unknown', code: 'ECONNRESET' })
    expect(record.external_ids).toEqual([{ kind: 'ticket', value: 'T-9' }])
    await expect(ledger.lose(b, { reason: '' })).rejects.toMatchObject({ code: 'invalid_input' })
  })

  it('a receipt that comes late is kept, and confirms what was lost', async () => {
    const { ledger, store } = await aLedger()
    const sending = await aSending(ledger, 'ticket-1')
    await takeoverOf(store, 'task-1')
    expect(await ledger.confirm(sending, { result: 1 })).toMatchObject({
      status: 'confirmed',
      held: false,
      late: true,
    })
  })

  it('work that the service accepted waits for its answer under the same fence', async () => {
    const { ledger, store } = await aLedger()
    const sending = await aSending(ledger, 'ticket-1')
    const remote = { kind: 'job', value: 'j-1' }
    expect(await ledger.accept(sending, { remote, patience_ms: 3_600_000 })).toMatchObject({
      status: 'in_flight',
    })
    const { operation, external_ids } = await recordOf(store)
    expect([operation.lease_owner, external_ids]).toEqual(['remote', [remote]])
    expect(operation.lease_expires_at).toBeGreaterThan(Date.now() + 3_000_000)
    expect(await ledger.confirm(sending, { result: 'done' })).toMatchObject({
      status: 'confirmed',
      held: true,
    })
    await expect(ledger.accept(sending, { remote })).rejects.toMatchObject({ code: 'refused' })
  })

  it('refuses a digest that is not that of the result, and an external id that is none', async () => {
    const { ledger } = await aLedger()
    const sending = await aSending(ledger, 'ticket-1')
    const wrong = `sha256:${'0'.repeat(64)}`
    await expect(ledger.confirm(sending, { result: 1, result_digest: wrong })).rejects.toMatchObject({
      code: 'invalid_input',
    })
    await expect(ledger.confirm(sending, { external_ids: [{ kind: '', value: 'x' }] })).rejects.toMatchObject(
      { code: 'invalid_input' },
    )
    expect(await ledger.confirm(sending, { result_digest: wrong })).toMatchObject({ status: 'confirmed' })
  })
})

async function aSending(ledger: Awaited<ReturnType<typeof aLedger>>['ledger'], id: string) {
  await ledger.prepare(aCall({ id }))
  const sent = await ledger.send(id)
  if (!sent.sent) throw new Error(sent.outcome.status)
  return sent.sending
}

function nested(levels: number): JsonValue {
  let value: JsonValue = 1
  for (let i = 0; i < levels; i++) value = [value]
  return value
}
