import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod'
import { aLedger } from '../ledger/support/a-ledger.js'

const root = join(import.meta.dirname, '..', '..')
const ACTION = z
  .object({
    inputs: z.record(z.string(), z.object({ description: z.string(), default: z.string() })),
    runs: z.object({
      using: z.literal('composite'),
      steps: z.tuple([
        z.object({ shell: z.literal('bash'), env: z.record(z.string(), z.string()), run: z.string() }),
      ]),
    }),
  })
  .parse(parse(readFileSync(join(root, 'action.yml'), 'utf8')))
const [STEP] = ACTION.runs.steps
const DOCUMENT = readFileSync(join(root, 'docs', 'ci.md'), 'utf8')
const blocks = (language: string) =>
  [...DOCUMENT.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, text = '']) => text)
const [GITHUB, GITLAB] = blocks('yaml').map(text => parse(text))

let home: string

/** A ledger with two lost mails of two hours ago, and a PATH on which npx runs this program. */
beforeEach(async () => {
  const ledger = await aLedger(Date.now() - 7_200_000)
  for (const id of ['mail-1', 'mail-2']) await ledger.lost({ operation_id: id, task_id: 'news', input: id })
  await ledger.store.close()
  home = dirname(ledger.path)
  const program = (name: string, line: string) => {
    mkdirSync(join(home, 'bin'), { recursive: true })
    writeFileSync(join(home, 'bin', name), `#!/bin/sh\n${line}\n`)
    chmodSync(join(home, 'bin', name), 0o700)
  }
  const real = `exec '${process.execPath}' '${join(root, 'bin/agent-ledger.js')}' "$@"`
  program('agent-ledger', real)
  program('npx', `[ "$1" = --yes ] && case "$2" in agent-ledger*) ;; *) exit 99 ;; esac\nshift 2\n${real}`)
})

function bash(script: string, env: Readonly<Record<string, string>> = {}) {
  const ended = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
    cwd: home,
    encoding: 'utf8',
    env: { PATH: `${join(home, 'bin')}:/usr/bin:/bin`, HOME: home, LC_ALL: 'C.UTF-8', ...env },
  })
  return { code: ended.status, out: ended.stdout, err: ended.stderr }
}

/** The action as a runner starts it: its inputs filled into the environment of its step. */
function action(given: Readonly<Record<string, string>>) {
  for (const name of Object.keys(given)) if (!(name in ACTION.inputs)) throw new Error(`no input ${name}`)
  const env = Object.entries(STEP.env).map(([name, text]) => {
    const filled = text.replace(/^\$\{\{ inputs\.([\w-]+) \}\}$/, (_, input: string) => {
      return given[input] ?? ACTION.inputs[input]?.default ?? ''
    })
    return [name, filled]
  })
  const output = join(home, 'output')
  writeFileSync(output, '')
  const runner = { GITHUB_OUTPUT: output, GITHUB_ACTIONS: 'true', GITHUB_ACTOR: 'octo-ana', CI: 'true' }
  const ended = bash(STEP.run, { ...Object.fromEntries(env), ...runner })
  return { ...ended, output: readFileSync(output, 'utf8') }
}

/** `with` of the steps of the document's workflow that use the action. */
const uses = (job: string): Record<string, string>[] =>
  GITHUB.jobs[job].steps.flatMap((step: { uses: string; with: Record<string, string> }) =>
    step.uses.startsWith('agent-ledger/') ? [step.with] : [],
  )

const gitlab = (job: string) =>
  bash(GITLAB[job].script.join('\n'), {
    AGENT_LEDGER: 'ledger.db',
    GITLAB_CI: 'true',
    GITLAB_USER_LOGIN: 'bo',
  })

const shell = () => bash(blocks('sh').join('\n'), { AGENT_LEDGER: 'ledger.db', AGENT_LEDGER_BY: 'ana' })
const planned = () =>
  bash((blocks('sh')[0] ?? '').split('agent-ledger apply')[0] ?? '', { AGENT_LEDGER: 'ledger.db' })
const actors = () =>
  bash('agent-ledger log --type resolve_not_executed --jsonl --fields actor', { AGENT_LEDGER: 'ledger.db' })

describe('the action', () => {
  it('as the document calls it, annotates what is in doubt, writes both files and ends with what check found', () => {
    const [gate = {}] = uses('gate')
    const { code, out, output } = action(gate)
    expect(code).toBe(10)
    expect(output).toBe('exit-code=10\n')
    expect(out).toBe(
      '::error title=unknown%3A mail-1 of news::mail-1 of news: socket hang up\n::error title=unknown%3A mail-2 of news::mail-2 of news: socket hang up\nagent-ledger check: failed: unknown 2, duplicates 0, unverified 0\n',
    )
    expect(JSON.parse(readFileSync(join(home, 'agent-ledger.sarif'), 'utf8')).runs[0].results).toHaveLength(2)
    expect(readFileSync(join(home, 'agent-ledger.xml'), 'utf8')).toContain('failures="2"')
  })

  it('tells what a plan would do, carries it out once, and names who started the workflow', () => {
    expect(planned().code).toBe(0)
    const [dry = {}] = uses('review')
    expect(action(dry)).toMatchObject({
      code: 0,
      out: expect.stringContaining('mail-1  resolve not_executed: would be'),
    })
    const [real = {}] = uses('decide')
    expect(action(real)).toMatchObject({ code: 0, out: expect.stringContaining('now not_executed') })
    expect(action(real)).toMatchObject({ code: 0, out: expect.stringContaining('already carried out') })
    expect(actors().out).toContain('ci:github/octo-ana')
    expect(action({ ledger: 'ledger.db' })).toMatchObject({ code: 0, output: 'exit-code=0\n' })
  })

  it.each([
    ['an unknown command', { command: 'rm -rf' }, 2],
    ['a ledger that is not there', { ledger: 'nope.db' }, 3],
    ['a task that is not there', { ledger: 'ledger.db', task: 'nope' }, 4],
    ['no plan', { ledger: 'ledger.db', command: 'apply' }, 2],
  ])('ends with the code of %s', (_, given, code) => {
    expect(action(given)).toMatchObject({ code, output: `exit-code=${code}\n` })
  })

  it('takes nothing that stands in an input for a command', () => {
    const evil = '$(touch owned) `touch owned`; touch owned #'
    for (const input of Object.keys(ACTION.inputs)) action({ ledger: 'ledger.db', [input]: evil })
    expect(existsSync(join(home, 'owned'))).toBe(false)
    expect(STEP.run).not.toContain('${{')
  })
})

describe('the document', () => {
  it('plans, looks and applies by the lines it shows', () => {
    expect(shell()).toMatchObject({ code: 0, out: expect.stringContaining('"outcome":"done"') })
    expect(actors().out).toContain('env:ana')
  })

  it('gates, reviews and decides in GitLab by the scripts it shows', () => {
    expect(gitlab('gate').code).toBe(10)
    expect(readFileSync(join(home, 'agent-ledger.xml'), 'utf8')).toContain('name="mail-1 of news"')
    planned()
    expect(gitlab('review')).toMatchObject({ code: 0, out: expect.stringContaining('would be') })
    expect(gitlab('decide').code).toBe(0)
    expect(actors().out).toContain('ci:gitlab/bo')
    expect(gitlab('gate').code).toBe(0)
  })
})
