/**
 * States seen so far: whole numbers below 2^53, kept exactly (no state is taken for another), 8 bytes each at half
 * load; with `tracing` also the state each was first reached from, and how.
 */
export interface StateSet {
  /** true when it is new */
  readonly add: (state: number, from: number, label: number) => boolean
  readonly size: () => number
  /** the labels that lead to it, in order; empty without tracing */
  readonly way: (state: number) => number[]
}

export function stateSet({ tracing, expected }: { tracing: boolean; expected: number }): StateSet {
  let capacity = 1 << Math.max(10, Math.ceil(Math.log2(expected * 1.6)))
  let keys = new Float64Array(capacity)
  let parents = new Float64Array(tracing ? capacity : 0)
  let labels = new Uint16Array(tracing ? capacity : 0)
  let size = 0

  function slotOf(state: number, table: Float64Array): number {
    // 0 means free, so keys are one more than the state; multiply both halves into one index
    const high = Math.floor(state / 4_294_967_296)
    let hash = Math.imul(state | 0, 0x9e3779b1) ^ Math.imul(high + 1, 0x85ebca6b)
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
    hash ^= hash >>> 13
    const mask = table.length - 1
    let slot = hash & mask
    for (;;) {
      const key = table[slot]
      if (key === 0 || key === state + 1) return slot
      slot = (slot + 1) & mask
    }
  }

  function grow(): void {
    const [oldKeys, oldParents, oldLabels] = [keys, parents, labels]
    capacity *= 2
    keys = new Float64Array(capacity)
    if (tracing) {
      parents = new Float64Array(capacity)
      labels = new Uint16Array(capacity)
    }
    for (let i = 0; i < oldKeys.length; i++) {
      const key = oldKeys[i] ?? 0
      if (key === 0) continue
      const slot = slotOf(key - 1, keys)
      keys[slot] = key
      if (tracing) {
        parents[slot] = oldParents[i] ?? 0
        labels[slot] = oldLabels[i] ?? 0
      }
    }
  }

  return {
    add(state, from, label) {
      let slot = slotOf(state, keys)
      if (keys[slot] !== 0) return false
      if (size * 10 >= capacity * 7) {
        grow()
        slot = slotOf(state, keys)
      }
      keys[slot] = state + 1
      if (tracing) {
        parents[slot] = from + 1
        labels[slot] = label
      }
      size++
      return true
    },
    size: () => size,
    way(state) {
      const steps: number[] = []
      if (!tracing) return steps
      let at = state
      for (;;) {
        const slot = slotOf(at, keys)
        const parent = parents[slot] ?? 0
        if (parent === 0) return steps.reverse()
        steps.push(labels[slot] ?? 0)
        at = parent - 1
      }
    },
  }
}
