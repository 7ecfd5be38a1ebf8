import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Match, Observed } from '../core/observation.js'
import type { GitProbe } from '../core/probe.js'
import { cannotAsk, fillPlain } from './fill.js'
import type { ProbeFacts, Prober, ProbeWorld } from './probe.js'
import { programEnv, type Ran, runProgram } from './program.js'

const DEFAULT_TIMEOUT_MS = 60_000

interface Push {
  readonly remote: string
  readonly ref: string
  readonly commit: string
  /** where the ref stood before; null: nobody said */
  readonly before: string | null
}

/** `git ls-remote`, and where the ref has moved on, whether what it holds now contains the commit. */
export const git: Prober<GitProbe> = {
  plan: ({ probe, facts }) => {
    const push = pushOf(probe, facts)
    return 'problem' in push
      ? [{ what: `git ls-remote ${probe.remote} ${probe.ref}`, problem: push.problem }]
      : [{ what: `git ls-remote ${push.remote} ${push.ref}` }]
  },
  ask: async ({ probe, facts }, world) => {
    const push = pushOf(probe, facts)
    const observed = 'problem' in push ? cannotAsk(push.problem) : await looked(push, probe, world)
    return {
      observed_at: world.clock().at,
      scope: probe.scope ?? null,
      request: 'problem' in push ? { kind: 'git' } : { kind: 'git', ...push },
      response_digest: null,
      ...observed,
    }
  },
}

function pushOf(probe: GitProbe, facts: ProbeFacts): Push | { readonly problem: string } {
  const [remote, ref, commit] = [probe.remote, probe.ref, probe.commit].map(text => fillPlain(text, facts))
  if (remote === undefined || ref === undefined || commit === undefined)
    return { problem: 'nothing was named' }
  if ('problem' in remote) return remote
  if ('problem' in ref) return ref
  if ('problem' in commit) return commit
  if (!/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(commit.text))
    return { problem: `${commit.text.slice(0, 80)} is no whole commit id` }
  if (!/^refs\/[^\s~^:?*[\\]+$/.test(ref.text))
    return { problem: `${ref.text.slice(0, 80)} is no full ref: refs/heads/main` }
  const before = probe.before === undefined ? null : fillPlain(probe.before, facts)
  if (before !== null && 'problem' in before) return before
  if (remote.text.startsWith('-')) return { problem: 'the remote begins with a dash' }
  // Addresses are kept: a password in one would be too.
  if (/^[a-z+]+:\/\/[^/@]*:[^/@]*@/i.test(remote.text)) return { problem: 'the remote has a password in it' }
  return { remote: remote.text, ref: ref.text, commit: commit.text, before: before?.text ?? null }
}

async function looked(push: Push, probe: GitProbe, world: ProbeWorld): Promise<Observed> {
  const listed = await run(['ls-remote', '--', push.remote], world, probe)
  if ('failed' in listed)
    return { completeness: 'failed', code: listed.failed, why: listed.why, retry_after_ms: null }
  if (listed.code !== 0)
    return { completeness: 'failed', code: 'unreachable', why: lastLine(listed.stderr), retry_after_ms: null }
  const tip = oidOf(listed.stdout, push.ref)
  const answer = { statements: [], remote: null, disagreements: [], parent: 'readable' as const }
  if (tip === null) {
    const gone = wasThere(push)
      ? [`${push.ref} stood at ${push.before} before`, `${push.ref} is not there`]
      : []
    return { ...answer, completeness: 'complete', matches: [], disagreements: gone }
  }
  if (tip === push.commit) return { ...answer, completeness: 'complete', matches: [own(push, tip)] }
  if (probe.contains === false) return { ...answer, completeness: 'complete', matches: other(push, tip) }
  const contained = await isContained(push, world, probe)
  if (contained === 'unknown')
    return {
      ...answer,
      completeness: 'partial',
      why: `${push.ref} has moved to ${tip}, and its history could not be read`,
      matches: [],
    }
  return { ...answer, completeness: 'complete', matches: contained ? [own(push, tip)] : other(push, tip) }
}

function own({ ref, commit }: Push, tip: string): Match {
  return { external_id: { kind: 'commit', value: commit, scope: ref }, matched_by: 'digest', digest: tip }
}

function wasThere({ before }: Push): boolean {
  return before !== null && /[1-9a-f]/.test(before)
}

/** Where the ref stands elsewhere than before: our commit may have been there, and forced away since. */
function other({ ref, before }: Push, tip: string): readonly Match[] {
  if (before === null || tip === before) return []
  const differs = `${ref} is at ${tip}, which has not our commit, and before the push it was at ${before}`
  return [{ external_id: { kind: 'commit', value: tip }, matched_by: 'attributes', digest: tip, differs }]
}

function oidOf(listing: string, ref: string): string | null {
  for (const line of listing.split('\n')) {
    const [oid = '', name] = line.split('\t')
    if (name === ref) return oid
  }
  return null
}

/** Fetches the commits of the ref alone, without any file, into a place that is thrown away. */
async function isContained(
  { remote, ref, commit }: Push,
  world: ProbeWorld,
  probe: GitProbe,
): Promise<boolean | 'unknown'> {
  const place = await mkdtemp(join(tmpdir(), 'agent-ledger-git-'))
  try {
    const made = await run(['init', '--quiet', '--bare', place], world, probe)
    if ('failed' in made || made.code !== 0) return 'unknown'
    const fetched = await run(
      [
        '--git-dir',
        place,
        'fetch',
        '--quiet',
        '--no-tags',
        '--filter=tree:0',
        '--',
        remote,
        `+${ref}:refs/probe`,
      ],
      world,
      probe,
    )
    if ('failed' in fetched || fetched.code !== 0) return 'unknown'
    const has = await run(['--git-dir', place, 'cat-file', '-e', `${commit}^{commit}`], world, probe)
    if ('failed' in has) return 'unknown'
    // The whole history of the ref is here: what is not in it was never on it.
    if (has.code !== 0) return false
    const inside = await run(
      ['--git-dir', place, 'merge-base', '--is-ancestor', commit, 'refs/probe'],
      world,
      probe,
    )
    return 'failed' in inside || inside.code > 1 ? 'unknown' : inside.code === 0
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}

// No question on a terminal, no helper program in the address (ext::).
const SAFELY = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_ALLOW_PROTOCOL: 'file:https:http:ssh:git',
  GIT_SSH_COMMAND: 'ssh -oBatchMode=yes',
  LC_ALL: 'C',
}

async function run(args: readonly string[], world: ProbeWorld, probe: GitProbe): Promise<Ran> {
  const env = programEnv([], world.env)
  const ssh = world.env.SSH_AUTH_SOCK
  return runProgram(
    {
      argv: ['git', ...args],
      env: {
        ...('env' in env ? env.env : {}),
        ...(ssh === undefined ? {} : { SSH_AUTH_SOCK: ssh }),
        ...SAFELY,
      },
      stdin: '',
      timeoutMs: probe.timeout_ms ?? DEFAULT_TIMEOUT_MS,
      maxBytes: 64 * 1_048_576,
    },
    world,
  )
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) || 'git could not read the remote'
}
