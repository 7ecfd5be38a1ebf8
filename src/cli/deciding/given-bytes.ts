import { type FileHandle, open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Bytes, heldBytes } from '../../config/lines.js'
import type { Io } from '../io.js'
import { unreadable } from './given-json.js'

/**
 * The file named on the command line, to be read more than once: whatever takes its name meanwhile is not read. What comes
 * only once is held in memory: stdin (`-`), a pipe. @throws LedgerError invalid_input naming the path
 */
export async function withBytes<T>(
  path: string,
  { cwd, readAll }: Pick<Io, 'cwd' | 'readAll'>,
  use: (bytes: Bytes) => Promise<T>,
): Promise<T> {
  if (path === '-') return use(heldBytes(Buffer.from(await readAll())))
  const whole = resolve(cwd, path)
  const file = await opened(whole)
  try {
    return await use(await bytesOf(file, whole))
  } finally {
    await file.close()
  }
}

async function opened(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r')
  } catch (cause) {
    throw unreadable(path, cause)
  }
}

async function bytesOf(file: FileHandle, path: string): Promise<Bytes> {
  try {
    return (await file.stat()).isFile() ? file : heldBytes(await file.readFile())
  } catch (cause) {
    throw unreadable(path, cause)
  }
}
