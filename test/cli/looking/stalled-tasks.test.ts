import { describe, expect, it } from 'vitest'
import { newAction } from '../../../src/core/action.js'
import { listDocument } from '../../../src/core/documents/list-schema.js'
import { watchDocument } from '../../../src/core/documents/watch-schema.js'
import { open } from '../deciding/opened.js'

const POLL = newAction({ tool: 'log', input: {}, result: 'nothing', outcome: 'ok' }, value => value)

async function aLoop() {
  const opened = await open()
  await opened.prepared({ task_id: 'run-7', operation_id: 'op-1' })
  for (let i = 0; i < 4; i++) {
    const now = { at: Date.now(), boot_id: '', boot_ms: 0 }
    await opened.store.signal({
      kind: 'activity',
      subject: { task_id: 'run-7' },
      action: POLL,
      clock: () => now,
    })
  }
  return opened
}

describe('a task that goes round, on the command line', () => {
  it('stands below the operations, with its own columns, and in the document', async () => {
    const { cli } = await aLoop()
    const { out, code } = await cli(['list', '--stalled', '--exit-code'])
    expect(out).toContain(
      'task\tstate\twhy\nrun-7\trunning, stalled\tloop_same_action_same_result: same call',
    )
    expect(code).toBe(11)
    const { stalled_tasks } = JSON.parse((await cli(['list', '--stalled', '--json'])).out)
    expect(stalled_tasks).toMatchObject([{ task_id: 'run-7' }])
    expect((await cli(['list', '--rule', 'loop_monologue'])).out).not.toContain('run-7')
    expect((await cli(['list'])).err).not.toContain('nothing needs a person')
  })

  it('is a line of its own in a stream, after the operations, which stay as they are', async () => {
    const { cli, lost } = await aLoop()
    await lost({ task_id: 'run-8', operation_id: 'op-2', input: 2 })
    const linesOf = (text: string) =>
      text
        .trimEnd()
        .split('\n')
        .map(line => JSON.parse(line))
    const lines = linesOf((await cli(['list', '--jsonl'])).out)
    expect(lines.map(Object.keys).at(-1)).toEqual(['stalled_task'])
    const { operations, stalled_tasks } = listDocument.parse(JSON.parse((await cli(['list', '--json'])).out))
    const withoutAges = (value: unknown) => JSON.stringify(value).replaceAll(/"age_ms":\d+/g, '"age_ms":0')
    expect(withoutAges(lines)).toBe(
      withoutAges([...operations, ...(stalled_tasks ?? []).map(stalled_task => ({ stalled_task }))]),
    )
    const chosen = await cli(['list', '--jsonl', '--fields', 'operation_id'])
    expect(linesOf(chosen.out)).toEqual(operations.map(({ operation_id }) => ({ operation_id })))
    expect(chosen.err).toBe('1 task is stalled: --fields leaves them out\n')
    expect((await cli(['list', '--unknown', '--jsonl'])).out).not.toContain('stalled_task')
  })

  it('is told once by watch, as lines and as documents', async () => {
    const { cli } = await aLoop()
    const { out, code } = await cli(['watch', '--once'])
    expect(code).toBe(0)
    expect(out).toMatch(
      /noticed {2}task run-7: loop_same_action_same_result: .*; if nothing changes, suspended at 20/,
    )
    const lines = (await cli(['watch', '--once', '--jsonl'])).out.trim().split('\n')
    expect(lines.map(line => watchDocument.parse(JSON.parse(line)).event)).toEqual(['leading'])
  })

  it('refuses what is no rule, no duration and no address', async () => {
    const { cli } = await aLoop()
    for (const wrong of [
      ['--suspend', 'everything'],
      ['--every', '10'],
      ['--webhook', 'ftp://x'],
      ['--once', 'nowhere.db'],
    ])
      expect((await cli(['watch', '--once', ...wrong])).code, wrong.join(' ')).not.toBe(0)
  })
})
