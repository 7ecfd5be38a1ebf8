/** ` (did you mean list?)` when one of the words known is near to what was typed, else nothing. */
export function didYouMean(typed: string, known: Iterable<string>): string {
  const near = nearest(typed, known)
  return near.length === 0 ? '' : ` (did you mean ${near.join(' or ')}?)`
}

/** At most three of the words known, nearest first, near enough that a slip of the fingers explains the difference. */
export function nearest(typed: string, known: Iterable<string>): string[] {
  const wanted = typed.toLowerCase()
  return [...known]
    .map(word => ({ word, distance: distance(wanted, word.toLowerCase()) }))
    .filter(
      ({ word, distance }) => distance <= Math.max(1, Math.floor(Math.max(word.length, wanted.length) / 3)),
    )
    .sort((a, b) => a.distance - b.distance || (a.word < b.word ? -1 : 1))
    .slice(0, 3)
    .map(({ word }) => word)
}

// Insertions, deletions, substitutions and swaps of neighbours (optimal string alignment), three rows at a time.
// Longer words are not compared: ids from hostile data must not make an error message slow.
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 8 || Math.max(a.length, b.length) > 200) return Number.POSITIVE_INFINITY
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      let least = Math.min(at(row, j) + 1, at(next, j - 1) + 1, at(row, j - 1) + cost)
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (swapped) least = Math.min(least, at(before, j - 2) + 1)
      next.push(least)
    }
    before = row
    row = next
  }
  return at(row, b.length)
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY
}
