import { describe, expect, it } from 'vitest'
import { decisionCode } from '../../../src/core/decision-code.js'
import { runCli } from '../fake-io.js'
import { open } from './opened.js'

const HOUR = 3_600_000
const why = ['--reason', 'as agreed']

describe('reopen', () => {
  it('makes it unknown again and says how to settle it as before', async () => {
    const { json, confirmed } = await open()
    await confirmed()
    const { code, document } = await json('reopen', 'ticket-1', ...why, '--yes')
    expect(code).toBe(0)
    expect(document).toMatchObject({
      decision: 'reopen',
      operation_id: 'ticket-1',
      task_id: 'task-1',
      actor: 'flag:ana',
      before: { status: 'confirmed', version: 3 },
      after: { status: 'unknown', version: 4 },
      undo: "agent-ledger resolve --as confirmed --evidence '…' --reason '…' ticket-1",
    })
  })

  it('of what is not settled is refused', async () => {
    const { json, lost } = await open()
    await lost()
    const { code, err } = await json('reopen', 'ticket-1', ...why, '--yes')
    expect([code, JSON.parse(err).rule]).toEqual([7, 'no_such_move'])
  })
})

describe('abandon', () => {
  it('asks for the code, since nobody will ask again', async () => {
    const { cli, lost, operation } = await open()
    await lost()
    const plain = await cli(['abandon', 'ticket-1', ...why], { answers: ['yes'] })
    expect(plain.code).toBe(130)
    expect(plain.err).toContain('! nobody will ask any more whether it happened')
    const typed = await cli(['abandon', 'ticket-1', ...why], { answers: [decisionCode('ticket-1', 3)] })
    expect(typed.code).toBe(0)
    expect((await operation())?.status).toBe('abandoned')
  })
})

describe('cancel', () => {
  it('of a prepared operation is final; of one in flight it says what may still leave', async () => {
    const ledger = await open(0)
    await ledger.prepared()
    expect(await ledger.json('cancel', 'ticket-1', ...why, '--yes')).toMatchObject({
      code: 0,
      document: {
        after: { status: 'cancelled' },
        undo: "agent-ledger allow-retry --reason '…' ticket-1",
      },
    })
    await ledger.inFlight({ operation_id: 'ticket-2', input: { n: 2 } })
    const { code, out } = await ledger.cli(['cancel', 'ticket-2', ...why, '--yes'])
    expect(code).toBe(0)
    expect(out).toContain('ticket-2: stays in_flight (version 2 → 3)')
    expect(out).toContain('! bytes of ticket-2 (attempt 1) may still leave until')
  })

  it('of a task cancels its prepared operations and asks the others, with the code of the task', async () => {
    const ledger = await open()
    await ledger.prepared()
    await ledger.lost({ operation_id: 'ticket-2', input: { n: 2 } })
    const version = (await ledger.store.task('task-1'))?.version ?? 0
    const { code, out, asked } = await ledger.cli(['cancel', 'task-1', ...why], {
      answers: [decisionCode('task-1', version)],
    })
    expect(code).toBe(0)
    expect(asked).toEqual([`Cancel task task-1? Type ${decisionCode('task-1', version)} to confirm: `])
    expect(out).toContain('task-1: running → cancel_requested')
    expect(out).toContain('ticket-1: now cancelled')
    expect(out).toContain('ticket-2: now unknown')
  })

  it('--withdraw takes back the leave to send, and a task has none', async () => {
    const ledger = await open()
    await ledger.prepared()
    expect(await ledger.json('cancel', 'ticket-1', '--withdraw', ...why, '--yes')).toMatchObject({
      code: 0,
      document: { decision: 'withdraw', after: { status: 'prepared', version: 2 } },
    })
    expect((await ledger.cli(['cancel', '--task', 'task-1', '--withdraw', ...why, '--yes'])).code).toBe(2)
  })

  it('asks which one is meant when an operation and a task have the same id', async () => {
    const ledger = await open()
    await ledger.prepared({ operation_id: 'same', task_id: 'same' })
    const both = await ledger.cli(['cancel', 'same', ...why, '--yes'])
    expect([both.code, both.err]).toEqual([2, expect.stringContaining('same is an operation and a task')])
    expect((await ledger.cli(['cancel', 'same', '--operation', ...why, '--yes'])).code).toBe(0)
    expect((await ledger.operation('same'))?.status).toBe('cancelled')
  })
})

describe('takeover and handback', () => {
  it('fence executors off and let new ones go on; each says what takes it back', async () => {
    const ledger = await open(0)
    await ledger.inFlight()
    const { code, document } = await ledger.json('takeover', 'task-1', ...why, '--yes')
    expect(code).toBe(0)
    expect(document).toMatchObject({
      decision: 'takeover',
      moved: [{ operation_id: 'ticket-1', status: 'unknown' }],
      still_sending: [{ operation_id: 'ticket-1', attempt: 1 }],
      undo: "agent-ledger handback --reason '…' task-1",
    })
    const second = await ledger.cli(['takeover', 'task-1', ...why, '--yes', '--by', 'bo'])
    expect(second.code).toBe(5)
    const back = await ledger.json('handback', 'task-1', '--yes')
    expect(back).toMatchObject({ code: 0, document: { decision: 'handback' } })
    expect((await ledger.json('handback', 'task-1', '--yes')).code).toBe(7)
  })

  it('of what another person holds asks for the code', async () => {
    const ledger = await open()
    await ledger.prepared()
    await ledger.as('git:bo').takeover('task-1', 'mine')
    const { code, err, asked } = await ledger.cli(['handback', 'task-1'], { answers: ['y'] })
    expect(code).toBe(130)
    expect(err).toContain('! it is held by bo (git), not by you')
    expect(asked[0]).toMatch(/^Hand back task-1\? Type [0-9A-Z]{6} to confirm: $/)
  })
})

describe('claim and release', () => {
  it('need no yes, end by themselves, and say who holds what', async () => {
    const ledger = await open()
    await ledger.lost()
    const { document } = await ledger.json('claim', 'ticket-1', '--until', '2h')
    expect(document).toMatchObject({
      decision: 'claim',
      operation_id: 'ticket-1',
      undo: 'agent-ledger release ticket-1',
    })
    expect(Date.parse(document?.until ?? '')).toBeGreaterThan(Date.now() + HOUR)
    const other = await runCli(['claim', 'ticket-1', '--ledger', ledger.path, '--by', 'bo'], {
      now: Date.now(),
    })
    expect(other.code).toBe(5)
    expect(other.err).toContain('ticket-1 is claimed by ana (flag) until')
    expect((await ledger.cli(['release', 'ticket-1'])).out).toContain('ticket-1: released')
    expect(await ledger.cli(['release', 'ticket-1'])).toMatchObject({
      code: 0,
      out: 'ticket-1: nobody had claimed it\n',
    })
  })

  it('are of a task too', async () => {
    const ledger = await open()
    await ledger.lost()
    expect(await ledger.json('claim', 'task-1')).toMatchObject({
      document: { task_id: 'task-1', operation_id: null },
    })
  })

  it('refuse an end in the past', async () => {
    const ledger = await open()
    await ledger.lost()
    expect((await ledger.cli(['claim', 'ticket-1', '--until', '2020-01-01T00:00:00Z'])).code).toBe(2)
  })
})

describe('defer', () => {
  it('says until when and why, and is taken back', async () => {
    const ledger = await open()
    await ledger.lost()
    const { document } = await ledger.json('defer', 'ticket-1', '--until', '3h', ...why)
    expect(document).toMatchObject({
      decision: 'defer',
      undo: "agent-ledger defer --clear --reason '…' ticket-1",
    })
    expect((await ledger.operation())?.defer_until).toBe(Date.parse(document?.until ?? ''))
    expect((await ledger.json('defer', 'ticket-1', '--clear', ...why)).document?.until).toBeNull()
    expect((await ledger.operation())?.defer_until).toBeNull()
  })

  it.each([
    ['no time', []],
    ['both', ['--until', '3h', '--clear']],
    ['a time that is none', ['--until', 'noon']],
  ])('refuses %s', async (_, argv) => {
    const ledger = await open()
    await ledger.lost()
    expect((await ledger.cli(['defer', 'ticket-1', ...argv, ...why])).code).toBe(2)
  })
})

describe('note', () => {
  it('keeps what was found, from the line or from stdin', async () => {
    const ledger = await open()
    await ledger.lost()
    expect((await ledger.cli(['note', 'ticket-1', 'the gateway was down', '--kind', 'finding'])).code).toBe(0)
    expect((await ledger.cli(['note', 'task-1', '-'], { stdin: 'line 1\nline 2\n' })).code).toBe(0)
    const record = await ledger.store.taskRecord('task-1')
    expect(record?.notes.map(({ kind, body }) => [kind, body])).toEqual([
      ['finding', 'the gateway was down'],
      ['remark', 'line 1\nline 2'],
    ])
    expect((await ledger.cli(['note', 'ticket-1'])).code).toBe(2)
    expect((await ledger.cli(['note', 'ticket-1', 'x', '--kind', 'gossip'])).code).toBe(2)
  })
})

describe('every decision', () => {
  it.each([
    ['resolve', ['ticket-1', '--as', 'confirmed', '--evidence', 'x']],
    ['reopen', ['ticket-1']],
    ['abandon', ['ticket-1']],
    ['cancel', ['ticket-1']],
    ['takeover', ['task-1']],
    ['handback', ['task-1']],
  ])('%s refuses without a terminal and without --yes, and writes nothing', async (verb, argv) => {
    const ledger = await open()
    await ledger.lost()
    const before = await ledger.store.events({ limit: 100 })
    const { code, err } = await ledger.cli([verb, ...argv, ...why])
    expect(code).toBe(2)
    expect(err).toContain('no terminal')
    expect(await ledger.store.events({ limit: 100 })).toEqual(before)
  })

  it.each([
    ['resolve', ['nope', '--as', 'confirmed', '--evidence', 'x', ...why]],
    ['reopen', ['nope', ...why]],
    ['abandon', ['nope', ...why]],
    ['cancel', ['nope', ...why]],
    ['takeover', ['nope', ...why]],
    ['handback', ['nope']],
    ['claim', ['nope']],
    ['release', ['nope']],
    ['note', ['nope', 'x']],
    ['defer', ['nope', '--until', '1h', ...why]],
  ])('%s of an id that is not there ends with 4', async (verb, argv) => {
    const ledger = await open()
    await ledger.lost()
    expect((await ledger.cli([verb, ...argv, '--yes'])).code).toBe(4)
  })

  it.each([
    ['resolve'],
    ['reopen'],
    ['abandon'],
    ['cancel'],
    ['takeover'],
    ['defer'],
    ['note'],
    ['claim'],
    ['init'],
  ])('%s refuses --as-of: what is written is written now', async verb => {
    const { code, err } = await runCli([verb, 'x', '--as-of', '2020-01-01T00:00:00Z'])
    expect(code).toBe(2)
    expect(err).toContain('--as-of')
  })

  it('without a ledger ends with 3 and the places searched', async () => {
    const { code, err } = await runCli(['abandon', 'x', ...why, '--yes'])
    expect(code).toBe(3)
    expect(err).toContain('searched: AGENT_LEDGER: not set')
  })
})
