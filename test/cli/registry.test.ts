import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nameFirst, wantsJson } from '../../src/cli/argv.js'
import { CHAPTERS, command } from '../../src/cli/command.js'
import { DECLARED } from '../../src/cli/commands/declared.js'
import { COMMANDS } from '../../src/cli/commands/index.js'
import { EXIT_CODES } from '../../src/cli/exit-codes.js'
import { globalsOf } from '../../src/cli/global-options.js'
import { commandPage, mainPage } from '../../src/cli/man.js'
import { argument } from '../../src/cli/parameters.js'
import { TOPICS } from '../../src/cli/topics/index.js'
import { DOCUMENTS } from '../../src/core/documents/index.js'
import { ERROR_RULES } from '../../src/core/errors.js'
import { runCli } from './fake-io.js'

describe('every command', () => {
  it.each(DECLARED.map(one => [one.name, one] as const))('%s is declared whole', (name, declared) => {
    expect(name).toMatch(/^[a-z]+(?:-[a-z]+)*$/)
    expect(CHAPTERS).toContain(declared.chapter)
    expect(declared.summary).toMatch(/^[^A-Z].*[^.]$/)
    for (const { line, does } of declared.examples) {
      expect(line).toContain('agent-ledger')
      expect(does).not.toBe('')
    }
    // An option of its own would hide one of all.
    expect(Object.keys(declared.options).filter(key => key in globalsOf(declared))).toEqual([])
    for (const document of declared.documents ?? []) expect(Object.keys(DOCUMENTS)).toContain(document)
  })

  it.each(DECLARED.map(one => [one.name]))('%s prints its help', async name => {
    const { code, out, err } = await runCli([name, '--help'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain('Examples:')
  })

  it('is loaded under its name, and declared for help', async () => {
    const loaded = [...COMMANDS.entries].map(async ([name, load]) => [name, (await load()).command] as const)
    expect(new Map(await Promise.all(loaded))).toEqual(new Map(DECLARED.map(one => [one.name, one])))
  })

  it('has a name of its own', () => {
    const names = DECLARED.map(one => one.name)
    expect(new Set(names).size).toBe(names.length)
  })
})

describe('every topic', () => {
  it.each(TOPICS.map(topic => [topic.name]))(
    '%s is explained in lines a terminal shows whole',
    async name => {
      const { code, out } = await runCli(['help', name])
      expect(code).toBe(0)
      expect(out.length).toBeGreaterThan(200)
      for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(125)
    },
  )

  it('is named when another is asked for', async () => {
    const { code, err } = await runCli(['help', 'exit-code'])
    expect(code).toBe(2)
    expect(err).toContain('did you mean exit-codes?')
  })
})

describe('exit codes', () => {
  it('of errors are all explained, each once', () => {
    const explained = EXIT_CODES.map(({ code }) => code)
    expect(new Set(explained).size).toBe(explained.length)
    for (const { exitCode } of Object.values(ERROR_RULES)) expect(explained).toContain(exitCode)
  })
})

describe('the words of a call', () => {
  it.each([
    [[], ['status']],
    [['list'], ['list']],
    [
      ['--json', 'list', '--all'],
      ['list', '--json', '--all'],
    ],
    [
      ['--ledger', 'x.db', 'show', 'op-1'],
      ['show', '--ledger', 'x.db', 'op-1'],
    ],
    [
      ['--ledger=x.db', '--quiet'],
      ['status', '--ledger=x.db', '--quiet'],
    ],
    [
      ['--watch', 'x'],
      ['status', '--watch', 'x'],
    ],
    [
      ['--json', '--help'],
      ['--help', '--json'],
    ],
    [
      ['--version', '--json'],
      ['--version', '--json'],
    ],
    [['--ledger'], ['status', '--ledger']],
    [
      ['--', 'list'],
      ['status', '--', 'list'],
    ],
  ])('%j are read as %j', (argv, words) => {
    expect(nameFirst(argv)).toEqual(words)
  })

  it('ask for JSON only before --', () => {
    expect(wantsJson(['exec', '--json', '--', 'cmd'])).toBe(true)
    expect(wantsJson(['exec', '--', 'cmd', '--json'])).toBe(false)
  })
})

describe('manual pages', () => {
  const odd = command({
    name: 'odd',
    chapter: 'Look',
    summary: "say 'what' -- and \\why",
    args: { op: argument('.an id') },
    options: {},
    details: ['.begins like a request', "'so does this"],
    examples: [{ line: `agent-ledger odd "op-1" 'x'`, does: 'an example' }],
  })

  it('name every command, option and exit code', () => {
    const page = mainPage(DECLARED, '0.1.0')
    for (const { name, hidden } of DECLARED)
      expect(page.includes(`.B "${name.replace('-', '\\-')}`)).toBe(hidden !== true)
    for (const { code } of EXIT_CODES) expect(page).toContain(`.B "${code}"`)
  })

  it('hold no text that roff would take for a request or a string', () => {
    const page = commandPage(odd, '0.1.0')
    expect(page).toContain('\\&.begins like a request')
    expect(page).toContain('\\(aqso does this')
    expect(page).toContain('agent\\-ledger odd \\(dqop\\-1\\(dq \\(aqx\\(aq')
    expect(page).toContain('\\-\\- and \\ewhy')
    for (const line of page.split('\n').filter(one => /^[.']/.test(one)))
      expect(line).toMatch(/^\.(?:TH|SH|SS|TP|B|PP|RS|RE|EX|EE)\b/)
  })
})

describe('advice', () => {
  it('names only commands that there are, wherever it is written', () => {
    const root = join(import.meta.dirname, '../../src')
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
      // its example is a line half typed
      path => path.endsWith('.ts') && !path.endsWith('complete.ts'),
    )
    const named = files.flatMap(path => {
      const text = readFileSync(join(root, path), 'utf8')
      return [...text.matchAll(/(?:`agent-ledger |ledgerCommand\(\s*')([a-z][a-z-]*)/g)].map(
        ([, verb = '']) => `${path}: ${verb}`,
      )
    })
    const known = new Set(DECLARED.map(({ name }) => name))
    expect(named.length).toBeGreaterThan(40)
    expect(named.filter(one => !known.has(one.split(': ')[1] ?? ''))).toEqual([])
  })
})
