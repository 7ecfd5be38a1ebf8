/** Choices that only look random: the same in every run of a seed (mulberry32). */
export interface Seeded {
  /** at least 0, below 1 */
  readonly next: () => number
  /** a whole number below `n` */
  readonly below: (n: number) => number
  readonly pick: <T>(from: readonly T[]) => T
  readonly chance: (of: number) => boolean
}

export function seeded(seed: number): Seeded {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (n: number): number => Math.floor(next() * n)
  return { next, below, pick: from => at(from, below(from.length)), chance: of => next() < of }
}

/** An entry of a list, counted on from its beginning at its end. */
export function at<T>(list: readonly T[], place: number): T {
  const found = list[place % list.length]
  if (found === undefined) throw new Error('nothing to choose from')
  return found
}
