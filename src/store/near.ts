/** The candidates nearest to a mistyped id, nearest first; those too different to be meant are left out. */
export function nearest(id: string, candidates: Iterable<string>, most = 5): string[] {
  const wanted = id.toLowerCase()
  const scored: { readonly id: string; readonly distance: number }[] = []
  for (const candidate of new Set(candidates)) {
    const distance = distanceTo(wanted, candidate.toLowerCase())
    if (distance !== null) scored.push({ id: candidate, distance })
  }
  scored.sort((a, b) => a.distance - b.distance || (a.id < b.id ? -1 : 1))
  return scored.slice(0, most).map(({ id: found }) => found)
}

/** One edit for every three characters may be a slip; a part of the id that was left out may be too. */
function distanceTo(wanted: string, candidate: string): number | null {
  const allowed = Math.max(1, Math.floor(wanted.length / 3))
  const edits = editDistance(wanted, candidate, allowed)
  if (edits <= allowed) return edits
  const isPart = wanted.length >= 3 && candidate.includes(wanted)
  return isPart ? allowed + 1 + (candidate.length - wanted.length) / 1_000 : null
}

/** Edits between two texts, a swap of neighbours counting as one; beyond `limit` some larger number. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  let [older, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, index) => index)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const at = (from: readonly number[], index: number) => from[index] ?? limit + 1
      let cost = Math.min(
        at(last, j) + 1,
        at(row, j - 1) + 1,
        at(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
      )
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (isSwap) cost = Math.min(cost, at(older, j - 2) + 1)
      row.push(cost)
    }
    if (Math.min(...row) > limit) return limit + 1
    ;[older, last] = [last, row]
  }
  return last[b.length] ?? limit + 1
}
