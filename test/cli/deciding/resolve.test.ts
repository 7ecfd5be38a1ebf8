import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { decisionCode } from '../../../src/core/decision-code.js'
import { resolveDocument } from '../../../src/core/documents/resolve-schema.js'
import { aLedger } from '../../ledger/support/a-ledger.js'
import { aDirectory } from '../../store/support/places.js'
import { runCli } from '../fake-io.js'

const seen = ['--as', 'confirmed', '--evidence', 'https://tickets/T-1', '--reason', 'it is there']
const absent = ['--as', 'not-executed', '--evidence', 'not in the log', '--reason', 'never left']
const HOUR = 3_600_000

/** An operation whose answer was lost two hours ago, so that nothing of it can arrive any more. */
async function lostLongAgo() {
  const ledger = await aLedger(Date.now() - 2 * HOUR)
  await ledger.lost()
  const cli = (argv: readonly string[], given: Parameters<typeof runCli>[1] = {}) =>
    runCli([...argv, '--ledger', ledger.path, '--by', 'ana'], { now: Date.now(), ...given })
  const status = async (id = 'ticket-1') => (await ledger.store.operation(id))?.operation.status
  return { ...ledger, cli, status }
}

describe('resolve on a terminal', () => {
  it('shows what is known, asks with no as the default, and prints what changed and what takes it back', async () => {
    const { cli, status } = await lostLongAgo()
    const { code, out, err, asked } = await cli(['resolve', 'ticket-1', ...seen], {
      answers: ['y'],
      terminal: 120,
    })
    expect(code).toBe(0)
    expect(asked).toEqual(['Resolve ticket-1 as confirmed? [y/N] '])
    expect(err).toContain('ticket-1: unknown → confirmed (version 3 → 4)')
    expect(err).toContain('tickets.create on tickets.example, irreversible, 1 attempt, of task-1')
    expect(err).toContain('last error: socket hang up')
    expect(err).toContain('evidence: https://tickets/T-1')
    expect(out).toBe(
      "ticket-1: unknown → confirmed (version 3 → 4), by ana (flag)\nundo: agent-ledger reopen --reason '…' ticket-1\n",
    )
    expect(await status()).toBe('confirmed')
  })

  it.each([[''], ['n'], ['no'], ['maybe']])(
    'takes %j for no: 130, nothing decided, and that is on record',
    async answer => {
      const { cli, status, store } = await lostLongAgo()
      const { code, err } = await cli(['resolve', 'ticket-1', ...seen], { answers: [answer] })
      expect(code).toBe(130)
      expect(err).toContain('declined; nothing was written')
      expect(await status()).toBe('unknown')
      const events = await store.events({ type: 'declined', limit: 10 })
      expect(events).toMatchObject([
        { about: 'ticket-1', actor: 'flag:ana', body: { decision: 'resolve_confirmed' } },
      ])
    },
  )

  it('asks for the code beside the id where it may be sent again, and a y is not enough', async () => {
    const { cli, status } = await lostLongAgo()
    const code = decisionCode('ticket-1', 3)
    const yes = await cli(['resolve', 'ticket-1', ...absent], { answers: ['y'] })
    expect(yes.code).toBe(130)
    expect(yes.asked).toEqual([`Resolve ticket-1 as not_executed? Type ${code} to confirm: `])
    expect(yes.err).toContain(`code ${code}`)
    expect(yes.err).toContain('! whoever carries this task on may send it again')
    const typed = await cli(['resolve', 'ticket-1', ...absent], { answers: [code.toLowerCase()] })
    expect(typed.code).toBe(0)
    expect(await status()).toBe('not_executed')
  })

  it('asks for the evidence and the reason that were not given', async () => {
    const { cli, store } = await lostLongAgo()
    const answers = ['the ticket T-1 exists', 'looked it up', 'y']
    const { code, asked } = await cli(['resolve', 'ticket-1', '--as', 'confirmed'], { answers })
    expect(code).toBe(0)
    expect(asked[0]).toBe('Evidence (a link, an id, what you saw): ')
    expect(asked[1]).toBe('Reason: ')
    expect((await store.operation('ticket-1'))?.evidence).toMatchObject([{ body: 'the ticket T-1 exists' }])
  })

  it('takes the placeholders of a pasted line for what was not given', async () => {
    const { cli, status, store } = await lostLongAgo()
    const pasted = ['resolve', 'ticket-1', '--as', 'confirmed', '--evidence', '…', '--reason', '…']
    const unseen = await cli([...pasted, '--yes'])
    expect([unseen.code, await status()]).toEqual([2, 'unknown'])
    expect(unseen.err).toContain('not decided: --evidence and --reason are missing')
    const { code } = await cli(pasted, { answers: ['the ticket T-1 exists', 'looked it up', 'y'] })
    expect(code).toBe(0)
    expect((await store.operation('ticket-1'))?.evidence).toMatchObject([{ body: 'the ticket T-1 exists' }])
  })

  it('takes an empty answer to what it asks for as no', async () => {
    const { cli } = await lostLongAgo()
    expect((await cli(['resolve', 'ticket-1', '--as', 'confirmed'], { answers: [''] })).code).toBe(130)
  })

  it('is not answered by CI=true', async () => {
    const { cli, status } = await lostLongAgo()
    const { code, asked } = await cli(['resolve', 'ticket-1', ...seen], {
      answers: ['n'],
      env: { CI: 'true' },
    })
    expect([code, asked.length]).toEqual([130, 1])
    expect(await status()).toBe('unknown')
  })

  it('refuses what cannot be before it asks', async () => {
    const { cli, store } = await lostLongAgo()
    const early = await cli(['resolve', 'ticket-1', ...seen, '--expect-version', '2'], { answers: ['y'] })
    expect([early.code, early.asked]).toEqual([5, []])
    expect(await store.events({ type: 'refused', limit: 10 })).toMatchObject([{ about: 'ticket-1' }])
  })

  it('says that another person is looking at it', async () => {
    const ledger = await lostLongAgo()
    await ledger.store.claim({
      subject: { operation_id: 'ticket-1' },
      actor: 'git:bo',
      at: Date.now(),
      until: Date.now() + HOUR,
    })
    const { err } = await ledger.cli(['resolve', 'ticket-1', ...seen], { answers: ['n'] })
    expect(err).toContain('! bo (git) is looking at it until')
  })
})

describe('resolve without a terminal', () => {
  it('needs --yes, whatever CI says', async () => {
    const { cli, status } = await lostLongAgo()
    const { code, err } = await cli(['resolve', 'ticket-1', ...seen], { env: { CI: 'true' } })
    expect(code).toBe(2)
    expect(err).toContain('there is no terminal to ask on')
    expect(await status()).toBe('unknown')
  })

  it.each([
    ['--evidence', ['--as', 'confirmed', '--reason', 'x']],
    ['--reason', ['--as', 'confirmed', '--evidence', 'x']],
    ['--as', ['--reason', 'x', '--evidence', 'x']],
  ])('needs %s', async (option, argv) => {
    const { cli, status } = await lostLongAgo()
    const { code, err } = await cli(['resolve', 'ticket-1', ...argv, '--yes'])
    expect(code).toBe(2)
    expect(err).toContain(`${option} is missing`)
    expect(await status()).toBe('unknown')
  })

  it('prints the document', async () => {
    const { cli, path } = await lostLongAgo()
    const { code, out } = await cli(['resolve', 'ticket-1', ...seen, '--yes', '--json'])
    expect(code).toBe(0)
    expect(resolveDocument.parse(JSON.parse(out))).toMatchObject({
      ledger: path,
      decision_id: null,
      operation_id: 'ticket-1',
      as: 'confirmed',
      outcome: 'done',
      status: 'confirmed',
      version: 4,
      error: null,
    })
  })

  it('keeps the result, the external ids and the actor', async () => {
    const { cli, store } = await lostLongAgo()
    const folder = aDirectory()
    writeFileSync(join(folder, 'result.json'), '{"id": "T-1"}')
    const more = [
      '--result',
      '@result.json',
      '--external-id',
      'ticket=T-1',
      '--external-id',
      'url=https://x/?a=b',
    ]
    expect((await cli(['resolve', 'ticket-1', ...seen, ...more, '--yes'], { cwd: folder })).code).toBe(0)
    const record = await store.operation('ticket-1')
    expect(record?.operation).toMatchObject({ result: { id: 'T-1' }, by_hand: { by: 'flag:ana' } })
    expect(record?.external_ids).toMatchObject([
      { kind: 'ticket', value: 'T-1' },
      { kind: 'url', value: 'https://x/?a=b' },
    ])
  })

  it.each([
    ['a file that is not there', '@nowhere.json', 'nowhere.json cannot be read'],
    ['no JSON', 'T-1', '--result holds no JSON'],
    ['a folder', '@.', 'cannot be read'],
  ])('refuses a result that is %s, and writes nothing', async (_, result, says) => {
    const { cli, status } = await lostLongAgo()
    const given = { cwd: aDirectory() }
    const { code, err } = await cli(['resolve', 'ticket-1', ...seen, '--result', result, '--yes'], given)
    expect(code).toBe(2)
    expect(err).toContain(says)
    expect(await status()).toBe('unknown')
  })

  it('says before the question, or after a --yes, that a run that goes on will be given no result', async () => {
    const missing = 'no result is given: a run that goes on finds it confirmed and gets none'
    const asked = await lostLongAgo()
    const { err } = await asked.cli(['resolve', 'ticket-1', ...seen], { answers: ['n'] })
    expect(err).toContain(missing)
    expect((await asked.cli(['resolve', 'ticket-1', ...seen, '--yes'])).err).toContain(missing)
    const given = await lostLongAgo()
    const told = await given.cli(['resolve', 'ticket-1', ...seen, '--result', '{"id":"T-1"}', '--yes'])
    expect([told.code, told.err]).toEqual([0, ''])
  })

  it('accepts that there is no evidence from whoever says so, and marks it', async () => {
    const { cli, store } = await lostLongAgo()
    const risk = ['--as', 'not-executed', '--reason', 'accepting the risk', '--yes']
    expect((await cli(['resolve', 'ticket-1', ...risk])).code).toBe(2)
    expect((await cli(['resolve', 'ticket-1', ...risk, '--without-evidence'])).code).toBe(0)
    expect((await store.operation('ticket-1'))?.operation.flags).toEqual({ without_evidence: true })
  })

  it('tells who decided before', async () => {
    const { cli } = await lostLongAgo()
    await cli(['resolve', 'ticket-1', ...seen, '--yes'])
    const second = await cli(['resolve', 'ticket-1', ...seen, '--yes', '--json'])
    expect(second.code).toBe(5)
    expect(JSON.parse(second.err)).toMatchObject({
      code: 'conflict',
      id: 'ticket-1',
      facts: { decided: 'resolve confirmed, now confirmed', by: 'flag:ana', because: 'it is there' },
      exit_code: 5,
    })
  })

  it('names ids near one that is not there', async () => {
    const { cli } = await lostLongAgo()
    const { code, err } = await cli(['resolve', 'tikcet-1', ...seen, '--yes'])
    expect(code).toBe(4)
    expect(err).toContain('did you mean ticket-1?')
  })

  it('asks for an explicit override when another target was touched', async () => {
    const ledger = await lostLongAgo()
    await ledger.lost({ operation_id: 'op-48', target: 'release/v2.1.0', input: { tag: 'v2.1.0' } })
    const release = ['resolve', 'op-48', ...seen, '--external-id', 'release=v2.1.0-rc1', '--yes']
    const refused = await ledger.cli(release)
    expect(refused.code).toBe(7)
    expect(refused.err).toContain('the target differs: asked v2.1.0, touched v2.1.0-rc1')
    expect((await ledger.cli([...release, '--other-target'])).code).toBe(0)
  })

  it.each([
    ['nothing named', []],
    ['an operation and a file', ['ticket-1', '--file', 'x']],
    ['an unknown outcome', ['ticket-1', '--as', 'failed']],
    ['an external id without a kind', ['ticket-1', '--external-id', 'T-1']],
    ['evidence and none', ['ticket-1', ...seen, '--without-evidence']],
  ])('refuses %s', async (_, argv) => {
    const { cli, status } = await lostLongAgo()
    expect((await cli(['resolve', ...argv, '--yes'])).code).toBe(2)
    expect(await status()).toBe('unknown')
  })
})

describe('hostile text', () => {
  const EVIL = '\u001b]52;c;cm0gLXJm\u0007\u001b[2J\u202egnp.exe\r\nRESOLVED'

  it('in a reason reaches neither the terminal nor the JSON as it is, and is kept as it was', async () => {
    const { cli, store } = await lostLongAgo()
    const argv = ['resolve', 'ticket-1', '--as', 'confirmed', '--evidence', EVIL, '--reason', EVIL]
    const asked = await cli(argv, { answers: ['y'], terminal: 80 })
    expect(asked.code).toBe(0)
    for (const text of [asked.out, asked.err])
      expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
    const second = await cli([...argv, '--yes', '--json'])
    expect(second.err.trimEnd()).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/)
    expect(JSON.parse(second.err).facts.because).toBe(EVIL)
    expect((await store.operation('ticket-1'))?.evidence).toMatchObject([{ body: EVIL }])
  })

  it('in an id is quoted in the command that takes it back', async () => {
    const ledger = await lostLongAgo()
    const id = "a b'$(rm -rf ~)/../x"
    await ledger.lost({ operation_id: id, input: { n: 2 } })
    const { code, out } = await ledger.cli(['resolve', id, ...seen, '--yes'])
    expect(code).toBe(0)
    expect(out).toContain(`undo: agent-ledger reopen --reason '…' 'a b'\\''$(rm -rf ~)/../x'`)
  })
})
