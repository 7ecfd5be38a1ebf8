import { fstatSync, write } from 'node:fs'
import { promisify } from 'node:util'
import type { Sink } from './io.js'
import { hasNoReader, unwritable } from './sink-failure.js'

const NAMES = { 1: 'stdout', 2: 'stderr' } as const

/**
 * A stream that leads to a pipe, a file or nowhere, written by its descriptor; undefined where it may be a terminal.
 * Node's own streams load its network and stream modules first, 8 ms of every `agent-ledger list | …`.
 */
export function fileSink(descriptor: 1 | 2): Sink | undefined {
  if (!isPlain(descriptor)) return undefined
  let isOpen = true
  // One after the other: what is written first is read first, also when somebody does not wait.
  let last: Promise<unknown> = Promise.resolve()
  return {
    isTerminal: false,
    columns: () => undefined,
    write: text => {
      const written = last.then(async () => {
        isOpen &&= await writeAll(descriptor, Buffer.from(text))
        return isOpen
      })
      last = written.catch(() => {})
      return written
    },
  }
}

// The null device of Linux, major 1 and minor 3 (Documentation/admin-guide/devices.txt), is a character device too.
const LINUX_NULL = 0x103

function isPlain(descriptor: number): boolean {
  if (process.platform === 'win32') return false
  try {
    const stats = fstatSync(descriptor)
    return !stats.isCharacterDevice() || (process.platform === 'linux' && stats.rdev === LINUX_NULL)
  } catch {
    return false
  }
}

const writeOnce = promisify(write)

/** False when nobody reads any more. */
async function writeAll(descriptor: 1 | 2, whole: Buffer): Promise<boolean> {
  for (let rest = whole; rest.length > 0; ) {
    try {
      const { bytesWritten } = await writeOnce(descriptor, rest)
      rest = rest.subarray(bytesWritten)
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown))
      if (hasNoReader(error)) return false
      if (!isFull(error)) throw unwritable(NAMES[descriptor], error)
      await aWhile()
    }
  }
  return true
}

// Whoever gave us the pipe may have set it not to wait; the reader is slow then, not gone.
function isFull(error: Error): boolean {
  return 'code' in error && error.code === 'EAGAIN'
}

const FULL_WAIT_MS = 5

function aWhile(): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, FULL_WAIT_MS))
}
