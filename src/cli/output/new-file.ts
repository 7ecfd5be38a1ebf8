import { closeSync, fsyncSync, linkSync, openSync, rmSync, writeSync } from 'node:fs'
import { resolve } from 'node:path'
import { LedgerError } from '../../core/errors.js'

/** A file that is being written, a piece at a time. */
export interface NewFile {
  readonly path: string
  readonly write: (text: string) => Promise<boolean>
  /** puts it in place, whole and on the disk. @throws LedgerError where something is there by now */
  readonly finish: () => void
  /** leaves nothing behind */
  readonly discard: () => void
}

/**
 * A new file that only its owner can read, written under another name beside its place and put there at the end: whoever
 * looks meanwhile, or after a kill, finds nothing under its name. Nothing is replaced.
 * @throws LedgerError invalid_input where something is there, or nothing can be written
 */
export function openNewFile(given: string, cwd: string): NewFile {
  const path = resolve(cwd, given)
  const aside = `${path}.${process.pid}.new`
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
    write: async text => {
      const bytes = Buffer.from(text)
      trying(path, () => {
        for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written)
      })
      return true
    },
    finish: () => {
      try {
        trying(path, () => {
          fsyncSync(file)
          linkSync(aside, path) // refuses to replace what is there, which a rename does not
        })
      } finally {
        discard()
      }
    },
    discard,
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
