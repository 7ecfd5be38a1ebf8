import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bundle } from '../support/bundle.js'

/** One system call that succeeded, of those that a disk hears of. */
export type SystemCall =
  | { readonly call: 'open'; readonly path: string; readonly fd: number; readonly flags: string }
  | { readonly call: 'write'; readonly fd: number; readonly at: number | null; readonly bytes: Buffer }
  | { readonly call: 'truncate'; readonly fd: number; readonly size: number }
  | { readonly call: 'sync'; readonly fd: number }
  | { readonly call: 'close'; readonly fd: number }
  | { readonly call: 'link'; readonly from: string; readonly to: string }
  | { readonly call: 'rename'; readonly from: string; readonly to: string }
  | { readonly call: 'unlink'; readonly path: string }

const CALLS =
  'openat,pwrite64,write,ftruncate,fsync,fdatasync,close,link,linkat,rename,renameat,renameat2,unlink,unlinkat'

/**
 * Runs a program under strace and returns what its main thread asked of the disk, in order. SQLite and `fs.*Sync` work
 * there alone, so threads need not be followed.
 */
export function traced(program: Bundle, args: readonly string[]): SystemCall[] {
  const folder = mkdtempSync(join(tmpdir(), 'agent-ledger-trace-'))
  const out = join(folder, 'trace')
  const strace = ['-qq', '-xx', '-s', '1000000', '-e', `trace=${CALLS}`, '-e', 'signal=none', '-o', out]
  try {
    const { status, stderr } = spawnSync('strace', [...strace, process.execPath, ...program.argv, ...args], {
      env: { ...process.env, ...program.env },
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`the traced program ended with ${status}: ${stderr}`)
    return readFileSync(out, 'latin1').split('\n').flatMap(systemCallOf)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A line of strace: `pwrite64(22, "\x00…", 4096, 8192) = 4096`. */
export function systemCallOf(line: string): SystemCall[] {
  const [, name = '', args = '', result = ''] = /^(\w+)\((.*)\)\s+= (-?\d+)/.exec(line) ?? []
  const returned = Number(result)
  if (name === '' || returned < 0) return []
  const texts = [...args.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, hex = '']) => bytesOf(hex))
  const numbers = args.replaceAll(/"[^"]*"(?:\.\.\.)?/g, '""').split(', ')
  const fd = Number(numbers[0])
  const [first = '', second = ''] = texts.map(bytes => bytes.toString('utf8'))
  switch (name) {
    case 'openat':
      return [{ call: 'open', path: first, fd: returned, flags: numbers[2] ?? '' }]
    case 'pwrite64':
      return [{ call: 'write', fd, at: Number(numbers.at(-1)), bytes: partOf(texts, returned) }]
    case 'write':
      return [{ call: 'write', fd, at: null, bytes: partOf(texts, returned) }]
    case 'ftruncate':
      return [{ call: 'truncate', fd, size: Number(numbers[1]) }]
    case 'fsync':
    case 'fdatasync':
      return [{ call: 'sync', fd }]
    case 'close':
      return [{ call: 'close', fd }]
    case 'link':
    case 'linkat':
      return [{ call: 'link', from: first, to: second }]
    case 'rename':
    case 'renameat':
    case 'renameat2':
      return [{ call: 'rename', from: first, to: second }]
    default:
      return [{ call: 'unlink', path: first }]
  }
}

function partOf([bytes = Buffer.alloc(0)]: readonly Buffer[], length: number): Buffer {
  return bytes.subarray(0, length)
}

function bytesOf(hex: string): Buffer {
  return Buffer.from(hex.replaceAll('\\x', ''), 'hex')
}
