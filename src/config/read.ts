import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { LedgerError } from '../core/errors.js'

// A configuration is written by hand; what is larger is something else, named by mistake.
const LARGEST_BYTES = 1_048_576

/** The text of a configuration file. Throws `invalid_config` naming the path for whatever is no readable text file. */
export function readConfigText(path: string): string {
  const bytes = bytesOf(path)
  const text = bytes.toString('utf8')
  if (text.includes('\uFFFD') && !Buffer.from(text).equals(bytes))
    throw unreadable(path, 'it is not UTF-8 text')
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}

function bytesOf(path: string): Buffer {
  let file: number | undefined
  try {
    // A pipe would be waited for; it is refused as soon as it is known to be one.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const stats = fstatSync(file)
    if (!stats.isFile())
      throw unreadable(path, stats.isDirectory() ? 'it is a folder' : 'it is no regular file')
    if (stats.size > LARGEST_BYTES)
      throw unreadable(path, `it has ${stats.size} bytes, at most ${LARGEST_BYTES} are read`)
    return readFileSync(file)
  } catch (cause) {
    if (cause instanceof LedgerError) throw cause
    throw unreadable(path, cause instanceof Error ? cause.message : String(cause), cause)
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

function unreadable(path: string, why: string, cause?: unknown): LedgerError {
  return new LedgerError('invalid_config', `${path} cannot be read: ${why}`, {
    path,
    hint: 'Name the file of the configuration with --config, or leave it out; nothing was written.',
    cause,
  })
}
