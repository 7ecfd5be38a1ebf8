import { fstatSync } from 'node:fs'
import type { Io } from '../io.js'

type Tap = (bytes: Uint8Array) => Promise<boolean>

interface Taps {
  readonly stdout: Tap | null
  readonly stderr: Tap | null
}

/**
 * Which streams of a command pass through us, so that their digests become its receipt. A terminal stays the command's
 * own, and so do two streams that go to the same place (`2>&1`): two pipes would change the order of what they say.
 * `isRead`: what it prints on stdout is asked for, and passes through us all the same.
 */
export function tapsFor({ stdout, stderr }: Io, { isRead }: { readonly isRead: boolean }): Taps {
  const isOne = isSamePlace(1, 2)
  return {
    stdout: isRead || (!stdout.isTerminal && !isOne) ? stdout.pass : null,
    stderr: !stderr.isTerminal && !isOne ? stderr.pass : null,
  }
}

function isSamePlace(a: number, b: number): boolean {
  try {
    const [one, other] = [fstatSync(a), fstatSync(b)]
    return one.dev === other.dev && one.ino === other.ino
  } catch {
    // A closed stream is no place.
    return false
  }
}
