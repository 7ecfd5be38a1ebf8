import type { JsonValue } from '../core/json.js'

/** How much text may be held of what has no answer yet. Few calls are open at a time; a damaged log may have thousands. */
const MOST_HELD = 64 << 20

/** Keeps count of the values that are held until something else turns up; what would be too much is dropped, and said. */
export function createHeldValues(most: number = MOST_HELD) {
  const sizes = new Map<string, number>()
  let total = 0
  let hasDropped = false
  let isNews = false
  return {
    /** The value, or null where too much is held already. */
    hold(name: string, value: JsonValue): JsonValue {
      const size = typeof value === 'string' ? value.length : JSON.stringify(value).length
      if (total + size > most) {
        isNews = !hasDropped
        hasDropped = true
        return null
      }
      total += size
      sizes.set(name, (sizes.get(name) ?? 0) + size)
      return value
    },
    release(name: string): void {
      total -= sizes.get(name) ?? 0
      sizes.delete(name)
    },
    /** true once, right after the first value was dropped */
    justDropped(): boolean {
      const was = isNews
      isNews = false
      return was
    },
  }
}
