import { fstatSync, write } from 'node:fs'
import { promisify } from 'node:util'
import { LedgerError } from '../core/errors.js'
import type { Sink } from './io.js'

/** Where results go, and where talk goes. */
export type Descriptor = 1 | 2

const NAMES: Readonly<Record<Descriptor, string>> = { 1: 'stdout', 2: 'stderr' }

/**
 * A stream that leads to a pipe, a file or nowhere, written by its descriptor; undefined where it may be a terminal.
 * Node's own streams load its network and stream modules first, which every `agent-ledger list | …` would pay for.
 */
export function descriptorSink(descriptor: Descriptor): Sink | undefined {
  if (!isPlain(descriptor)) return undefined
  let isOpen = true
  // One after the other: what is written first is read first, also when somebody does not wait.
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = (bytes: Uint8Array) => {
    const written = last.then(async () => {
      isOpen &&= await writeAll(descriptor, bytes)
      return isOpen
    })
    last = written.catch(() => {})
    return written
  }
  return {
    isTerminal: false,
    columns: () => undefined,
    write: text => inTurn(Buffer.from(text)),
    pass: inTurn,
  }
}

// The null device of Linux, major 1 and minor 3 (Documentation/admin-guide/devices.txt), is a character device too.
const LINUX_NULL = 0x103

function isPlain(descriptor: Descriptor): boolean {
  if (process.platform === 'win32') return false
  try {
    const stats = fstatSync(descriptor)
    return !stats.isCharacterDevice() || (process.platform === 'linux' && stats.rdev === LINUX_NULL)
  } catch {
    return false
  }
}

const writeOnce = promisify(write)

/** How often a pipe that takes nothing now is tried again. */
const FULL_PIPE_MS = 5

/** Waits while the reader is slow, and holds nothing else up. False when nobody reads any more. */
export async function writeAll(descriptor: Descriptor, bytes: Uint8Array): Promise<boolean> {
  for (let rest = bytes; rest.length > 0; ) {
    try {
      const { bytesWritten } = await writeOnce(descriptor, rest)
      rest = rest.subarray(bytesWritten)
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown))
      if (hasNoReader(error)) return false
      // Whoever gave us the pipe may have set it not to wait.
      if (codeOf(error) !== 'EAGAIN') throw unwritable(descriptor, error)
      await new Promise(resolve => setTimeout(resolve, FULL_PIPE_MS))
    }
  }
  return true
}

/** Nobody reads any more. EIO: the terminal is gone. */
export function hasNoReader(error: Error): boolean {
  return codeOf(error) === 'EPIPE' || codeOf(error) === 'EIO'
}

function codeOf(error: Error): unknown {
  return 'code' in error ? error.code : undefined
}

export function unwritable(descriptor: Descriptor, cause: Error): LedgerError {
  return new LedgerError('internal', `${NAMES[descriptor]} cannot be written: ${cause.message}`, {
    hint: 'Make room where it goes; what the command decided is in the ledger all the same.',
    cause,
  })
}
