import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { LedgerError } from '../core/errors.js'
import { sync } from './sync.js'

/** A file that is being written, a piece at a time. */
export interface WholeFile {
  readonly path: string
  readonly write: (text: string) => void
  /** puts it in place, whole and on the disk. `new`: @throws LedgerError where something is there by now */
  readonly finish: () => void
  /** leaves nothing behind; after `finish` it does nothing */
  readonly discard: () => void
}

/**
 * A file of mode 0600, written under another name beside its place and put there at the end: whoever looks meanwhile, or
 * after a kill, finds nothing of it under its name. `new`: nothing is replaced.
 * @throws LedgerError invalid_input where nothing can be written, or something is there
 */
export function openWhole(path: string, how: 'new' | 'replace'): WholeFile {
  const aside = `${path}.new-${randomBytes(6).toString('hex')}`
  const file = trying(path, () => openSync(aside, 'wx', 0o600))
  let isOpen = true
  const close = () => {
    if (isOpen) closeSync(file)
    isOpen = false
  }
  const discard = () => {
    close()
    rmSync(aside, { force: true })
  }
  return {
    path,
    write: text => {
      const bytes = Buffer.from(text)
      trying(path, () => {
        for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written)
      })
    },
    finish: () => {
      try {
        trying(path, () => {
          fsyncSync(file)
          if (how === 'replace') renameSync(aside, path)
          else linkSync(aside, path) // refuses to replace what is there, which a rename does not
          sync(dirname(path))
        })
      } finally {
        discard()
      }
    },
    discard,
  }
}

/** The same of what comes piece by piece. */
export async function writeWhole(
  path: string,
  texts: AsyncIterable<string> | Iterable<string>,
  how: 'new' | 'replace',
): Promise<void> {
  const file = openWhole(path, how)
  try {
    for await (const text of texts) file.write(text)
    file.finish()
  } finally {
    file.discard()
  }
}

function trying<T>(path: string, doing: () => T): T {
  try {
    return doing()
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
    throw new LedgerError(
      'invalid_input',
      code === 'EEXIST'
        ? `${path} is there already, and was left as it is`
        : `${path} cannot be written (${code})`,
      { path, hint: 'Name a file that is not there, in a folder that you may write.', cause },
    )
  }
}
