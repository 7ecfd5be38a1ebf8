import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it, onTestFinished } from 'vitest'
import { command } from '../../src/cli/command.js'
import { offer } from '../../src/cli/completion/candidates.js'
import { splitLine } from '../../src/cli/completion/split-line.js'
import { argument, choices, flag, remaining, value } from '../../src/cli/parameters.js'
import { openLedger } from '../../src/ledger.js'
import { runCli } from './fake-io.js'

const bin = join(import.meta.dirname, '../../bin/agent-ledger.js')
const frame = { chapter: 'Look', summary: 'x', examples: [{ line: 'x', does: 'x' }] } as const
const commands = [
  command({
    ...frame,
    name: 'list',
    args: {},
    fields: ['id'],
    options: {
      unknown: flag('x'),
      status: value('a,b', 'x', choices(['unknown']), { choices: ['unknown', 'in_flight'] }),
      from: value('path', 'x', text => text),
    },
  }),
  command({ ...frame, name: 'show', args: { op: argument('x', { completes: 'operation' }) }, options: {} }),
  command({
    ...frame,
    name: 'shut',
    args: {
      shell: argument('x', { choices: ['bash', 'zsh'] }),
      ops: remaining('x', { completes: 'operation' }),
    },
    options: {},
  }),
  command({ ...frame, name: 'complete', hidden: true, args: {}, options: {} }),
]
const ids = ['op-1', 'op-2', 'deploy/eu:1', '$(reboot)', '`id`', 'a b', 'x;y', 'новый']
const words = async (...typed: string[]) => {
  const liveIds = async () => ids
  const { candidates, files } = await offer({ typed, commands, liveIds })
  return files ? [...candidates.map(({ word }) => word), '(files)'] : candidates.map(({ word }) => word)
}

describe('completion', () => {
  it('offers commands, and none that only programs call', async () => {
    expect(await words('')).toEqual(['list', 'show', 'shut'])
    expect(await words('sh')).toEqual(['show', 'shut'])
    expect(await words('comp')).toEqual([])
    expect(await words('--quiet', 'li')).toEqual(['list'])
  })

  it('offers the options of the command and of all', async () => {
    expect(await words('list', '--unk')).toEqual(['--unknown'])
    expect(await words('list', '--js')).toEqual(['--json', '--jsonl'])
    expect(await words('list', '--fi')).toEqual(['--fields'])
    expect(await words('show', 'op-1', '--fi')).toEqual([])
    expect(await words('--led')).toEqual(['--ledger'])
  })

  it('offers the values of an option in both spellings', async () => {
    expect(await words('list', '--status', '')).toEqual(['unknown', 'in_flight'])
    expect(await words('list', '--status', 'in')).toEqual(['in_flight'])
    expect(await words('list', '--status=un')).toEqual(['--status=unknown'])
    expect(await words('list', '--from', '')).toEqual(['(files)'])
  })

  it('offers the choices of an argument by its place', async () => {
    expect(await words('shut', '')).toEqual(['bash', 'zsh'])
    expect(await words('shut', '--wait', '5s', 'z')).toEqual(['zsh'])
    expect(await words('shut', 'bash', 'op')).toEqual(['op-1', 'op-2'])
    expect(await words('list', '')).toEqual([])
  })

  it('offers ids of the ledger, and none that a shell would take for a command', async () => {
    expect(await words('show', '')).toEqual(['op-1', 'op-2', 'deploy/eu:1', 'новый'])
    expect(await words('show', '$')).toEqual([])
  })

  it('answers the scripts in their protocol', async () => {
    const { code, out } = await runCli(['complete', '--', 'compl'])
    expect({ code, out }).toEqual({
      code: 0,
      out: 'completion\tprint the completion script of a shell\n:4\n',
    })
    expect((await runCli(['complete', '--', 'help', '--ledger', ''])).out).toBe(':0\n')
  })

  it('offers the ids of the ledger in use, and of the one named on the line', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'agent-ledger-ids-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const path = join(folder, 'ledger.db')
    const ledger = await openLedger(path)
    await ledger.task('task-1', { goal: 'refund' })
    await ledger.close()
    const none = await runCli(['complete', '--', 'takeover', ''])
    expect(none).toMatchObject({ code: 0, out: ':4\n', err: '' })
    const named = await runCli(['complete', '--', '--ledger', path, 'takeover', 'ta'])
    expect(named).toMatchObject({ code: 0, out: 'task-1\t\n:4\n', err: '' })
    const found = await runCli(['complete', '--line', '--', 'agent-ledger takeover '], {
      env: { AGENT_LEDGER: path },
    })
    expect(found).toMatchObject({ code: 0, out: 'task-1\t\n:4\n', err: '' })
  })

  it('works in a real bash, more than once, without running what was typed', async () => {
    const script = `
      agent-ledger() { ${process.execPath} ${bin} "$@"; }
      source <(agent-ledger completion bash)
      source <(agent-ledger completion bash)
      complete -p agent-ledger
      while read -r line; do
        COMP_LINE=$line COMP_POINT=\${#line}
        _agent_ledger
        echo "\${COMPREPLY[@]}"
      done <<'END'
agent-ledger compl
agent-ledger completion z
agent-ledger help --js
agent-ledger help --wait=5s --led
agent-ledger help $(echo ran >&2) --js
agent-ledger help "two words; echo ran >&2" --js
END`
    const { stdout, stderr } = await execa('bash', ['-c', script])
    expect(stdout.split('\n')).toEqual([
      'complete -F _agent_ledger agent-ledger',
      'completion',
      'zsh',
      '--json --jsonl',
      '--ledger',
      '--json --jsonl',
      '--json --jsonl',
    ])
    expect(stderr).toBe('')
  })

  it.each([
    ['agent-ledger ', ['']],
    ['agent-ledger  show   op-1', ['show', 'op-1']],
    ['agent-ledger note "two words" x', ['note', 'two words', 'x']],
    [`agent-ledger note 'it''s' "a\\"b" c\\ d `, ['note', 'its', 'a"b', 'c d', '']],
    ['agent-ledger note "open', ['note', 'open']],
    ["agent-ledger note '' ", ['note', '', '']],
    ['agent-ledger', []],
  ])('splits %j as a shell would', (line, words) => {
    expect(splitLine(line)).toEqual(words)
  })

  it.each(['bash', 'zsh', 'fish', 'powershell'])('has a script for %s', async shell => {
    const { stdout } = await execa(bin, ['completion', shell])
    expect(stdout).toMatch(/agent-ledger complete/)
  })

  it('refuses a shell it does not know', async () => {
    const { code, err } = await runCli(['completion', 'bsh'])
    expect(code).toBe(2)
    expect(err).toContain('one of bash, zsh, fish, powershell is wanted (did you mean bash or zsh?)')
  })
})
