import { describe, expect, it } from 'vitest'
import { aLedger } from '../execute/support/ledgers.js'

async function aTask() {
  const opened = await aLedger()
  await opened.ledger.record('task', { task_id: 't' })
  return opened
}

describe('record activity', () => {
  it('tells what was done, so that a loop is seen', async () => {
    const { ledger, store } = await aTask()
    const poll = { task_id: 't', tool: 'log', input: { n: 1 }, result: 'nothing', outcome: 'ok', cost: 0.1 }
    for (let i = 0; i < 4; i++) expect(await ledger.record('activity', poll)).toMatchObject({ ok: true })
    const { stalled_tasks } = await ledger.list({ show: 'stalled' })
    expect(stalled_tasks).toMatchObject([
      { stalled_by: [{ rule: 'loop_same_action_same_result', times: 4 }] },
    ])
    expect(await store.task('t')).toMatchObject({ steps: 4 })
  })

  it('takes messages, waits and a bare sign, and refuses what means nothing', async () => {
    const { ledger, store } = await aTask()
    const tell = (about: object) => ledger.record('activity', { task_id: 't', ...about })
    expect(await tell({ message: 'hm' })).toMatchObject({ ok: true })
    expect(await tell({ wait_until: '2099-01-01T00:00:00Z' })).toMatchObject({ ok: true })
    expect(await tell({})).toMatchObject({ ok: true })
    expect((await store.actions('t')).map(({ kind, tool }) => [kind, tool])).toEqual([
      ['message', null],
      ['tool', 'wait'],
    ])
    for (const wrong of [{ toll: 'x' }, { tool: '' }, { result: 1 }, { cost: -1 }, { outcome: 'maybe' }])
      expect(await tell(wrong)).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
  })
})

describe('progress', () => {
  it('names its evidence, in the library and in record', async () => {
    const { ledger } = await aTask()
    for (const progress of [null, '', {}, [], true])
      expect(await ledger.record('progress', { task_id: 't', progress })).toMatchObject({
        ok: false,
        error: { path: 'progress' },
      })
    const task = await ledger.task('t')
    await expect(task.progress(null)).rejects.toMatchObject({ code: 'invalid_input' })
    expect(await task.progress(0)).toMatchObject({ held: true })
  })
})

describe('record drain', () => {
  it('keeps that a run was told to stop', async () => {
    const { ledger, store } = await aTask()
    expect(await ledger.record('drain', { task_id: 't', reason: 'SIGTERM' })).toMatchObject({ ok: true })
    expect(await ledger.record('drain', { task_id: 'u', reason: 'x' })).toMatchObject({ ok: false })
    expect(await store.events({ about: { task_id: 't' }, type: 'drain', limit: 9 })).toHaveLength(1)
  })
})
