import { type SpawnSyncOptions, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import type { Bundle } from '../../support/bundle.js'
import { type SystemCall, traced } from '../trace.js'

/** A system call on the ledger's log that fails: the n-th, or that and all after it. */
export interface Fault {
  readonly call: 'fsync' | 'pwrite64'
  readonly error: 'EIO' | 'ENOSPC' | 'EROFS'
  readonly from: 'intent' | 'outcome'
  readonly goesOn: boolean
}

/** How an operation came out, as the program said it. */
export interface Came {
  readonly id: string
  readonly status: string
  readonly code?: string
  readonly message?: string
  readonly facts?: Readonly<Record<string, unknown>>
}

export interface Tried {
  readonly came: readonly Came[]
  /** why the ledger could not even be opened; null where it could */
  readonly refused: { readonly code: string; readonly message: string } | null
}

interface Try {
  readonly program: Bundle
  readonly path: string
  readonly world: string
  readonly operations: number
}

/**
 * Runs the program with a fault at its second operation. Where that is in the sequence of its system calls is found by
 * a run without one, on a ledger that `made` makes alike.
 */
export function triedWith(fault: Fault, make: () => Try): Tried {
  const clean = make()
  const calls = traced(clean.program, [clean.path, clean.world, String(clean.operations)])
  const marker = fault.from === 'intent' ? 'asked thing-2' : 'called thing-2'
  const nth = 1 + countBefore(calls, { log: `${clean.path}-wal`, call: fault.call, marker })
  const { program, path, world, operations } = make()
  const inject = `inject=${fault.call}:error=${fault.error}:when=${nth}${fault.goesOn ? '+' : ''}`
  const strace = ['-qq', '-P', `${path}-wal`, '-e', `trace=${fault.call}`, '-e', inject, '-e', 'signal=none']
  return told(
    'strace',
    [...strace, '-o', '/dev/null', process.execPath, ...program.argv, path, world, String(operations)],
    {
      env: { ...process.env, ...program.env },
    },
  )
}

/** Runs the program as it is. */
export function tried({ program, path, world, operations }: Try, options: SpawnSyncOptions = {}): Tried {
  return told(process.execPath, [...program.argv, path, world, String(operations)], {
    env: { ...process.env, ...program.env },
    ...options,
  })
}

/** What truly happened. */
export function effectsIn(world: string): string[] {
  return existsSync(world)
    ? readFileSync(world, 'utf8')
        .split('\n')
        .filter(line => line !== '')
    : []
}

function told(command: string, args: readonly string[], options: SpawnSyncOptions): Tried {
  const { status, stdout, stderr } = spawnSync(command, args, { ...options, encoding: 'utf8' })
  if (status !== 0) throw new Error(`the program ended with ${status}: ${stderr}`)
  const lines = String(stdout).split('\n')
  const after = (word: string) =>
    lines.filter(line => line.startsWith(word)).map(line => line.slice(word.length))
  const [refused] = after('cannot open ')
  return {
    came: after('came ').map(line => JSON.parse(line)),
    refused: refused === undefined ? null : JSON.parse(refused),
  }
}

function countBefore(
  calls: readonly SystemCall[],
  { log, call, marker }: { readonly log: string; readonly call: Fault['call']; readonly marker: string },
): number {
  const logs = new Set<number>()
  let count = 0
  for (const one of calls) {
    if (one.call === 'open' && one.path === log) logs.add(one.fd)
    else if (one.call === 'open' || one.call === 'close') logs.delete(one.fd)
    else if (one.call === 'write' && one.fd === 1 && one.bytes.toString('utf8').startsWith(marker))
      return count
    else if ('fd' in one && logs.has(one.fd) && one.call === (call === 'fsync' ? 'sync' : 'write')) count++
  }
  throw new Error(`the run without a fault never said "${marker}"`)
}
