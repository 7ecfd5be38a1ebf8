import type { JsonValue } from '../core/json.js'

/** How much text may be held of what has no answer yet. Few calls are open at a time; a damaged log may have thousands. */
const MOST_HELD = 64 << 20

const KEPT_OF_TEXT = 200

/** Keeps count of the values that are held until something else turns up; what would be too much is dropped, and said. */
export function createHeldValues(most: number = MOST_HELD) {
  const sizes = new Map<string, number>()
  let total = 0
  let hasDropped = false
  let isNews = false
  /** The value, or null where too much is held already. */
  function hold(name: string, value: JsonValue): JsonValue {
    const size = typeof value === 'string' ? value.length : JSON.stringify(value).length
    if (total + size > most) {
      if (!hasDropped) isNews = true
      hasDropped = true
      return null
    }
    total += size
    sizes.set(name, (sizes.get(name) ?? 0) + size)
    return value
  }

  return {
    hold,
    /** The text, or its beginning where too much is held already. */
    holdText(name: string, text: string | null): string | null {
      if (text === null || hold(name, text) !== null) return text
      // a slice of a string keeps the whole of it in memory
      return Buffer.from(text.slice(0, KEPT_OF_TEXT)).toString()
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
