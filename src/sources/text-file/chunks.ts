import { closeSync, openSync, readSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { StringDecoder } from 'node:string_decoder'
import { reasonOf, unreadable } from '../unreadable.js'

// Large enough that the calls cost little, small enough that several may be held.
const CHUNK_BYTES = 1_048_576

/**
 * The bytes of a text file as UTF-8, without a byte order mark, as they stood when it was opened: what a writer adds
 * meanwhile is left out. UTF-16, as PowerShell writes what is redirected to a file, is turned into UTF-8.
 * Throws `ledger_unreadable`.
 */
export async function* textChunks(path: string): AsyncGenerator<Buffer> {
  const handle = await open(path, 'r').catch(cause => {
    throw unreadable(path, `cannot be read (${reasonOf(cause)})`, 'Check the permissions of the file.', cause)
  })
  try {
    const { size } = await handle.stat()
    let toUtf8: ((chunk: Buffer) => Buffer) | undefined
    for (let position = 0; position < size; ) {
      // A buffer of its own for each chunk: whoever reads may keep parts of it.
      const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, size - position))
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, position)
      if (bytesRead === 0) return
      position += bytesRead
      const chunk = buffer.subarray(0, bytesRead)
      toUtf8 ??= decoderFor(chunk)
      yield toUtf8(chunk)
    }
  } catch (cause) {
    throw unreadable(path, `cannot be read (${reasonOf(cause)})`, 'Copy it to a healthy disk first.', cause)
  } finally {
    await handle.close()
  }
}

/** The first bytes of a plain file, as `textChunks` gives them. Throws `ledger_unreadable`. */
export function textHead(path: string, bytes: number): Buffer {
  let file: number | undefined
  try {
    file = openSync(path, 'r')
    const buffer = Buffer.alloc(bytes)
    const head = buffer.subarray(0, readSync(file, buffer, 0, bytes, 0))
    return decoderFor(head)(head)
  } catch (cause) {
    throw unreadable(path, `cannot be read (${reasonOf(cause)})`, 'Check the permissions of the file.', cause)
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/** Chosen by the first chunk, whose byte order mark it drops. */
function decoderFor(first: Buffer): (chunk: Buffer) => Buffer {
  let mark = 0
  const skipping = (chunk: Buffer) => {
    const rest = chunk.subarray(mark)
    mark = 0
    return rest
  }
  if (first[0] === 0xef && first[1] === 0xbb && first[2] === 0xbf) mark = 3
  if (first[0] !== 0xff || first[1] !== 0xfe) return skipping
  mark = 2
  const decoder = new StringDecoder('utf16le')
  return chunk => Buffer.from(decoder.write(skipping(chunk)), 'utf8')
}
