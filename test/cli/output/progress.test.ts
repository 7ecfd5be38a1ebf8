import { describe, expect, it } from 'vitest'
import { createProgress } from '../../../src/cli/output/progress.js'

function aScreen({ isTerminal = true, env = {}, quiet = false, columns = 80 } = {}) {
  const written: string[] = []
  const stop = new AbortController()
  let now = 0
  const stderr = {
    isTerminal,
    columns: () => columns,
    rows: () => 24,
    write: async (text: string) => {
      written.push(text)
      return true
    },
    pass: async () => true,
  }
  const progress = createProgress('operations', {
    stderr,
    env,
    quiet,
    signal: stop.signal,
    monotonicMs: () => now,
  })
  const at = (ms: number, done: number, total?: number) => {
    now = ms
    progress.at(done, total)
  }
  return { at, progress, stop, text: () => written.join('') }
}

const ERASED = '\r\u001b[K'

describe('progress', () => {
  it('begins when the work takes longer than a moment, and is gone when it ends', async () => {
    const { at, progress, text } = aScreen()
    at(299, 1, 4)
    await progress.clear()
    expect(text()).toBe('')
    at(300, 2, 4)
    await progress.clear()
    expect(text()).toBe(`${ERASED}[##########----------] 2 of 4 operations${ERASED}`)
  })

  it('is drawn ten times a second at most', async () => {
    const { at, progress, text } = aScreen()
    for (let ms = 300; ms <= 499; ms++) at(ms, ms, 1_000)
    await progress.clear()
    expect(text().match(/ of /g)).toHaveLength(2)
  })

  it('without a known end, or without room for a bar, tells the number alone', async () => {
    const unknown = aScreen()
    unknown.at(300, 7)
    await unknown.progress.clear()
    expect(unknown.text()).toContain(`${ERASED}7 operations`)
    const narrow = aScreen({ columns: 30 })
    narrow.at(300, 2, 4)
    await narrow.progress.clear()
    expect(narrow.text()).toContain(`${ERASED}2 of 4 operations`)
  })

  it('writes nothing through a pipe, and nothing when told to be quiet', async () => {
    for (const screen of [aScreen({ isTerminal: false }), aScreen({ quiet: true })]) {
      screen.at(10_000, 1, 2)
      await screen.progress.clear()
      expect(screen.text()).toBe('')
    }
  })

  it('is a line now and then, without control codes, where a terminal can take none back', async () => {
    const { at, progress, text } = aScreen({ env: { TERM: 'dumb' } })
    for (let ms = 0; ms <= 10_000; ms += 50) at(ms, ms, 10_000)
    await progress.clear()
    expect(text()).toBe('5000 of 10000 operations\n10000 of 10000 operations\n')
  })

  it('is gone on ctrl-c, and is not drawn again', async () => {
    const { at, progress, stop, text } = aScreen()
    at(300, 1, 4)
    stop.abort()
    at(500, 2, 4)
    await progress.clear()
    expect(text().endsWith(ERASED)).toBe(true)
    expect(text()).not.toContain('2 of 4')
  })
})
