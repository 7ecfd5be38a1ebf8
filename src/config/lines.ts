/** What can be read at any place, again and again: an open file, or what is held of a pipe. */
export interface Bytes {
  readonly read: (
    buffer: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ) => Promise<{ readonly bytesRead: number }>
}

/** Bytes in memory. */
export function heldBytes(held: Uint8Array): Bytes {
  return {
    read: async (buffer, offset, length, position) => {
      const piece = held.subarray(position, position + length)
      buffer.set(piece, offset)
      return { bytesRead: piece.length }
    },
  }
}

const CHUNK = 65_536

/**
 * The lines from the beginning, without their ends; memory holds one of them.
 * @throws TypeError where the bytes are no UTF-8, RangeError for a line of more characters than `longest`
 */
export async function* linesOf(bytes: Bytes, longest: number): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const buffer = Buffer.alloc(CHUNK)
  let held = ''
  let position = 0
  for (;;) {
    const { bytesRead } = await bytes.read(buffer, 0, CHUNK, position)
    position += bytesRead
    held += decoder.decode(buffer.subarray(0, bytesRead), { stream: bytesRead > 0 })
    let from = 0
    for (let at = held.indexOf('\n'); at !== -1; at = held.indexOf('\n', from)) {
      yield held.slice(from, at)
      from = at + 1
    }
    held = held.slice(from)
    if (held.length > longest) throw new RangeError(`a line has more than ${longest} characters`)
    if (bytesRead > 0) continue
    if (held !== '') yield held
    return
  }
}
