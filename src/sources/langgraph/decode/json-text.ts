import { isUtf8 } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import type { Value } from '../values.js'
import { LONGEST_HELD, omitted } from './long-text.js'

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a]

export interface JsonText {
  readonly text: string
  /** what a string of the text stands for, where it stands for a long one */
  meantBy(string: string): Value
}

/** JSON as text, with a word in place of each string that is too long to hold. Throws on what is not UTF-8. */
export function jsonText(bytes: Uint8Array): JsonText {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  if (bytes.length <= LONGEST_HELD) return { text: decoder.decode(bytes), meantBy: string => string }
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  // Nobody can have written a word that is made now.
  const nonce = randomBytes(12).toString('hex')
  const long = new Map<string, Value>()
  const parts: string[] = []
  let kept = 0
  for (let open = buffer.indexOf(QUOTE); open !== -1; ) {
    const end = endOfString(buffer, open)
    const inside = buffer.subarray(open + 1, end - 1)
    if (inside.length > LONGEST_HELD && isPlain(inside) && !isKey(buffer, end)) {
      const word = `${nonce}-${long.size}`
      long.set(word, omitted(inside))
      parts.push(decoder.decode(buffer.subarray(kept, open)), `"${word}"`)
      kept = end
    }
    open = buffer.indexOf(QUOTE, end)
  }
  parts.push(decoder.decode(buffer.subarray(kept)))
  return { text: parts.join(''), meantBy: string => long.get(string) ?? string }
}

/** Its bytes are those of the text: nothing in it is escaped, as in base64. */
function isPlain(inside: Buffer): boolean {
  return !inside.includes(BACKSLASH) && isUtf8(inside)
}

function isKey(buffer: Buffer, end: number): boolean {
  let at = end
  while (buffer[at] === 0x20 || buffer[at] === 0x0a || buffer[at] === 0x0d || buffer[at] === 0x09) at++
  return buffer[at] === COLON
}

function endOfString(buffer: Buffer, open: number): number {
  for (let close = buffer.indexOf(QUOTE, open + 1); close !== -1; close = buffer.indexOf(QUOTE, close + 1)) {
    let first = close
    while (buffer[first - 1] === BACKSLASH) first--
    if ((close - first) % 2 === 0) return close + 1
  }
  return buffer.length
}
