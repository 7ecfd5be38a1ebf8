import { copyFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { NO_CONFIG } from '../../../src/config/config.js'
import { looking } from '../../../src/ledger/looking.js'
import { openStore } from '../../../src/store/open.js'
import { aSeenLedger, asPublished } from './support.js'

const KILLED = join(import.meta.dirname, '../../../fixtures/langgraph/js-kill-mid-node/checkpoints.sqlite')

/** A ledger whose task points to thread t1 of a file beside it. */
async function pointing(make: (path: string) => void) {
  const ledger = await aSeenLedger()
  const uri = join(dirname(ledger.path), 'checkpoints.sqlite')
  make(uri)
  const task = { task_id: 'task-1', thread: { source: 'langgraph', uri, thread_id: 't1' } }
  await ledger.store.changeTask({
    task_id: 'task-1',
    request: { type: 'open', task },
    by: { actor: 'agent', clock: ledger.clock },
    isOwnerGone: () => false,
  })
  const checkpoint = { source: 'langgraph', thread_id: 't1', node: 'n2', step: 2 }
  await ledger.lost({ checkpoint })
  return { ...ledger, uri }
}

describe('the checkpoint in a report', () => {
  it('is read, and tells which doubt a resume would send again', async () => {
    const { see, uri } = await pointing(path => {
      for (const part of ['', '-wal']) copyFileSync(`${KILLED}${part}`, `${path}${part}`)
    })
    const { document } = await see.report('task-1')
    asPublished('report@1', document)
    expect(document.warnings).toEqual([])
    expect(document.checkpoint).toMatchObject({ uri, thread: { thread_id: 't1', get_state_next: ['n2'] } })
    expect(document.replay_risk).toMatchObject([{ operation_id: 'ticket-1', node: 'n2', status: 'unknown' }])
    expect(document.next_steps.at(-1)?.command).toContain('agent-ledger checkpoint --thread=t1')
    const alone = await see.checkpoint(uri)
    expect(alone.joined).toBe(1)
    expect(alone.document.threads[0]?.replay_risk).toEqual(document.replay_risk)
    expect((await see.checkFor({ failOn: ['replay-risk'] })).found).toMatchObject([
      { operation_id: 'ticket-1' },
    ])
  })

  it.each([
    ['is not there', () => undefined],
    ['is no database', (path: string) => writeFileSync(path, 'hello')],
    ['is empty', (path: string) => writeFileSync(path, '')],
    ['was copied without its log', (path: string) => copyFileSync(KILLED, path)],
  ])('is a warning when it %s, and the rest of the report is made', async (_, make) => {
    const { see } = await pointing(make)
    const { document } = await see.report('task-1')
    asPublished('report@1', document)
    expect(document.checkpoint).toBeNull()
    expect(document.warnings).toMatchObject([{ code: 'checkpoint_unreadable' }])
    expect(document.unknown).toMatchObject([{ operation_id: 'ticket-1' }])
    expect((await see.checkFor({ failOn: ['replay-risk'] })).ok).toBe(false)
  })
})

describe('the next steps of a report', () => {
  const MINUTE = 60_000
  const steps = async (see: Awaited<ReturnType<typeof aSeenLedger>>['see']) =>
    (await see.report('task-1')).document.next_steps.map(({ command }) => command)

  it('begin with the probe where the tool has one', async () => {
    const { see, ...ledger } = await aSeenLedger()
    await ledger.lost({ contract: { probe: { kind: 'declared when it was sent' } } })
    expect((await steps(see))[0]).toBe('agent-ledger reconcile ticket-1')
  })

  it('hold the task while the executor of a lapsed lease may still be there, and not once it is gone', async () => {
    const { see, clock, gone, ...ledger } = await aSeenLedger()
    const { operation } = await ledger.inFlight()
    clock.advance(2 * MINUTE)
    expect(await steps(see)).toContain("agent-ledger takeover --reason '…' task-1")
    gone.add(operation.lease_owner ?? '')
    expect(await steps(see)).not.toContain("agent-ledger takeover --reason '…' task-1")
  })

  it('name the leave that is missing as what it stopped for', async () => {
    const { see, ...ledger } = await aSeenLedger()
    await ledger.prepared({ contract: { approval: 'required' } })
    expect((await see.report('task-1')).document.why_stopped).toBe('ticket-1 waits for an approval')
    expect(await steps(see)).toContain('agent-ledger approve ticket-1')
  })

  it('grant an attempt where the budget is spent and nothing happened', async () => {
    const { see, store, clock, ...ledger } = await aSeenLedger()
    await ledger.rejected()
    await store.changeTask({
      task_id: 'task-1',
      request: { type: 'set_status', status: 'budget_exhausted', reason: 'all attempts are used' },
      by: { actor: 'agent', clock },
      isOwnerGone: () => false,
    })
    expect(await steps(see)).toContain("agent-ledger allow-retry --reason '…' ticket-1")
  })

  it('ask a person about what was written down before the ledger was copied', async () => {
    const { store, path, clock, ...ledger } = await aSeenLedger()
    await ledger.prepared()
    await store.close()
    const copy = `${path}.copy`
    copyFileSync(path, copy)
    const opened = await openStore({ url: copy, clock, program: 'test' })
    onTestFinished(() => opened.close())
    const see = looking({ store: opened, clock, isOwnerGone: () => false, config: NO_CONFIG })
    const { document } = await see.report('task-1')
    expect(document.not_sent).toMatchObject([
      { waits_for: 'person', next_action: { next_action: 'ask_person' } },
    ])
    expect(document.next_steps[0]).toMatchObject({ command: 'agent-ledger show ticket-1' })
    expect((await see.show('ticket-1')).document.next_action.reason).toContain('copied or restored')
    expect((await see.list()).operations[0]?.next_action.next_action).toBe('ask_person')
  })
})

describe('a report without a name', () => {
  it('is of the task that needs a person most', async () => {
    const { see, clock, ...ledger } = await aSeenLedger()
    await ledger.lost({ operation_id: 'older', task_id: 'older-doubt', input: 1 })
    clock.advance(1_000)
    await ledger.lost({ operation_id: 'newer', task_id: 'newer-doubt', input: 2 })
    await ledger.confirmed({ operation_id: 'fine', task_id: 'newest', input: 3 })
    const { document, note } = await see.report()
    expect(document.task.task_id).toBe('older-doubt')
    expect(note).toBe('no task was named: this is older-doubt (1 in doubt, the oldest doubt there is)')
  })
})
