import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { LedgerError } from '../core/errors.js'

/**
 * Writes a file of mode 0600 that is there under its name only once all of it is on the disk, with the entry of its
 * folder. `new`: nothing is replaced.
 * @throws LedgerError invalid_input where nothing can be written, or something is there
 */
export async function writeWhole(
  path: string,
  texts: AsyncIterable<string> | Iterable<string>,
  how: 'new' | 'replace',
): Promise<void> {
  const aside = `${path}.new`
  const file = trying(path, () => openSync(aside, 'w', 0o600))
  try {
    for await (const text of texts) {
      const bytes = Buffer.from(text)
      trying(path, () => {
        for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written)
      })
    }
    trying(path, () => fsyncSync(file))
  } catch (error) {
    closeSync(file)
    rmSync(aside, { force: true })
    throw error
  }
  closeSync(file)
  trying(path, () => {
    if (how === 'replace') renameSync(aside, path)
    else {
      linkSync(aside, path) // refuses to replace what is there, which a rename does not
      rmSync(aside)
    }
    const folder = openSync(dirname(path), 'r')
    try {
      fsyncSync(folder)
    } finally {
      closeSync(folder)
    }
  })
}

function trying<T>(path: string, doing: () => T): T {
  try {
    return doing()
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
    throw new LedgerError(
      'invalid_input',
      code === 'EEXIST' ? `${path} is there already` : `${path} cannot be written (${code})`,
      { path, hint: 'Name a file in a folder that you may write.', cause },
    )
  }
}
