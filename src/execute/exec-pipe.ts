import { spawnSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

/** A pipe as the operating system makes them. */
export interface Pipe {
  readonly read: Readable
  /** a file descriptor, to be handed to a process and then closed here */
  readonly write: number
}

/**
 * A real pipe; null where none can be made. What `spawn` calls one is a socket: on it opening /dev/stdout fails with
 * ENXIO, and a writer whose reader has left gets ECONNRESET instead of SIGPIPE. This runtime cannot make a pipe without a
 * name, so one with a name is made, opened at both ends, and its name removed.
 */
export function makePipe(): Pipe | null {
  const folder = mkdtempSync(join(tmpdir(), 'agent-ledger-exec-'))
  const path = join(folder, 'pipe')
  try {
    if (spawnSync('mkfifo', ['-m', '600', path], { stdio: 'ignore' }).status !== 0) return null
    // Without O_NONBLOCK the opening would wait for a writer; with the reader there, the writer need not wait.
    const read = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      return { write: openSync(path, constants.O_WRONLY), read: new Socket({ fd: read, writable: false }) }
    } catch (error) {
      closeSync(read)
      throw error
    }
  } catch {
    return null
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
