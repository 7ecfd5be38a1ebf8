import { spawnSync } from 'node:child_process'
import { hostname, userInfo } from 'node:os'
import type { Actor } from '../core/actor.js'

export type { Actor } from '../core/actor.js'

interface Sources {
  /** `--by` */
  readonly flag?: string | undefined
  /** `identity:` of the configuration */
  readonly config?: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
}

/** The first that is named: flag, AGENT_LEDGER_BY, configuration, git, the CI service, the user of the system. */
export function findActor({ flag, config, env, cwd }: Sources): Actor {
  const given = (text: string | undefined) => text !== undefined && text.trim() !== ''
  if (given(flag)) return `flag:${flag}`
  if (given(env.AGENT_LEDGER_BY)) return `env:${env.AGENT_LEDGER_BY}`
  if (given(config)) return `config:${config}`
  const git = gitUser(cwd)
  if (given(git)) return `git:${git}`
  const ci = CI_SERVICES.find(service => given(env[service.sign]) && given(env[service.user]))
  if (ci !== undefined) return `ci:${ci.name}/${env[ci.user]}`
  return `os:${systemUser()}@${hostname()}`
}

// What the services document as the user who started the run.
const CI_SERVICES = [
  { name: 'github', sign: 'GITHUB_ACTIONS', user: 'GITHUB_ACTOR' },
  { name: 'gitlab', sign: 'GITLAB_CI', user: 'GITLAB_USER_LOGIN' },
  { name: 'buildkite', sign: 'BUILDKITE', user: 'BUILDKITE_BUILD_CREATOR_EMAIL' },
  { name: 'circleci', sign: 'CIRCLECI', user: 'CIRCLE_USERNAME' },
  { name: 'jenkins', sign: 'JENKINS_URL', user: 'BUILD_USER_ID' },
  { name: 'azure', sign: 'TF_BUILD', user: 'BUILD_REQUESTEDFOREMAIL' },
  { name: 'bitbucket', sign: 'BITBUCKET_BUILD_NUMBER', user: 'BITBUCKET_STEP_TRIGGERER_UUID' },
] as const

// Without git, or with one that hangs on a broken disk, the next source is asked.
function gitUser(cwd: string): string | undefined {
  const { status, stdout } = spawnSync('git', ['config', '--get', 'user.email'], {
    cwd,
    encoding: 'utf8',
    timeout: 2_000,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return status === 0 ? stdout.trim() : undefined
}

// A container may run under a number that has no name.
function systemUser(): string {
  try {
    return userInfo().username
  } catch {
    return `uid-${process.getuid?.() ?? 'unknown'}`
  }
}
