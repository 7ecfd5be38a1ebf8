import { describe, expect, it } from 'vitest'
import { firstLines } from '../../src/config/first-lines.js'

describe('the lines on which ids stood first', () => {
  it('are each told, however many there are', () => {
    const lines = firstLines()
    const ids = Array.from({ length: 20_000 }, (_, n) => `mail-${n}`)
    for (const [n, id] of ids.entries()) {
      expect(lines.of(id)).toBeUndefined()
      lines.keep(id, n + 1)
    }
    expect(ids.map(id => lines.of(id))).toEqual(ids.map((_, n) => n + 1))
    expect(lines.of('mail-20000')).toBeUndefined()
  })

  it('stay the first', () => {
    const lines = firstLines()
    lines.keep('a', 3)
    lines.keep('a', 7)
    expect(lines.of('a')).toBe(3)
  })
})
