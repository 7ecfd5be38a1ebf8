import { copyFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
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
    by: { actor: 'agent', now: ledger.clock() },
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
