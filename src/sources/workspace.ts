import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat, readdir, readlink, realpath } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { promisify } from 'node:util'
import { sha256 } from '../core/digest.js'

// What phases are made from and what they leave, as it is in the workspace now. Nothing is written, and no path is
// followed out of the workspace unless somebody says so: a ledger is written by agents.

export interface Place {
  /** absolute path of the task's workspace; null: unknown, and then nothing is looked at */
  readonly workspace: string | null
  /** look also at what lies outside it, links included */
  readonly follow: boolean
}

/** `revision`: null where there is nothing. `problem`: it could not be looked at, and why. */
export interface Revision {
  readonly revision: string | null
  readonly problem: string | null
}

const SPEC = /^(git|file|folder|lockfile):(.*)$/s

/** The revision of `git:<folder>`, `file:<path>`, `folder:<path>`, `lockfile:<path>`; any other text is its own. */
export async function revisionOf(spec: string, place: Place): Promise<Revision> {
  const [, kind, path] = SPEC.exec(spec) ?? []
  if (kind === undefined || path === undefined) return { revision: spec, problem: null }
  if (place.workspace === null || !isAbsolute(place.workspace))
    return problem(`${spec}: no absolute path of a workspace is on record`)
  try {
    const found = await locate(path, place.workspace, place.follow)
    if ('problem' in found) return problem(`${spec}: ${found.problem}`)
    if (found.path === null) return { revision: null, problem: null }
    return await READERS[kind as keyof typeof READERS](found.path, place)
  } catch (error) {
    return problem(`${spec}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** As an artifact's digest: `sha256:<hex>` over the revision. */
export function digestOfRevision(revision: string | null): string | null {
  if (revision === null) return null
  return /^sha256:[0-9a-f]{64}$/.test(revision) ? revision : sha256(revision)
}

const READERS = {
  file: async (path: string): Promise<Revision> => fileRevision(path),
  lockfile: async (path: string): Promise<Revision> => fileRevision(path),
  folder: folderRevision,
  git: gitRevision,
}

type Located = { readonly path: string | null } | { readonly problem: string }

/** The real place of a path; null: nothing is there. */
async function locate(path: string, workspace: string, follow: boolean): Promise<Located> {
  const root = await realpath(workspace).catch(() => null)
  if (root === null) return { problem: `the workspace ${workspace} is not there` }
  const wanted = resolve(root, path)
  const outside = {
    problem:
      'it lies outside the workspace, and only --follow (of a phase: `follow: true`) looks at it there',
  }
  if (!follow && !isInside(root, wanted)) return outside
  const real = await realpath(wanted).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
    throw error
  })
  return real === null || follow || isInside(root, real) ? { path: real } : outside
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

async function fileRevision(path: string): Promise<Revision> {
  const stats = await lstat(path)
  // A pipe would be waited for.
  if (!stats.isFile()) return problem(`${path} is no regular file`)
  return { revision: `sha256:${await hashOfFile(path)}`, problem: null }
}

async function hashOfFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex')
}

/** Files of a folder that are looked at; more is no artifact but a disk. */
const MOST_FILES = 100_000

/** What changes with every look, or with every entry: no revision of anything. */
const LEFT_OUT: readonly string[] = ['.git', '.agent-ledger']

/** Over names, kinds and contents in the order of names. */
async function folderRevision(path: string, { follow }: Place): Promise<Revision> {
  if (!(await lstat(path)).isDirectory()) return problem(`${path} is no folder`)
  const hash = createHash('sha256')
  let count = 0
  const queue = [path]
  for (let folder = queue.pop(); folder !== undefined; folder = queue.pop()) {
    const entries = (await readdir(folder, { withFileTypes: true })).sort((a, b) =>
      a.name < b.name ? -1 : 1,
    )
    for (const entry of entries) {
      if (LEFT_OUT.includes(entry.name)) continue
      count += 1
      if (count > MOST_FILES) return problem(`${path} holds more than ${MOST_FILES} files`)
      const full = join(folder, entry.name)
      const name = JSON.stringify(relative(path, full).split(sep).join('/'))
      if (entry.isDirectory()) queue.push(full)
      else if (entry.isSymbolicLink()) hash.update(`${name} -> ${await linkOf(full, follow)}\n`)
      else if (entry.isFile()) hash.update(`${name} ${await hashOfFile(full)}\n`)
      else hash.update(`${name} other\n`)
    }
  }
  return { revision: `sha256:${hash.digest('hex')}`, problem: null }
}

async function linkOf(path: string, follow: boolean): Promise<string> {
  const target = await readlink(path)
  if (!follow) return JSON.stringify(target)
  const real = await realpath(path).catch(() => null)
  const isFile = real !== null && (await lstat(real)).isFile()
  return isFile ? await hashOfFile(real) : JSON.stringify(target)
}

const run = promisify(execFile)
const GIT_MS = 20_000

/** The commit, and a digest of what differs from it. Hooks, pagers and file system monitors of the repository stay off. */
async function gitRevision(path: string): Promise<Revision> {
  const git = async (...args: string[]) => {
    const safe = [
      '-c',
      'core.fsmonitor=false',
      '-c',
      'core.hooksPath=/dev/null',
      '-c',
      'core.quotePath=false',
    ]
    const options = { cwd: path, timeout: GIT_MS, maxBuffer: 64 * 1_048_576, windowsHide: true }
    return (await run('git', ['--no-optional-locks', ...safe, ...args], options)).stdout
  }
  const commit = (await git('rev-parse', '--verify', 'HEAD')).trim()
  const status = await git('status', '--porcelain=v1', '-z', '--untracked-files=all', ...HERE)
  if (status === '') return { revision: `git:${commit}`, problem: null }
  const diff = await git('diff', 'HEAD', '--no-ext-diff', '--no-textconv', '--binary', ...HERE)
  const untracked = await git('ls-files', '--others', '--exclude-standard', '-z', ...HERE)
  const added = await contentsOf(
    untracked.split('\0').filter(name => name !== ''),
    path,
  )
  if (added === null) return problem(`${path} holds more than ${MOST_FILES} files that git does not track`)
  return { revision: `git:${commit}+${sha256(`${status}\n${diff}\n${added}`).slice(7, 23)}`, problem: null }
}

function problem(text: string): Revision {
  return { revision: null, problem: text }
}

/** This folder, without the ledger that may lie in it: each entry would make another revision. */
const HERE = ['--', '.', ':(exclude,top,glob)**/.agent-ledger/**'] as const

/** Git shows no content of what it does not track. */
async function contentsOf(names: readonly string[], folder: string): Promise<string | null> {
  if (names.length > MOST_FILES) return null
  const lines: string[] = []
  for (const name of names) {
    const full = join(folder, name)
    const stats = await lstat(full)
    if (stats.isFile()) lines.push(`${name} ${await hashOfFile(full)}`)
    else lines.push(`${name} ${stats.isSymbolicLink() ? JSON.stringify(await readlink(full)) : 'other'}`)
  }
  return lines.join('\n')
}
