import { expect, it } from 'vitest'
import { newAction } from '../../../src/core/action.js'
import { listDocument } from '../../../src/core/documents/list-schema.js'
import type { Request } from '../../../src/core/transitions/requests.js'
import { asked, RECEIPT } from '../../core/builders.js'
import { aLedger, type TestLedger } from '../../ledger/support/a-ledger.js'
import { runCli } from '../fake-io.js'

// What people reported of other systems, typed as a person on call would type it.

const ELEVEN = Date.parse('2026-03-10T11:00:00Z')
const SECOND = 1_000

async function aLedgerAtEleven() {
  const ledger = await aLedger(ELEVEN)
  const cli = (argv: readonly string[], terminal?: number) =>
    runCli([...argv, '--ledger', ledger.path, '--as-of', '2026-03-10T12:00:00Z'], {
      ...(terminal === undefined ? {} : { terminal }),
    })
  const listed = async (argv: readonly string[]) => {
    const { out, code } = await cli(['list', ...argv, '--json', '--exit-code'])
    return { ...listDocument.parse(JSON.parse(out)), code }
  }
  return { ...ledger, cli, listed }
}

it('A5: a write that two layers made is one group, with its gap beside the time-out of the caller', async () => {
  const { clock, confirmed, imported, listed, store } = await aLedgerAtEleven()
  const charge = { tool: 'create_charge', input: { cus: 'A', amount: 4200 }, timeout_ms: 30_000 }
  await confirmed({ ...charge, operation_id: 'op-5', idempotency_key: 'k1' })
  clock.advance(33 * SECOND)
  await imported({ ...charge, operation_id: 'op-6', idempotency_key: 'k2' })
  const { operations, code } = await listed(['--rule', 'duplicate_writes'])
  const duplicates = { gap_ms: 33_000, timeout_ms: 30_000, keys_differ: true, operations: ['op-5', 'op-6'] }
  expect(operations).toMatchObject([{ stalled_by: [{ rule: 'duplicate_writes', ...duplicates }] }])
  expect(code).toBe(11)
  for (const id of ['op-5', 'op-6']) expect((await store.operation(id))?.operation.status).toBe('confirmed')
})

it('A10: a heartbeat that comes after the end leaves nothing to be called stalled', async () => {
  const { clock, confirmed, store, listed, cli } = await aLedgerAtEleven()
  await confirmed({ operation_id: 'op-12' })
  clock.advance(5 * SECOND)
  const subject = { operation_id: 'op-12', attempt: 1, fence: 2 }
  await store.signal({ kind: 'heartbeat', subject, clock })
  expect(await listed(['--stalled'])).toMatchObject({ operations: [], stalled_tasks: [], code: 0 })
  expect((await cli(['show', 'op-12'])).out).toMatch(/^Operation op-12: confirmed/)
})

it('I2: 1,535 polls with one answer are one entry that says how often and since when', async () => {
  const { clock, prepared, store, listed, cli } = await aLedgerAtEleven()
  await prepared({ task_id: 'run-7', operation_id: 'later' })
  const given = {
    tool: 'process.log',
    input: { session: 'X' },
    result: 'no new output',
    outcome: 'ok',
  } as const
  const action = newAction(given, value => value)
  for (let i = 0; i < 1_535; i++) {
    await store.signal({ kind: 'activity', subject: { task_id: 'run-7' }, action, clock })
    clock.advance(2 * SECOND)
  }
  const { stalled_tasks, operations } = await listed(['--stalled', '--rule', 'loop_same_action_same_result'])
  expect(operations).toEqual([])
  expect(stalled_tasks?.flatMap(({ stalled_by }) => stalled_by)).toContainEqual(
    expect.objectContaining({ rule: 'loop_same_action_same_result', times: 1_535 }),
  )
  expect(stalled_tasks).toHaveLength(1)
  const { out } = await cli(['list', '--stalled'])
  expect(out.match(/same call, same answer, 1535 times in 51m/g)).toHaveLength(1)
})

it('I11: five thousand stuck operations are summed up on a terminal, and all of them are in the document', async () => {
  const { cli, listed, inFlight } = await aLedgerAtEleven()
  const tools = 42
  await Promise.all(
    Array.from({ length: 5_133 }, (_, i) =>
      inFlight({ operation_id: `job-${i}`, tool: `tool.${i % tools}`, input: i, idempotency_key: `k-${i}` }),
    ),
  )
  const { operations, left_out } = await listed(['--stalled'])
  expect([operations.length, left_out]).toEqual([5_133, 0])
  const { out, err } = await cli(['list', '--stalled'], 120)
  expect(out.trimEnd().split('\n')).toHaveLength(1 + 100)
  expect(err).toContain('5133 in all, the oldest 1h old; most by tool.0 123, tool.1 123, tool.2 123')
  expect(err).toContain('5033 more are left out: --limit 5133, or a pipe, shows them')
  expect((await cli(['list', '--stalled', '--limit', '2'])).err).toContain('--limit 5133 shows them')
})

it('J3: two attempts that both ended well are one operation with both results, and both are shown', async () => {
  const { clock, cli, listed, ...ledger } = await aLedgerAtEleven()
  const fences = await twoSendings({ clock, ...ledger })
  clock.advance(9 * SECOND)
  await ledger.ask('op-122', late(1, fences[0], 'A'), [RECEIPT])
  clock.advance(20 * SECOND)
  await ledger.ask('op-122', late(2, fences[1], 'B'), [RECEIPT])
  const shown = await cli(['show', 'op-122'])
  expect(shown.out).toMatch(/^Operation op-122: confirmed/)
  expect(shown.out).toContain('external ids: job=A, job=B')
  expect(shown.out).toContain('two executions, two results')
  expect(shown.out.match(/: it took effect$/gm)).toHaveLength(2)
  const { operations } = await listed([])
  expect(operations).toMatchObject([{ operation_id: 'op-122', next_action: { next_action: 'ask_person' } }])
})

/** The lease of the first runs out while it is busy, and another one begins; the fences of both. */
async function twoSendings({ clock, prepared, ask }: Pick<TestLedger, 'clock' | 'prepared' | 'ask'>) {
  const repeat = { kind: 'idempotency_key', retention_ms: 86_400_000 } as const
  await prepared({ operation_id: 'op-122', tool: 'job.run', target: 'jobs/7', repeat })
  const send = (owner: string): Request => {
    return { type: 'send', owner, lease_ms: 30 * SECOND, epoch: null, fence: null }
  }
  const first = await ask('op-122', send('busy/b/1/ns/1/abc'))
  clock.advance(31 * SECOND)
  await ask('op-122', { type: 'orphan', why: 'lease_lapsed', reason: null })
  await ask('op-122', { type: 'resend' })
  const second = await ask('op-122', send('other/b/2/ns/1/abc'))
  return [first.operation.lease_fence, second.operation.lease_fence] as const
}

/** As its executor tells it after the lease was gone. */
function late(attempt: number, fence: number, job: string): Request {
  return asked.late('applied', { attempt, fence, external_ids: [{ kind: 'job', value: job }] })
}
