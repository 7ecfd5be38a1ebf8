import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { aLedger } from '../../ledger/support/a-ledger.js'
import { SCENES } from './scenes.js'

const root = join(import.meta.dirname, '..', '..', '..')
const folder = join(root, 'fixtures', 'cli')

/**
 * Each file is a session: its first line names the ledger, `$` begins what is typed, and what follows is what was
 * printed by the real program, with its exit code where that is not 0. `UPDATE_FIXTURES=1` writes them anew.
 */
describe('a session', () => {
  it.each(readdirSync(folder))('%s', async file => {
    const path = join(folder, file)
    const told = readFileSync(path, 'utf8')
    const scene = /^# ledger: (.*)\n/.exec(told)?.[1] ?? ''
    const play = SCENES[scene]
    if (play === undefined) throw new Error(`${file} names no ledger: ${scene}`)
    const ledger = await aLedger()
    await play(ledger)
    await ledger.store.close()
    const home = dirname(ledger.path)
    const typed = told.split('\n').filter(line => line.startsWith('$ '))
    const shown = typed.map(line => `\n${line}\n${run(line.slice(2), home)}`)
    const session = `# ledger: ${scene}\n${shown.join('')}`
    if (process.env.UPDATE_FIXTURES === '1') writeFileSync(path, session)
    expect(session).toBe(readFileSync(path, 'utf8'))
  })
})

function run(line: string, home: string): string {
  const bin = join(home, 'bin')
  mkdirSync(bin, { recursive: true })
  const program = join(bin, 'agent-ledger')
  writeFileSync(
    program,
    `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'bin/agent-ledger.js')}' "$@"\n`,
  )
  chmodSync(program, 0o700)
  const ended = spawnSync('bash', ['-c', `exec 2>&1\n${line}`], {
    cwd: home,
    env: {
      PATH: `${bin}:/usr/bin:/bin`,
      HOME: home,
      AGENT_LEDGER: 'ledger.db',
      LC_ALL: 'C.UTF-8',
      FIXTURES: join(root, 'fixtures'),
    },
    encoding: 'utf8',
  })
  const code = ended.status === 0 ? '' : `[exit ${ended.status}]\n`
  const said = ended.stdout.replaceAll(home, '/home/ana').replaceAll(join(root, 'fixtures'), '/fixtures')
  return `${said}${code}`
}
