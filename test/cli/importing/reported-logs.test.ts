import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fixture } from '../../sources/saver-file.js'
import {
  completed,
  event,
  history,
  payload,
  scheduled,
  started,
} from '../../sources/temporal/build-history.js'
import { aDirectory } from '../../store/support/places.js'
import { runCli } from '../fake-io.js'

// Reports about histories and logs, as a person who takes over meets them: what is imported, and what is told of it then.

/** Takes the values in as one file; `show` and `report` of what is there then, as texts. */
async function imported(source: string, name: string, text: string) {
  const cwd = aDirectory()
  await runCli(['init'], { cwd })
  const take = async (file: string, content: string) => {
    writeFileSync(join(cwd, file), content)
    const { code, out } = await runCli(['import', source, file, '--json'], { cwd })
    expect(code).toBe(0)
    return JSON.parse(out).inputs[0]
  }
  const input = await take(name, text)
  const list = JSON.parse((await runCli(['list', '--all', '--json'], { cwd })).out).operations
  const ids: string[] = list.map((one: { operation_id: string }) => one.operation_id)
  const printed = async (...argv: readonly string[]) => (await runCli(argv, { cwd })).out
  return { input, list, ids, take, printed, show: (n: number) => printed('show', ids[n] ?? '') }
}

it('E2: a write that worked on attempt 4 is shown with three that nobody recorded', async () => {
  const lastFailure = {
    message: 'activity StartToClose timeout',
    timeoutFailureInfo: { timeoutType: 'StartToClose' },
  }
  const events = history([scheduled(), started({ attempt: 4, lastFailure }), completed()])
  const { show, input } = await imported('temporal', 'h.json', JSON.stringify({ events }))
  const shown = await show(0)
  expect(shown).toContain(': confirmed')
  expect(shown.match(/nobody can tell whether it took effect/g)).toHaveLength(3)
  expect(shown.match(/not recorded by Temporal/g)).toHaveLength(2)
  expect(shown).toContain(
    '3 earlier attempts left no event; the last of them timed out: possible extra effect',
  )
  // their times are not on record, so nothing says that they ran side by side
  expect(shown).not.toContain('overlap')
  expect(JSON.stringify(input.warnings)).toContain('3 of 4 attempts not recorded by Temporal')
})

it('E4: an input that nobody can read here is shown as such, and the result beside it is read', async () => {
  const secret = { ...payload('', 'binary/encrypted'), data: Buffer.alloc(312, 7).toString('base64') }
  const events = history([
    scheduled({ input: { payloads: [secret] } }),
    started(),
    completed({ result: { payloads: [payload({ id: 'inv-7' })] } }),
  ])
  const { show } = await imported('temporal', 'h.json', JSON.stringify({ events }))
  const shown = await show(0)
  expect(shown).toMatch(/input: .*"binary\/encrypted","bytes":312,.*"why":"encrypted"/)
  expect(shown).toContain('result: {"id":"inv-7"}')
  expect(shown).toContain('external ids: id=inv-7')
})

it('E5: a run that was reset says what is not in its file, and is one task with the run it continues', async () => {
  const base = history([
    scheduled(),
    started(),
    completed(),
    ['WORKFLOW_TASK_SCHEDULED'],
    ['WORKFLOW_TASK_STARTED'],
  ])
  const reset = event(10, 'WORKFLOW_TASK_FAILED', {
    cause: 'ResetWorkflow',
    baseRunId: 'run-1',
    newRunId: 'run-2',
  })
  const charge = event(11, 'ACTIVITY_TASK_SCHEDULED', {
    activityId: '2',
    activityType: { name: 'ChargeCard' },
  })
  const { input, take, printed } = await imported(
    'temporal',
    'r2.json',
    JSON.stringify({ events: [...base, reset] }),
  )
  expect(JSON.stringify(input.warnings)).toContain(
    'this run continues run run-1 from event 10: what run run-1 did after that is not in this file',
  )
  expect(await printed('report')).not.toContain('ChargeCard')
  await take('r1.json', JSON.stringify({ events: [...base, event(10, 'WORKFLOW_TASK_COMPLETED'), charge] }))
  const { tasks } = JSON.parse(await printed('tasks', '--all', '--json'))
  expect(tasks.map((one: { task_id: string }) => one.task_id)).toEqual(['temporal:run-1'])
  expect(await printed('report')).toContain('ChargeCard')
})

it('F2: one answer without its action costs a warning, and forty operations are taken in', async () => {
  const cwd = aDirectory()
  await runCli(['init'], { cwd })
  mkdirSync(join(cwd, 'conversation', 'events'), { recursive: true })
  const id = (n: number) => `${String(n).padStart(8, '0')}-0000-4000-8000-000000000000`
  const write = (n: number, rest: object) =>
    writeFileSync(
      join(cwd, 'conversation', 'events', `event-${String(n).padStart(5, '0')}-${id(n)}.json`),
      JSON.stringify({ id: id(n), timestamp: '2026-03-10T11:00:00.000001', source: 'agent', ...rest }),
    )
  for (let n = 0; n < 80; n += 2) {
    const call = { tool_name: 'terminal', tool_call_id: `call_${n}` }
    write(n, { kind: 'ActionEvent', action: { kind: 'TerminalAction', command: `step ${n}` }, ...call })
    const observation = { kind: 'TerminalObservation', content: [], is_error: false, exit_code: 0 }
    write(n + 1, { kind: 'ObservationEvent', observation, action_id: id(n), ...call })
  }
  write(80, {
    kind: 'AgentErrorEvent',
    error: 'A restart occurred while this tool was in progress.',
    tool_name: 'terminal',
    tool_call_id: 'call_Y',
  })
  const { code, out } = await runCli(['import', 'openhands', 'conversation', '--json'], { cwd })
  const [input] = JSON.parse(out).inputs
  expect([code, input.operations.added]).toEqual([0, 40])
  const orphan = input.warnings.find((one: { code: string }) => one.code === 'orphan_answer')
  expect(orphan).toMatchObject({ count: 1 })
  expect(JSON.stringify(orphan)).toMatch(/call_Y.*event-00080-/)
})

const asked = (id: string, name: string, input: object) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(input) } }],
})
const lines = (...values: readonly object[]) => values.map(value => JSON.stringify(value)).join('\n')

it('F3: a sentence in the place of a result leaves the call in doubt, and is shown with that reason', async () => {
  const content = 'Tool result missing: the run likely ended before the tool completed.'
  const { show, printed } = await imported(
    'transcript',
    'f.jsonl',
    lines(asked('t1', 'deploy', { to: 'prod' }), {
      role: 'tool',
      tool_call_id: 't1',
      content,
      is_error: true,
    }),
  )
  expect(await show(0)).toMatch(/: unknown[\s\S]*placeholder/)
  expect(await printed('list', '--unknown')).toContain('deploy')
})

it('F5: of two calls under one id the second is in doubt alone', async () => {
  const { list } = await imported(
    'transcript',
    'f.jsonl',
    lines(
      asked('call-1', 'shell', { command: 'ls' }),
      { role: 'tool', tool_call_id: 'call-1', content: 'build' },
      asked('call-1', 'shell', { command: 'rm -rf build' }),
    ),
  )
  expect(list.map((one: { status: string }) => one.status).sort()).toEqual(['confirmed', 'unknown'])
})

it('F6: a call without a result is in doubt, and it is said where to look', async () => {
  const { show } = await imported(
    'transcript',
    'f.jsonl',
    lines(asked('c1', 'write_file', { path: 'loop.md' })),
  )
  expect(await show(0)).toMatch(/: unknown[\s\S]*Where to look\n.*loop\.md/)
})

it('a thread whose node failed is not said to be finished: a resume runs it again', async () => {
  const path = fixture('js-fork-old-checkpoint')
  const { out } = await runCli(['report', '--from', path, '--json'])
  const { task, next_steps } = JSON.parse(out)
  expect([task.status, task.is_finished]).toEqual(['failed', false])
  expect(next_steps).toMatchObject([{ command: expect.stringContaining('agent-ledger checkpoint') }])
  const done = JSON.parse((await runCli(['report', '--from', fixture('js-done'), '--json'])).out)
  expect([done.task.status, done.task.is_finished, done.next_steps]).toEqual(['completed', true, []])
})

it('the last sign of a thread is its checkpoint, not the moment at which it was read', async () => {
  for (const name of ['js-interrupt-two', 'js-done', 'py-kill-parallel']) {
    const { out } = await runCli(['report', '--from', fixture(name), '--json'])
    const { task, checkpoint } = JSON.parse(out)
    expect(Date.parse(task.last_sign_at)).toBe(Date.parse(checkpoint.thread.ts))
  }
})

it('nor is that moment the last sign, or the last entry, of writes that a log tells of', async () => {
  const path = join(aDirectory(), 'log.jsonl')
  const write = { operation_id: 'w-1', task_id: 'run-1', tool: 'mail.send', status: 'confirmed' }
  writeFileSync(
    path,
    lines({ ...write, started_at: '2026-01-28T14:33:17Z', ended_at: '2026-01-28T14:33:18Z' }),
  )
  const { out } = await runCli(['report', '--from', path, '--json'])
  const { task, why_stopped } = JSON.parse(out)
  expect(task.last_sign_at).toBe('2026-01-28T14:33:18.000Z')
  expect(why_stopped).toMatch(/the last entry is \d+d old/)
})
