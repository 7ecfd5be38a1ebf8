import type { FileHandle } from 'node:fs/promises'

const CHUNK = 65_536

/** The lines of an open file from its beginning, without their ends; memory holds one of them. */
export async function* linesOf(file: FileHandle, longest: number): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const buffer = Buffer.alloc(CHUNK)
  let held = ''
  let position = 0
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, CHUNK, position)
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
