import { EventEmitter } from 'node:events'
import chalk from 'chalk'
import { render } from 'ink'
import { createElement } from 'react'
import { describe, expect, it } from 'vitest'
import type { ListedOperation } from '../../src/core/documents/list.js'
import { safe } from '../../src/core/safe-text.js'
import { App } from '../../src/tui/components/app.js'
import { FrameSink } from '../../src/tui/frame-sink.js'
import { KEYMAP } from '../../src/tui/keymap.js'
import { RULE } from '../../src/tui/layout.js'
import { layoutReady } from '../../src/tui/layout-ready.js'
import { reduce } from '../../src/tui/reduce.js'
import { rowOf } from '../../src/tui/row.js'
import { pictureOf } from '../../src/tui/screens/screen.js'
import { type State, startState } from '../../src/tui/state.js'
import type { Store } from '../../src/tui/store.js'
import { widthOf } from '../../src/tui/width.js'
import { expectGolden } from '../report/golden.js'
import { listed, looked, press, someState } from './some-state.js'

/** The screen as Ink paints it; escapes are shown as \u241b. */
function painted(state: State, hasColour: boolean): string {
  const frames: string[] = []
  const write = (frame: string) => frames.push(frame) > 0
  const stdout = Object.assign(new EventEmitter(), { ...state.size, isTTY: true, write })
  const store: Store = { state: () => state, subscribe: () => () => {}, send: () => {} }
  chalk.level = hasColour ? 1 : 0
  const app = render(createElement(App, { store }), {
    stdout: stdout as unknown as NodeJS.WriteStream, // Ink asks a stream for its size and writes to it: no more
    debug: true,
    patchConsole: false,
    exitOnCtrlC: false,
  })
  app.unmount()
  return (frames[0] ?? '').replaceAll('\u001b', '\u241b').replace(/ +$/gm, '')
}

/** The screen as text, as a terminal without colours shows it. */
function text(state: State): string {
  const { head, left, right, foot } = pictureOf(state)
  const beside = left.map(({ text: one }, i) =>
    right === null ? one : `${one}${RULE}${right[i]?.text ?? ''}`,
  )
  return [...head.map(line => line.text), ...beside, ...foot.map(line => line.text)]
    .map(line => line.trimEnd())
    .join('\n')
}

/** The same in one line, whatever it was broken into. */
function words(frame: string): string {
  return frame.replace(/\s+/g, ' ')
}

describe('a frame', () => {
  it.each([
    [80, 24],
    [120, 40],
    [40, 15],
  ] as const)('at %i×%i is as it was agreed', (columns, rows) => {
    expect(text(someState({ columns, rows }))).toMatchSnapshot()
  })

  it.each([
    [80, 24],
    [40, 15],
  ] as const)('of a menu, help and a form at %i×%i is as it was agreed', (columns, rows) => {
    const state = someState({ columns, rows })
    for (const key of ['?', 'c', '/']) expect(text(press(state, key))).toMatchSnapshot()
  })

  it.each([
    [80, 24],
    [120, 40],
    [40, 15],
  ] as const)(
    'in colours at %i×%i is as it was agreed, and without them says the same',
    async (columns, rows) => {
      await layoutReady
      const state = someState({ columns, rows })
      const coloured = painted(state, true)
      expectGolden(`screen/${columns}x${rows}.txt`, `${coloured}\n`)
      const plain = painted(state, false)
      expect(plain).not.toContain('\u241b')
      expect(coloured.replace(/\u241b\[\d+m/g, '').replace(/ +$/gm, '')).toBe(plain)
    },
  )

  it('has its tones in words, too: what is painted says its state', () => {
    const { left } = pictureOf(someState({ columns: 80, rows: 24 }))
    expect(left.slice(0, 3).map(({ tone }) => tone)).toEqual(['selected', 'alarm', 'plain'])
    expect(left.slice(0, 3).map(({ text: one }) => one.slice(0, 4))).toEqual(['> ? ', '  ! ', '  = '])
  })

  it('never is wider or higher than the terminal, whatever an id holds', () => {
    const hostile = [
      'a\u001b[2Jb',
      '\u202egnp.exe',
      '字'.repeat(90),
      'e\u0301'.repeat(80),
      '👩🏽‍🚀'.repeat(30),
      '',
    ]
    for (const columns of [40, 59, 60, 79, 100, 133]) {
      const rows = hostile.map(id => rowOf(listed({ operation_id: id, target: id }) as ListedOperation, safe))
      const state = looked(
        startState({ size: { columns, rows: 20 }, isReadOnly: false, planPath: 'p', ledger: safe('l') }),
        rows,
      )
      const { head, left, foot } = pictureOf(state)
      expect(head.length + left.length + foot.length).toBe(20)
      for (const one of text(state).split('\n')) expect(widthOf(one)).toBeLessThanOrEqual(columns)
      expect(text(state)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/)
    }
  })

  it('tells a refusal to its end, in the menu and at the foot, however narrow it is', () => {
    const why = safe('its executor is alive and holds the lease until noon; wait, or take the task over')
    const opened = press(someState({ columns: 40, rows: 15 }), 'a')
    const choices = [
      { action: 'reopen', title: safe('doubt how it was settled'), isAllowed: false, why },
    ] as const
    const menu = reduce(opened, { kind: 'chosen', id: 'release/npm', choices }).state
    expect(words(text(menu))).toContain(why)
    expect(words(text(press(menu, 'enter')))).toContain(why)
    const message = reduce(someState({ columns: 48, rows: 15 }), {
      kind: 'said',
      message: { text: why, tone: 'alarm' },
    })
    expect(words(text(message.state))).toContain(why)
  })

  it('names no fewer operations than were read, whatever was counted beside the first ones', () => {
    const state = { ...someState({ columns: 80, rows: 24 }), hasMore: false }
    const counted = (count: number, isLeast: boolean) =>
      text({
        ...state,
        summary: { ...(state.summary ?? expect.unreachable()), total: { count, isLeast } },
      }).split('\n')[1]
    expect(counted(2, true)).toMatch(/ 1\/3$/)
    expect(counted(7, true)).toMatch(/ 1\/7\+$/)
    expect(counted(2, false)).toMatch(/ 1\/2$/)
  })

  it('counts the place among what a filter lets through, and names the filter however narrow it is', () => {
    const state = press(someState({ columns: 40, rows: 15 }), '/', ...'release', 'enter', 'j')
    expect(text(state)).toMatch(/^filter release, what.* 2\/2 of 3 read$/m)
  })

  it('writes the place among many in the same way as their number', () => {
    const [first] = someState({ columns: 80, rows: 24 }).rows
    if (first === undefined) expect.unreachable()
    const rows = Array.from({ length: 1_200 }, (_, n) => ({ ...first, id: `op-${n}` }))
    const state = { ...someState({ columns: 80, rows: 24 }), summary: null, rows, at: 1_199, hasMore: false }
    expect(text(state).split('\n')[1]).toMatch(/ 1,200\/1,200$/)
  })

  it.each([80, 110])('says of a row that was decided how it stands now, at %i columns', columns => {
    const state = someState({ columns, rows: 24 })
    const changes = new Map([['release/npm', { status: 'confirmed', version: 99, by: safe('ana') }]])
    const row = text({ ...state, changes })
      .split('\n')
      .find(line => line.includes('= release/npm'))
    expect(row?.split('|')[0]).toMatch(/ confirmed/)
    expect(row?.split('|')[0]).not.toContain('unknown')
  })

  it('keeps both ends of an id that does not fit: those of one task begin alike', () => {
    const ids = ['billing/2026-11/charge-11', 'billing/2026-11/charge-13']
    const rows = ids.map(id => rowOf(listed({ operation_id: id }) as ListedOperation, safe))
    for (const columns of [40, 80]) {
      const shown = text(looked(someState({ columns, rows: 24 }), rows))
      expect(shown).toMatch(/billing.*….*11 +unknown/)
      expect(shown).toMatch(/billing.*….*13 +unknown/)
    }
  })

  it('says at the foot why the selected one is listed, which its row has no room for', () => {
    const frame = text(someState({ columns: 40, rows: 15 })).split('\n')
    expect(frame.at(-2)).toBe('the connection ended')
    expect(frame.slice(2, -2).join()).not.toContain('the connection')
  })

  it('leaves the words of its counts out before a count is cut', () => {
    const [head] = text(someState({ columns: 40, rows: 15 })).split('\n')
    expect(head).toBe('? 2, ! 1, oldest 1h, irreversible')
  })

  it('says by the keys at its foot which pane they are for', () => {
    const state = press(someState({ columns: 120, rows: 40 }), 'tab')
    expect(text(state).split('\n').at(-1)).toContain('q back')
    const { state: back, effects } = reduce(state, {
      kind: 'typed',
      typed: { kind: 'text', text: 'q' },
      at: 9_000,
    })
    expect(back.focus).toBe('list')
    expect(effects.map(({ kind }) => kind)).not.toContain('leave')
    expect(text(back).split('\n').at(-1)).toContain('q quit')
  })

  it('names every key, and what it does to its end, however narrow it is', () => {
    let state = press(someState({ columns: 40, rows: 15 }), '?')
    let seen = ''
    for (let n = 0; n < 40; n++) {
      seen += ` ${text(state)}`
      state = press(state, 'j', 'j', 'j')
    }
    for (const { does } of KEYMAP) {
      const said = does.replace(/[^\w]+/g, ' ').trim()
      expect(seen.replace(/[^\w]+/g, ' ')).toContain(said.slice(0, 20))
      expect(seen.replace(/[^\w]+/g, ' ')).toContain(said.slice(-12))
    }
  })

  it('is one line where there is no room for it', () => {
    expect(text(someState({ columns: 38, rows: 7 }))).toBe('too small (38x7), needs 40x8')
  })
})

describe('the sink of frames', () => {
  function sinkOf() {
    const written: string[] = []
    const size = { columns: 20, rows: 3 }
    const sink = new FrameSink({ size: () => size, write: bytes => void written.push(bytes) })
    return { sink, written, size }
  }

  it('writes the pieces that changed, each at its place, and nothing where nothing did', () => {
    const { sink, written } = sinkOf()
    sink.write('one\ntwo 2\nthree')
    sink.write('one\ntwo 3\nthree')
    sink.write('one\ntwo 3\nthree')
    expect(written).toHaveLength(2)
    expect(written[1]).toBe('\u001b[?2026h\u001b[2;5H3\u001b[1;1H\u001b[?2026l')
  })

  it('erases what is left behind by a shorter line', () => {
    const { sink, written } = sinkOf()
    sink.write('a long line')
    sink.write('a long')
    expect(written[1]).toContain('\u001b[1;7H\u001b[K')
  })

  it('erases nothing behind the last column, which would take what stands in it', () => {
    const { sink, written, size } = sinkOf()
    sink.write('as wide as it was...')
    size.columns = 10
    sink.write('as narrow.')
    expect(written[1]).not.toContain('\u001b[K')
    expect(written[1]).toContain('narrow.')
  })

  it('writes no blank for its colour alone, and keeps one style over the blanks between its words', () => {
    const { sink, written } = sinkOf()
    sink.write('\u001b[1mone\u001b[22m')
    sink.write('\u001b[1mtwo three  \u001b[22m')
    expect(written[1]).toBe('\u001b[?2026h\u001b[1;1H\u001b[1mtwo three\u001b[0m\u001b[1;1H\u001b[?2026l')
  })

  it('paints the blanks of a selected row, which are seen', () => {
    const { sink, written } = sinkOf()
    sink.write('a b  ')
    sink.write('\u001b[7ma b  \u001b[27m')
    expect(written[1]).toContain('\u001b[1;1H\u001b[7ma b  \u001b[0m')
  })

  it('writes a line whole where terminals may disagree about a width, and puts what follows at its place', () => {
    const { sink, written } = sinkOf()
    sink.write('字 a')
    sink.write('字 \u001b[1m👩🏽‍🚀b\u001b[22m')
    expect(written[0]).toContain('\u001b[1;1H\u001b[K字\u001b[1;3H a\u001b[0m')
    expect(written[1]).toContain(
      '\u001b[1;1H\u001b[K字\u001b[1;3H \u001b[1m👩🏽‍🚀\u001b[1;6Hb\u001b[22m\u001b[0m',
    )
  })

  it('takes no part in hiding the cursor, and is silent after the end', () => {
    const { sink, written } = sinkOf()
    sink.write('\u001b[?25l')
    sink.end()
    sink.write('late')
    expect(written).toEqual([])
  })
})

it('a key that nothing is bound to changes nothing', () => {
  const state = someState({ columns: 80, rows: 24 })
  const step = reduce(state, { kind: 'typed', typed: { kind: 'key', key: 'ctrl-f1' }, at: 0 })
  expect(step).toEqual({ state, effects: [] })
})
