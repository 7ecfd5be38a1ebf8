import { describe, expect, it } from 'vitest'
import { safe, words } from '../../src/core/safe-text.js'
import { reduce } from '../../src/tui/reduce.js'
import { pictureOf } from '../../src/tui/screens/screen.js'
import type { Foreseen, State } from '../../src/tui/state.js'
import { press, someState } from './some-state.js'

const SIZE = { columns: 80, rows: 24 }

describe('a dialog', () => {
  const foreseen = (code: string | null, lines: Foreseen['lines'] = []): Foreseen => ({
    items: [
      { id: 'release/npm', name: words`npm`, before: words`unknown`, after: words`confirmed`, refusal: null },
    ],
    lines,
    dangers: [],
    code,
    command: words`agent-ledger resolve`,
    carried: null,
  })

  function confirming(code: string | null, state: State = someState(SIZE), lines?: Foreseen['lines']): State {
    const filled = press(state, 'n', 'x', 'enter')
    return reduce(filled, {
      kind: 'foreseen',
      asking: filled.asking,
      foreseen: foreseen(code, lines),
      at: 10_000,
    }).state
  }

  const typed = (state: State, text: string, at: number) =>
    reduce(state, { kind: 'typed', typed: { kind: 'text', text }, at })
  const key = (state: State, name: string, at: number) =>
    reduce(state, { kind: 'typed', typed: { kind: 'key', key: name }, at })

  it('offers a usual time, which what is typed takes the place of, and which can be edited', () => {
    const until = (...keys: readonly string[]) => {
      const { overlay } = press(someState(SIZE), 'm', ...keys)
      return overlay?.kind === 'decision' ? overlay.form.texts.get('until')?.text : undefined
    }
    expect(until()).toBe('30m')
    expect(until('1', 'h')).toBe('1h')
    expect(until('backspace', 's')).toBe('30s')
  })

  it('is deaf for 300 ms after it opened, and after it says what it would do', () => {
    expect(typed(confirming(null), 'y', 10_299).effects).toEqual([])
    expect(typed(confirming(null), 'y', 10_300).effects).toMatchObject([{ kind: 'carry_out' }])
  })

  it('takes y alone for a yes: not Enter, not yes', () => {
    expect(key(confirming(null), 'enter', 20_000).effects).toEqual([])
    expect(typed(confirming(null), 'yes', 20_000).effects).toEqual([])
  })

  it('takes the code, and no y, where there is one', () => {
    const state = confirming('ABC123')
    expect(typed(state, 'y', 20_000).effects).toEqual([])
    const wrong = key(typed(state, 'ABC124', 20_000).state, 'enter', 20_001)
    expect(wrong.effects).toEqual([])
    expect(key(typed(wrong.state, 'abc123', 20_002).state, 'enter', 20_003).effects).toMatchObject([
      { kind: 'carry_out' },
    ])
  })

  it('takes no paste, neither for a yes nor for the code', () => {
    const pasted = (state: State, text: string) =>
      reduce(state, { kind: 'typed', typed: { kind: 'paste', text }, at: 20_000 })
    expect(pasted(confirming(null), 'y').effects).toEqual([])
    const coded = pasted(confirming('ABC123'), 'ABC123')
    expect(coded.state.message?.text).toContain('a paste is no confirmation')
    expect(key(coded.state, 'enter', 20_001).effects).toEqual([])
  })

  it('drops what was foreseen for one that was left', () => {
    const filled = press(someState(SIZE), 'n', 'x', 'enter')
    const left = press(filled, 'escape', 'escape', 'escape')
    const late = reduce(left, {
      kind: 'foreseen',
      asking: filled.asking,
      foreseen: foreseen(null),
      at: 10_000,
    })
    expect(late.state.overlay).toBeNull()
  })

  it('writes nothing on a screen for reading only', () => {
    const state = confirming(null, { ...someState(SIZE), isReadOnly: true })
    expect(typed(state, 'y', 20_000).effects).toEqual([])
  })

  it('is scrolled no further than to its end, and its question is seen from everywhere', () => {
    const lines = Array.from({ length: 30 }, (_, n) => words`line ${n}`)
    const first = confirming(null, someState({ columns: 40, rows: 15 }), lines)
    const shown = (state: State) => pictureOf(state).left.map(({ text }) => text.trimEnd())
    const times = (count: number, name: string, state: State): State =>
      count === 0 ? state : times(count - 1, name, key(state, name, 20_000).state)
    const down = times(20, 'pagedown', first)
    for (const state of [first, down]) expect(shown(state).at(-1)).toBe('Do it? y')
    expect(shown(first)).not.toContain('line 29')
    expect(shown(down)).toContain('line 29')
    expect(shown(times(1, 'pageup', down))).not.toEqual(shown(down))
    expect(shown(times(20, 'pageup', down))).toEqual(shown(first))
  })

  it('names what could go wrong where a small screen begins, however much else there is to read', () => {
    const filled = press(someState({ columns: 40, rows: 15 }), 'n', 'x', 'enter')
    const much = {
      ...foreseen('ABC123', Array(30).fill(words`evidence: seen`)),
      dangers: [words`it is sent twice`],
    }
    const { state } = reduce(filled, {
      kind: 'foreseen',
      asking: filled.asking,
      foreseen: much,
      at: 10_000,
    })
    const shown = pictureOf(state).left.map(({ text }) => text.trimEnd())
    expect(shown).toContain('! it is sent twice')
    expect(shown).toContain('unknown → confirmed')
    expect(shown.at(-1)).toContain('Type ABC123')
  })

  it('does not say that Esc leaves it while it is carried out', () => {
    const foot = (state: State) =>
      pictureOf(state)
        .foot.map(({ text }) => text)
        .join()
    const state = typed(confirming(null), 'y', 20_000).state
    expect(key(state, 'escape', 30_000).state).toEqual(state)
    expect(foot(state)).not.toContain('Esc')
    expect(foot(confirming(null))).toContain('Esc back')
  })

  it('forgets the marks of what was decided', () => {
    const state = press(someState(SIZE), ' ')
    const over = {
      kind: 'over',
      asking: state.asking,
      at: 1,
      title: safe('done'),
      lines: [],
      isRefused: false,
      undo: null,
    } as const
    expect(reduce(state, { ...over, decided: ['release/npm'] }).state.marks.size).toBe(0)
  })
})
