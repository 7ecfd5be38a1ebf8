import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A bare repository, and a clone that commits and pushes to it. */
export interface GitRemote {
  readonly remote: string
  /** an empty commit on top of `parent`, or of the last one */
  commit(text: string, parent?: string): string
  push(commit: string, ref?: string, ...options: readonly string[]): void
  remove(ref: string): void
  /** whoever pushes is told that it failed, after the ref was set: its hook breaks the connection */
  loseAnswers(): void
  /** where a ref stands; empty: nowhere */
  tip(ref?: string): string
}

export function aGitRemote(): GitRemote {
  const folder = mkdtempSync(join(tmpdir(), 'git-remote-'))
  const git = (cwd: string, ...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim()
  git(folder, 'init', '-q', '--bare', '-b', 'main', 'origin.git')
  git(folder, 'init', '-q', '-b', 'main', 'work')
  const [remote, work] = [join(folder, 'origin.git'), join(folder, 'work')]
  return {
    remote,
    commit: (text, parent) => {
      if (parent !== undefined) git(work, 'checkout', '-q', parent)
      git(work, 'commit', '-q', '--allow-empty', '-m', text)
      return git(work, 'rev-parse', 'HEAD')
    },
    push: (commit, ref = 'refs/heads/main', ...options) => {
      git(work, 'push', '-q', ...options, remote, `${commit}:${ref}`)
    },
    remove: ref => void git(work, 'push', '-q', remote, `:${ref}`),
    loseAnswers: () => {
      const hook = join(remote, 'hooks/post-receive')
      // The process that talks to the pusher is the hook's parent.
      writeFileSync(hook, '#!/bin/sh\nkill -9 $PPID\n')
      chmodSync(hook, 0o755)
    },
    tip: (ref = 'refs/heads/main') => git(work, 'ls-remote', remote, ref).split('\t')[0] ?? '',
  }
}
