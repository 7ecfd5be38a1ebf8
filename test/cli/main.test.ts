import { describe, expect, it } from 'vitest'
import { command, entry, type Given } from '../../src/cli/command.js'
import { confirm } from '../../src/cli/confirm.js'
import type { Deps } from '../../src/cli/deps.js'
import * as parameters from '../../src/cli/parameters.js'
import { errorDocument } from '../../src/core/documents/error.js'
import { ERROR_RULES, type ErrorCode, LedgerError } from '../../src/core/errors.js'
import { safe, words } from '../../src/core/safe-text.js'
import { NOON, runCli } from './fake-io.js'

const probe = command({
  name: 'probe',
  chapter: 'Look',
  summary: 'tell what was given',
  args: { op: parameters.optionalArgument('an id'), rest: parameters.remaining('more') },
  options: {
    unknown: parameters.flag('in doubt'),
    status: parameters.value('a,b', 'statuses', parameters.choices(['in_flight', 'unknown'])),
    olderThan: parameters.value('duration', 'age', parameters.duration),
    limit: parameters.value('n', 'at most', parameters.wholeNumber(1)),
    id: parameters.repeated('k=v', 'ids', parameters.keyValue),
  },
  fields: ['a', 'b'],
  examples: [{ line: 'agent-ledger probe', does: 'an example' }],
})

const entries = [
  entry(probe, {
    run: async (given: Given<typeof probe>, deps: Deps) => {
      const { global, now, waitMs } = deps
      await deps.print(safe(JSON.stringify({ given, global, now, waitMs })))
      return 0
    },
  }),
]
const failing = (thrown: unknown) => [
  entry(command({ ...probe, name: 'fail', args: {}, options: {} }), {
    run: async () => {
      throw thrown
    },
  }),
]
const probed = async (...argv: string[]) => {
  const { out, err } = await runCli(argv, { entries })
  return err === '' ? JSON.parse(out) : err
}

describe('parsing', () => {
  it('reads arguments and options into values', async () => {
    const { given } = await probed(
      'probe',
      'op-1',
      'x',
      'y',
      '--unknown',
      '--status',
      'in-flight,UNKNOWN',
      '--older-than',
      '1h30m',
      '--limit=3',
      '--id',
      'a=1',
      '--id',
      'b=c=d',
    )
    expect(given).toEqual({
      op: 'op-1',
      rest: ['x', 'y'],
      unknown: true,
      status: ['in_flight', 'unknown'],
      olderThan: 5_400_000,
      limit: 3,
      id: [
        { key: 'a', value: '1' },
        { key: 'b', value: 'c=d' },
      ],
    })
  })

  it('leaves what was not given undefined, false or empty', async () => {
    expect((await probed('probe')).given).toEqual({ rest: [], unknown: false, id: [] })
  })

  it('takes global options before and after the name', async () => {
    for (const argv of [
      ['--ledger', 'x.db', '--quiet', 'probe', '--no-color'],
      ['probe', '--quiet', '--no-color', '--ledger=x.db'],
    ]) {
      expect((await probed(...argv)).global).toMatchObject({
        ledger: 'x.db',
        quiet: true,
        noColor: true,
        json: false,
      })
    }
  })

  it('takes what follows -- as arguments', async () => {
    expect((await probed('probe', '--', '--json', '-x')).given).toMatchObject({ op: '--json', rest: ['-x'] })
  })

  it('counts --as-of as a time or a span back from now', async () => {
    expect((await probed('probe')).now).toBe(NOON)
    expect((await probed('probe', '--as-of', '2h')).now).toBe(NOON - 7_200_000)
    expect((await probed('probe', '--as-of', '2026-01-01T00:00:00Z')).now).toBe(Date.parse('2026-01-01'))
  })

  it.each([
    [['probe', '--limit', '0'], '--limit "0": a whole number from 1 up is wanted'],
    [['probe', '--limit', '1e3'], '--limit "1e3"'],
    [['probe', '--older-than', '90'], '--older-than "90": a duration such as'],
    [['probe', '--status', 'unknwon'], 'did you mean unknown?'],
    [['probe', '--status', 'unknown,'], 'a word between two commas is empty'],
    [['probe', '--id', 'a'], '--id "a": kind=value is wanted'],
    [['probe', '--as-of', '2026-02-30'], '--as-of "2026-02-30"'],
    [['probe', '--as-of', '2026-01-01T00:00:00'], '--as-of'],
    [['probe', '--limt', '3'], "unknown option '--limt' (did you mean --limit?)"],
    [['prob'], "unknown command 'prob' (did you mean probe?)"],
    [['probe', '--limit'], 'argument missing'],
    [['--tz', 'Mars/Olympus', 'probe'], '--tz "Mars/Olympus" is no time zone'],
  ])('refuses %j with exit code 2, saying what is wrong', async (argv, message) => {
    const { code, out, err } = await runCli(argv, { entries })
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(message)
    expect(err).toMatch(/^hint: (?:See agent-ledger|Name one)/m)
  })

  it('takes no option for the value of another: what was left out is not "--yes"', async () => {
    const { code, err } = await runCli(['probe', '--id', '--yes'], { entries })
    expect([code, err]).toEqual([
      2,
      expect.stringContaining("option '--id' argument missing: --yes follows it"),
    ])
    expect(err).toContain('hint: Give --id a value; if --yes is meant, --id=--yes.')
    expect((await runCli(['probe', '--limit', '3', '--yes'], { entries })).code).toBe(0)
    expect((await runCli(['probe', 'op', '--', '--id', '--yes'], { entries })).code).toBe(0)
  })

  it('takes no option of the command twice: which of the two was meant nobody can tell', async () => {
    const { code, err } = await runCli(['probe', '--status', 'unknown', '--status=in-flight'], { entries })
    expect([code, err]).toEqual([2, expect.stringContaining("option '--status' is given more than once")])
    expect((await runCli(['probe', '--limit', '3', '--limit', '3'], { entries })).code).toBe(0)
    expect((await probed('--ledger', 'a.db', 'probe', '--ledger', 'b.db')).global.ledger).toBe('b.db')
  })

  it.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ])('tells with --json the exit code that it ends with when %s interrupts it', async (signal, exitCode) => {
    const entries = failing(new LedgerError('declined', 'interrupted'))
    const { code, err } = await runCli(['fail', '--json'], { entries, signal: AbortSignal.abort(signal) })
    expect({ code, said: JSON.parse(err).exit_code }).toEqual({ code: exitCode, said: exitCode })
  })

  it('names the command nearest to one that has no help', async () => {
    expect((await runCli(['help', 'lisst'])).err).toContain(
      'there is no topic or command "lisst" (did you mean list?)',
    )
    expect((await runCli(['help', 'stats'])).err).toContain('did you mean states or status?')
  })

  it('refuses --fields where nothing has fields, and --as-of where something is written', async () => {
    const writer = [
      entry(command({ ...probe, name: 'write', fields: undefined, writes: true }), {
        run: async () => 0,
      }),
    ]
    expect((await runCli(['write', '--fields', 'a'], { entries: writer })).code).toBe(2)
    expect((await runCli(['write', '--as-of', '2h'], { entries: writer })).code).toBe(2)
  })
})

describe('help', () => {
  it('is printed on stdout with exit code 0, with examples', async () => {
    for (const argv of [
      ['probe', '--help'],
      ['probe', '-h'],
      ['help', 'probe'],
    ]) {
      const { code, out, err } = await runCli(argv, { entries })
      expect({ code, err }).toEqual({ code: 0, err: '' })
      expect(out).toContain('Usage: agent-ledger probe [options] [op] [rest...]')
      expect(out).toContain('--older-than <duration>')
      expect(out).toContain('  # an example\n  agent-ledger probe\n')
    }
  })

  it.each([[['--help']], [['help']]])('lists the commands by chapter: %j', async argv => {
    const { code, out } = await runCli(argv, { entries })
    expect(code).toBe(0)
    expect(out).toContain('Look:\n  probe [op] [rest...]  tell what was given')
    expect(out).toContain('Topics: agent-ledger help <')
  })
})

describe('failing', () => {
  it.each(Object.keys(ERROR_RULES) as ErrorCode[])('ends with the exit code of %s', async errorCode => {
    const error = new LedgerError(errorCode, 'what', { id: 'op-1', path: '/x', facts: { seen: 1 } })
    const { code, err } = await runCli(['fail', '--json'], { entries: failing(error) })
    expect(code).toBe(ERROR_RULES[errorCode].exitCode)
    expect(errorDocument.parse(JSON.parse(err))).toMatchObject({
      code: errorCode,
      exit_code: code,
      id: 'op-1',
      path: '/x',
    })
  })

  it('calls what is none of our errors an internal one, and shows its stack when debugging', async () => {
    const plain = await runCli(['fail'], { entries: failing(new TypeError('boom')) })
    expect(plain).toMatchObject({ code: 1, out: '' })
    expect(plain.err).toMatch(/^error: boom\nhint: This is a bug/)
    const debug = await runCli(['fail'], {
      entries: failing(new TypeError('boom')),
      env: { AGENT_LEDGER_DEBUG: '1' },
    })
    expect(debug.err).toContain('caused by TypeError: boom\n    at')
  })

  it('prints no control character and no secret of an error', async () => {
    const error = new LedgerError('not_found', 'no \u001b[2J op\n', {
      facts: { token: 'ghp_0123456789012345678901234567' },
    })
    const { err } = await runCli(['fail'], { entries: failing(error) })
    expect(err).toContain('error: no ␛[2J op␊\n')
    expect(err).not.toContain('ghp_')
    const json = await runCli(['fail', '--json'], { entries: failing(error) })
    expect(json.err).not.toContain('ghp_')
  })

  it('is JSON also when the command line does not parse', async () => {
    const { err } = await runCli(['fail', '--json', '--nope'], { entries: failing(0) })
    expect(JSON.parse(err)).toMatchObject({ schema: 'agent-ledger/error@1', code: 'usage', exit_code: 2 })
  })
})

describe('asking', () => {
  const asking = (code?: string) => [
    entry(command({ ...probe, name: 'decide', args: {}, options: {}, writes: true }), {
      run: async (_: unknown, deps: Deps) => {
        await confirm(
          {
            decision: words`Abandon op-1`,
            ...(code === undefined ? {} : { code: safe(code) }),
            needs: '--reason',
          },
          deps,
        )
        return 0
      },
    }),
  ]

  it('goes on at a yes, and at nothing else', async () => {
    for (const answer of ['y', 'YES', ' yes '])
      expect((await runCli(['decide'], { entries: asking(), answers: [answer] })).code).toBe(0)
    for (const answer of ['', 'n', 'yep', 'x7k2pq']) {
      const { code, err } = await runCli(['decide'], { entries: asking(), answers: [answer] })
      expect({ code, err }).toEqual({
        code: 130,
        err: 'declined; nothing was written\nhint: Run it again to decide otherwise.\n',
      })
    }
    expect((await runCli(['decide'], { entries: asking(), answers: [] })).code).toBe(130)
  })

  it('wants the code typed where one is shown', async () => {
    const { code, asked } = await runCli(['decide'], { entries: asking('x7k2pq'), answers: ['x7k2pq'] })
    expect({ code, asked }).toEqual({ code: 0, asked: ['Abandon op-1? Type x7k2pq to confirm: '] })
    const mistyped = await runCli(['decide'], { entries: asking('x7k2pq'), answers: ['y'] })
    expect(mistyped.code).toBe(130)
    expect(mistyped.err).toContain('declined: what was typed is not the code x7k2pq; nothing was written')
  })

  it('refuses where nobody can be asked, in CI too, unless --yes is given', async () => {
    const refused = await runCli(['decide'], { entries: asking(), env: { CI: 'true' } })
    expect(refused.code).toBe(2)
    expect(refused.err).toContain('give --yes and --reason')
    expect((await runCli(['decide', '--yes'], { entries: asking() })).code).toBe(0)
  })
})
