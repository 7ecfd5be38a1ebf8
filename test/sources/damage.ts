import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

// Numbers from a seed, and damage made from them, for tests that try many inputs.

/** What became of a damaged input: refused is refused by name. Anything else is a fault, and thrown. */
export type Outcome = 'read' | 'refused'

/** mulberry32: small, and the same everywhere. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export function below(random: () => number, limit: number): number {
  return Math.floor(random() * limit)
}

export function pick<T>(random: () => number, list: readonly T[]): T {
  const chosen = list[below(random, list.length)]
  if (chosen === undefined) throw new Error('nothing to choose from')
  return chosen
}

/** A few bytes of a text: flipped, overwritten, repeated, taken out, or the rest cut off. */
export function damagedText(random: () => number, given: Buffer): Buffer {
  let bytes = Buffer.from(given)
  const times = 1 + below(random, 6)
  for (let n = 0; n < times && bytes.length > 0; n++) {
    const from = below(random, bytes.length)
    const until = Math.min(bytes.length, from + 1 + below(random, random() < 0.2 ? 600 : 4))
    const kind = below(random, 6)
    if (kind === 0) bytes[from] = (bytes[from] ?? 0) ^ (1 << below(random, 8))
    if (kind === 1) bytes.write(pick(random, ['"', '{', '}', '[', ']', ',', ':', '\n', '\\', '\u0000']), from)
    if (kind === 2) bytes = Buffer.concat([bytes.subarray(0, from), bytes.subarray(until)])
    if (kind === 3) bytes = Buffer.concat([bytes.subarray(0, until), bytes.subarray(from)])
    if (kind === 4 && random() < 0.2) bytes = bytes.subarray(0, from)
    if (kind === 5) bytes.fill(below(random, 256), from, until)
  }
  return bytes
}

/** A few bytes, a stretch, or the length. The header is hit often enough to matter and seldom enough to get past it. */
export function damagedBytes(random: () => number, given: Buffer, header: number): Buffer {
  let bytes = Buffer.from(given)
  const times = 1 + below(random, 12)
  for (let n = 0; n < times && bytes.length > 0; n++) {
    const from = random() < 0.1 ? below(random, Math.min(header, bytes.length)) : below(random, bytes.length)
    const length = Math.min(1 + below(random, random() < 0.2 ? 600 : 4), bytes.length - from)
    const kind = below(random, 7)
    if (kind === 0) bytes[from] = (bytes[from] ?? 0) ^ (1 << below(random, 8))
    if (kind === 1) bytes[from] = pick(random, [0, 1, 0x7f, 0x80, 0xfe, 0xff])
    if (kind === 2) bytes.fill(below(random, 256), from, from + length)
    if (kind === 3) bytes.copy(bytes, below(random, bytes.length), from, from + length)
    if (kind === 4) for (let i = from; i < from + length; i++) bytes[i] = below(random, 256)
    if (kind === 5 && random() < 0.2) bytes = bytes.subarray(0, from)
    if (kind === 6 && random() < 0.2)
      bytes = Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + length)])
  }
  return bytes
}

/** Every name and byte in a folder, as one text to compare. */
export function contentsOf(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map(name => {
      const path = join(folder, name)
      return `${name} ${statSync(path).isFile() ? readFileSync(path, 'base64') : ''}`
    })
    .join('\n')
}
