import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findLedger, type LedgerWishes } from '../../src/cli/find-ledger.js'

let top: string
let cwd: string

beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'ledger-'))
  cwd = join(top, 'project', 'src')
  mkdirSync(cwd, { recursive: true })
})

afterEach(() => rmSync(top, { recursive: true, force: true }))

function find(over: Partial<LedgerWishes> = {}): Promise<string> {
  return findLedger({ ledger: undefined, config: undefined, env: {}, cwd, ...over })
}

function file(...parts: string[]): string {
  const path = join(top, ...parts)
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, '')
  return path
}

describe('the ledger in use', () => {
  it('is the flag, else the variable, else the configuration, else the nearest folder upward', async () => {
    const nearest = file('project', '.agent-ledger', 'ledger.db')
    expect(await find()).toBe(nearest)
    const configured = file('project', 'runs.db')
    writeFileSync(join(top, 'project', 'agent-ledger.yaml'), 'ledger: runs.db\n')
    expect(await find()).toBe(configured)
    const fromEnv = file('project', 'src', 'env.db')
    expect(await find({ env: { AGENT_LEDGER: 'env.db' } })).toBe(fromEnv)
    const flagged = file('flag.db')
    expect(await find({ env: { AGENT_LEDGER: 'env.db' }, ledger: '../../flag.db' })).toBe(flagged)
  })

  it('is what the nearest configuration names, and a configuration without a ledger names none', async () => {
    const nearest = file('project', '.agent-ledger', 'ledger.db')
    writeFileSync(join(top, 'project', 'agent-ledger.yaml'), 'lease: 60s\n')
    expect(await find()).toBe(nearest)
  })

  it('may be a URL, which is not looked for on the disk', async () => {
    expect(await find({ ledger: 'postgres://db.example/agents' })).toBe('postgres://db.example/agents')
  })

  it.each([
    ['--ledger', { ledger: 'gone.db' }],
    ['AGENT_LEDGER', { env: { AGENT_LEDGER: 'gone.db' } }],
  ])('is missing, not passed over, where %s names a file that is not there', async (by, over) => {
    file('project', '.agent-ledger', 'ledger.db')
    const path = join(cwd, 'gone.db')
    await expect(find(over)).rejects.toMatchObject({
      code: 'ledger_missing',
      path,
      message: `there is no ledger ${path} (named by ${by})`,
    })
  })

  it('is missing where the configuration names a file that is not there', async () => {
    const config = join(top, 'project', 'agent-ledger.yaml')
    writeFileSync(config, 'ledger: gone.db\n')
    await expect(find()).rejects.toMatchObject({
      code: 'ledger_missing',
      path: join(top, 'project', 'gone.db'),
    })
    await expect(find()).rejects.toThrow(`(named by ${config})`)
  })

  it('is missing with every place that was searched', async () => {
    await expect(find({ env: { AGENT_LEDGER: '' } })).rejects.toMatchObject({
      code: 'ledger_missing',
      facts: {
        searched: [
          '--ledger: not given',
          'AGENT_LEDGER: not set',
          `agent-ledger.yaml in ${cwd} and the folders above it: none that names a ledger`,
          `${join(cwd, '.agent-ledger/ledger.db')} and the same in the folders above: not there`,
        ],
      },
    })
  })
})
