import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { hostname, tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { findActor } from '../../src/host.js'

const folder = mkdtempSync(join(tmpdir(), 'agent-ledger-actor-'))
const repository = join(folder, 'repository')
beforeAll(() => {
  execFileSync('git', ['init', '-q', repository])
  execFileSync('git', ['-C', repository, 'config', 'user.email', 'ana@example.com'])
  // What this machine's own git says must not decide.
  vi.stubEnv('GIT_CONFIG_GLOBAL', '/dev/null')
  vi.stubEnv('GIT_CONFIG_SYSTEM', '/dev/null')
})
afterEach(() => vi.stubEnv('PATH', process.env.PATH))
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

const github = { GITHUB_ACTIONS: 'true', GITHUB_ACTOR: 'octocat', CI: 'true' }

describe('who decides', () => {
  it.each([
    ['the flag', { flag: 'bo', config: 'team', env: { AGENT_LEDGER_BY: 'eve' }, cwd: repository }, 'flag:bo'],
    [
      'the environment',
      { config: 'team', env: { AGENT_LEDGER_BY: 'eve', ...github }, cwd: repository },
      'env:eve',
    ],
    ['the configuration', { config: 'team', env: github, cwd: repository }, 'config:team'],
    ['git', { env: github, cwd: repository }, 'git:ana@example.com'],
    ['the CI service', { env: github, cwd: folder }, 'ci:github/octocat'],
    [
      'the user of the system',
      { env: { CI: 'true' }, cwd: folder },
      `os:${userInfo().username}@${hostname()}`,
    ],
    [
      'nothing that is empty',
      { flag: ' ', config: '', env: { AGENT_LEDGER_BY: '' }, cwd: repository },
      'git:ana@example.com',
    ],
  ])('is named by %s', (_, sources, actor) => {
    expect(findActor(sources)).toBe(actor)
  })

  it('is found without git on the machine', () => {
    vi.stubEnv('PATH', '/nowhere')
    expect(findActor({ env: {}, cwd: repository })).toBe(`os:${userInfo().username}@${hostname()}`)
  })
})
