import { mkdirSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { aSeenLedger, asPublished } from './support.js'

const MINUTE = 60_000

describe('the status of a ledger', () => {
  it('of a new one is that nothing is open', async () => {
    const { see } = await aSeenLedger()
    const status = asPublished('status@1', await see.status())
    expect(status).toMatchObject({
      in_doubt: { count: 0, oldest: null },
      is_silent: false,
    })
    expect(status.next.command).toBe('agent-ledger exec --help')
  })

  it('counts what is open, the oldest of each, by rule and by cause, and says what to type next', async () => {
    const { see, clock, as, ...ledger } = await aSeenLedger()
    await ledger.lost({ operation_id: 'lost-1', effect: 'read', input: 1 })
    clock.advance(MINUTE)
    await ledger.lost({ operation_id: 'lost-2', input: 2 })
    await ledger.confirmed({ operation_id: 'done', input: 3 })
    await ledger.prepared({ operation_id: 'forgotten', input: 4 })
    clock.advance(16 * MINUTE)
    await ledger.inFlight({ operation_id: 'flying', input: 5 })
    await ledger.prepared({ operation_id: 'asking', input: 6, contract: { approval: 'required' } })
    await as('ana').claim('lost-2', { until: clock().at + MINUTE })
    const status = asPublished('status@1', await see.status())
    expect(status).toMatchObject({
      in_doubt: { count: 2, oldest: 'lost-1', risk: 'irreversible', riskiest: 'lost-2' },
      in_flight: { count: 1, oldest: 'flying', without_lease: 0 },
      not_sent: { count: 2, oldest: 'forgotten' },
      awaiting_approval: 1,
      stalled: [{ rule: 'never_sent', of: 'operation', count: 1 }],
      causes: [{ cause: 'thrown tickets.create', count: 2 }],
      claims: [{ subject: 'operation', subject_id: 'lost-2', by: 'ana' }],
      tasks: { open: 1, taken_over: 0 },
      next: { command: 'agent-ledger report task-1' },
    })
    expect(status.in_flight.next_lease_ends_at).toBe(new Date(clock().at + MINUTE).toISOString())
  })

  it('sends to the list when several tasks are in doubt', async () => {
    const { see, ...ledger } = await aSeenLedger()
    await ledger.lost({ operation_id: 'a', task_id: 'task-1', input: 1 })
    await ledger.lost({ operation_id: 'b', task_id: 'task-2', input: 2 })
    expect((await see.status()).next.command).toBe('agent-ledger list --unknown')
  })

  it('says that nobody has written since before the leases ran out', async () => {
    const { see, clock, ...ledger } = await aSeenLedger()
    await ledger.inFlight()
    expect((await see.status()).is_silent).toBe(false)
    clock.advance(2 * MINUTE)
    expect((await see.status()).is_silent).toBe(true)
    await ledger.prepared({ operation_id: 'other', input: 2 })
    expect((await see.status()).is_silent).toBe(false)
  })

  it('names outcomes that wait beside the ledger', async () => {
    const { see, path } = await aSeenLedger()
    mkdirSync(`${path}.spool`)
    writeFileSync(`${path}.spool/1.receipt.json`, '{}')
    const status = await see.status()
    expect(status.receipts_waiting).toHaveLength(1)
    expect(status.next.command).toBe('agent-ledger reconcile --all')
  })

  it('leads to the one operation that waits for an approval, and to the list where there are more', async () => {
    const { see, ...ledger } = await aSeenLedger()
    const contract = { approval: 'required' } as const
    await ledger.prepared({ operation_id: 'wire-1', input: 1, contract })
    expect((await see.status()).next.command).toBe('agent-ledger show wire-1')
    await ledger.prepared({ operation_id: 'wire-2', input: 2, contract })
    expect((await see.status()).next.command).toBe('agent-ledger list')
  })

  it('leads to the tasks where nothing is open and one of them is held', async () => {
    const { see, as, ...ledger } = await aSeenLedger()
    await ledger.confirmed()
    expect((await see.status()).next.command).toBe('agent-ledger tasks --all')
    await as('lee').takeover('task-1', 'I read the list first')
    expect((await see.status()).next.command).toBe('agent-ledger tasks')
  })

  it('has a task that lost its agent with nothing open', async () => {
    const { see, clock, store, ...ledger } = await aSeenLedger()
    await ledger.confirmed()
    await store.signal({ kind: 'heartbeat', subject: { task_id: 'task-1' }, clock })
    clock.advance(3 * MINUTE + 1)
    expect((await see.status()).stalled).toMatchObject([{ rule: 'heartbeat_lost', of: 'task', count: 1 }])
  })
})
