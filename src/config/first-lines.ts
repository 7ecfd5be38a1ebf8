import { createHash } from 'node:crypto'

/** On which line each of many ids stood first. */
export interface FirstLines {
  readonly of: (id: string) => number | undefined
  /** lines count from 1; an id that is kept already keeps its first */
  readonly keep: (id: string, line: number) => void
}

/**
 * Keeps a number for each id and not the id, which may be long: with 64 bits of SHA-256 two of a million agree once in 40
 * million files, and such a file is refused although it was in order.
 */
export function firstLines(): FirstLines {
  const lines = new Map<bigint, number>()
  return {
    of: id => lines.get(keyOf(id)),
    keep: (id, line) => {
      const key = keyOf(id)
      if (!lines.has(key)) lines.set(key, line)
    },
  }
}

function keyOf(id: string): bigint {
  return createHash('sha256').update(id).digest().readBigUInt64LE()
}
