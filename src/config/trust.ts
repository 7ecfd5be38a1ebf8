import { createHash } from 'node:crypto'
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { LedgerError } from '../core/errors.js'
import type { AllProbe, ProbeDeclaration } from '../core/probe.js'
import type { LedgerConfig } from './config.js'

/** Where this person's trust is kept: outside any project, so that no project can bring its own. */
export function trustFile(env: Readonly<Record<string, string | undefined>>): string | null {
  const { XDG_STATE_HOME, HOME, USERPROFILE } = env
  const home = HOME ?? USERPROFILE
  // The XDG specification says that a relative path is to be ignored.
  if (XDG_STATE_HOME !== undefined && isAbsolute(XDG_STATE_HOME))
    return join(XDG_STATE_HOME, 'agent-ledger', 'trust.json')
  return home === undefined || home === ''
    ? null
    : join(home, '.local', 'state', 'agent-ledger', 'trust.json')
}

/** What trust in a configuration is bound to. */
export interface Trustable {
  /** the file itself, links resolved */
  readonly path: string
  /** `sha256:<hex>` over its bytes and those of every file that it runs */
  readonly digest: string
  /** the files it runs, beside itself */
  readonly files: readonly string[]
}

/** @throws LedgerError invalid_config for a file that is not there */
export function trustable(config: LedgerConfig): Trustable {
  const { path } = config
  if (path === undefined)
    throw new LedgerError('invalid_config', 'there is no configuration to trust', {
      hint: 'Run it where an agent-ledger.yaml is, or name one with --config.',
    })
  const files = filesNamed(config, dirname(path))
  const hash = createHash('sha256')
  for (const one of [path, ...files]) {
    const bytes = bytesOf(one)
    hash.update(`${one === path ? '' : one}\0${bytes.length}\0`).update(bytes)
  }
  return { path: realpathSync(path), digest: `sha256:${hash.digest('hex')}`, files }
}

export type Trust = { readonly trusted: true } | { readonly trusted: false; readonly why: string }

/** Is this configuration, as it stands now, trusted by whoever owns `file`? */
export function trustIn(config: LedgerConfig, file: string | null): Trust {
  if (config.path === undefined) return { trusted: false, why: 'no configuration is in use' }
  const { path, digest } = trustable(config)
  const entry = entriesIn(file)[path]
  if (entry === undefined)
    return { trusted: false, why: `${path} is not trusted: read it, then run agent-ledger trust` }
  return entry.digest === digest
    ? { trusted: true }
    : {
        trusted: false,
        why: `${path}, or a file that it runs, was changed since it was trusted: read it, then run agent-ledger trust`,
      }
}

interface Entry {
  readonly digest: string
  readonly at: number
}

export function giveTrust({ path, digest }: Trustable, { file, at }: { file: string; at: number }): void {
  writeEntries(file, { ...entriesIn(file), [path]: { digest, at } })
}

/** False: it was not trusted. */
export function takeTrust(path: string, file: string): boolean {
  const { [path]: found, ...rest } = entriesIn(file)
  if (found === undefined) return false
  writeEntries(file, rest)
  return true
}

/** Every program and module that the probes name by a path. */
function filesNamed({ tools }: LedgerConfig, folder: string): string[] {
  const names = Object.values(tools).flatMap(({ probe }) => (probe === undefined ? [] : namedBy(probe)))
  const places = names.map(name => (isAbsolute(name) ? name : join(folder, name)))
  return [...new Set(places.filter(isFile))].sort()
}

function namedBy(probe: ProbeDeclaration): readonly string[] {
  if (probe.kind === 'all') return probe.of.flatMap((one: AllProbe['of'][number]) => namedBy(one))
  if (probe.kind === 'module') return [probe.path]
  return probe.kind === 'command' ? probe.run : []
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    return false
  }
}

function bytesOf(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new LedgerError('invalid_config', `${path} cannot be read: ${why}`, { path, cause })
  }
}

/** @throws LedgerError invalid_config for a file that others may write: then it is not this person's word */
function entriesIn(file: string | null): Readonly<Record<string, Entry>> {
  if (file === null) return {}
  let descriptor: number
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {}
    throw unusable(file, error instanceof Error ? error.message : String(error), error)
  }
  try {
    const stats = fstatSync(descriptor)
    if (!stats.isFile()) throw unusable(file, 'it is no regular file')
    if ((stats.mode & 0o022) !== 0) throw unusable(file, 'others may write it: chmod 600 it')
    return parsed(readFileSync(descriptor, 'utf8'), file)
  } finally {
    closeSync(descriptor)
  }
}

function parsed(text: string, file: string): Readonly<Record<string, Entry>> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw unusable(file, 'it is no JSON: remove it, and trust again what you trust', cause)
  }
  const trusted: unknown =
    typeof value === 'object' && value !== null ? Reflect.get(value, 'trusted') : undefined
  if (typeof trusted !== 'object' || trusted === null) return {}
  return Object.fromEntries(
    Object.entries(trusted).flatMap(([path, one]) => (isEntry(one) ? [[path, one]] : [])),
  )
}

function isEntry(value: unknown): value is Entry {
  if (typeof value !== 'object' || value === null) return false
  return typeof Reflect.get(value, 'digest') === 'string' && typeof Reflect.get(value, 'at') === 'number'
}

// Whole or not at all, for this person alone.
function writeEntries(file: string, trusted: Readonly<Record<string, Entry>>): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const beside = `${file}.new`
  rmSync(beside, { force: true })
  const descriptor = openSync(beside, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600)
  try {
    writeSync(descriptor, `${JSON.stringify({ trusted }, null, 2)}\n`)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  renameSync(beside, file)
}

function unusable(path: string, why: string, cause?: unknown): LedgerError {
  return new LedgerError('invalid_config', `${path} cannot be used: ${why}`, { path, cause })
}
