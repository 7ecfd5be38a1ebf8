import { describe, expect, it } from 'vitest'
import { words } from '../../src/core/safe-text.js'
import { filterOf } from '../../src/tui/filter.js'
import { reduce } from '../../src/tui/reduce.js'
import { pictureOf } from '../../src/tui/screens/screen.js'
import { selectedId } from '../../src/tui/selecting.js'
import type { State } from '../../src/tui/state.js'
import { looked, press, rowsOf, someRows, someState, ticked } from './some-state.js'

const SIZE = { columns: 80, rows: 24 }

function many(count: number) {
  return rowsOf(...Array.from({ length: count }, (_, i) => ({ operation_id: `op-${i}` })))
}

describe('refreshing', () => {
  it('moves neither the selection nor what is scrolled, marked, filtered or asked', () => {
    const before = press(
      looked(someState(SIZE), many(100)),
      ...'jjjjjjjjjjjjjjjjjjjjjjjjj',
      ' ',
      '/',
      'o',
      'enter',
      'c',
    )
    const after = ticked(before, many(100).reverse())
    for (const name of ['at', 'top', 'filter', 'overlay', 'marks'] as const)
      expect(after[name]).toEqual(before[name])
  })

  it('lets new rows wait, and takes them in by r', () => {
    const state = someState(SIZE)
    const newer = [...rowsOf({ operation_id: 'new' }), ...someRows()]
    const waiting = ticked(state, newer)
    expect(waiting.fresh.size).toBe(1)
    expect(waiting.items).toHaveLength(3)
    const taken = looked(press(waiting, 'r'), newer)
    expect(taken.items).toHaveLength(4)
    expect(taken.fresh.size).toBe(0)
    expect(selectedId(taken)).toBe('release/npm')
  })

  it('keeps a row that somebody else settled, marked so', () => {
    const change = new Map([['release/npm', { status: 'confirmed', version: 4, by: words`lee` }]])
    const after = ticked(someState(SIZE), someRows().slice(1), change)
    expect(after.items).toHaveLength(3)
    expect(after.changes.get('release/npm')?.status).toBe('confirmed')
  })

  it('reads what is beside the list again when its operation or its task was written of, and else not', () => {
    const state = someState({ columns: 120, rows: 24 })
    const [selected] = someRows()
    const wanted = (touched: string | null, { page = someRows(), tab = state.tab } = {}) =>
      reduce(
        { ...state, tab },
        {
          kind: 'ticked',
          turn: state.turn,
          page,
          changes: new Map(),
          touched: new Set(touched === null ? [] : [touched]),
          summary: state.summary ?? expect.unreachable(),
        },
      ).effects
    const again = [{ kind: 'detail', id: 'release/npm', tab: 'operation', isSoon: false }]
    expect(wanted('release/npm')).toEqual(again)
    expect(wanted(selected?.taskId ?? 'none')).toEqual(again)
    expect(wanted('another')).toEqual([])
    // a claim is no entry, and shows in the row alone
    const claimed = someRows().map(row =>
      row.id === 'release/npm' ? { ...row, state: words`claimed by lee` } : row,
    )
    expect(wanted(null, { page: claimed })).toEqual(again)
    // the report tells of what else is in the task
    expect(wanted('release/tap')).toEqual([])
    expect(wanted('release/tap', { tab: 'task' })).toEqual([{ ...again[0], tab: 'task' }])
    expect(wanted('crm/Yuki', { tab: 'task' })).toEqual([])
  })

  it('goes on with the ages of its rows, and reads what is beside the list again, which tells of them', () => {
    const state = someState({ columns: 120, rows: 24 })
    const page = rowsOf({ operation_id: 'release/npm', age_ms: 2 * 3_600_000 })
    const { state: after, effects } = reduce(state, {
      kind: 'ticked',
      turn: state.turn,
      page,
      changes: new Map(),
      touched: new Set(),
      summary: state.summary ?? expect.unreachable(),
    })
    const age = (of: State) =>
      /> \? release\/npm +unknown +(\w+)/.exec(
        pictureOf(of)
          .left.map(({ text }) => text)
          .join('\n'),
      )?.[1]
    expect([age(state), age(after)]).toEqual(['1h', '2h'])
    expect(effects).toMatchObject([{ kind: 'detail', id: 'release/npm' }])
  })

  it('drops an answer to a list that is no longer asked for', () => {
    const state = press(someState(SIZE), 's')
    const late = reduce(state, {
      kind: 'looked',
      turn: state.turn - 1,
      isMore: false,
      limit: 500,
      rows: [],
      hasMore: false,
      summary: state.summary ?? expect.unreachable(),
    })
    expect(late.state).toBe(state)
  })

  it('asks for more rows before the end of those that are loaded, and adds them below', () => {
    const state = looked(someState(SIZE), many(150), { hasMore: true })
    const near = reduce(press(state, ...'j'.repeat(48)), {
      kind: 'typed',
      typed: { kind: 'text', text: 'jj' },
      at: 9,
    })
    expect(near.effects.filter(({ kind }) => kind === 'look')).toEqual([
      { kind: 'look', turn: state.turn, isMore: true },
    ])
    const meanwhile = reduce(near.state, { kind: 'typed', typed: { kind: 'text', text: 'jjj' }, at: 10 })
    expect(meanwhile.effects.filter(({ kind }) => kind === 'look')).toEqual([])
    const longer = looked(near.state, many(300), { isMore: true })
    expect(longer.items).toHaveLength(300)
    expect(longer.at).toBe(near.state.at)
  })
})

describe('Esc and a letter that came in one read, which are the bytes of Alt and the letter', () => {
  it('are the two where no text is typed', () => {
    const filtered = press(someState(SIZE), '/', 'r', 'enter')
    const after = press(filtered, 'alt-j')
    expect(after.filter).toBe('')
    expect(after).toEqual(press(filtered, 'escape', 'j'))
    expect(press(someState(SIZE), '?', 'alt-j')).toEqual(press(someState(SIZE), 'j'))
  })

  it('leave alone a text that is being typed', () => {
    const typing = press(someState(SIZE), '/', 'r')
    expect(press(typing, 'alt-b')).toEqual(typing)
  })
})

describe('marks', () => {
  it('are kept by id under a filter, and all that it shows are marked by *', () => {
    const state = press(someState(SIZE), ' ', '/', 't', 'a', 'p', 'enter', '*')
    expect([...state.marks.keys()]).toEqual(['release/npm', 'release/tap'])
    expect(press(state, 'c').overlay).toMatchObject({ marked: { count: 2, hidden: 1 } })
    expect(press(state, '-').marks.size).toBe(0)
  })

  it('are made from here to there', () => {
    expect([...press(someState(SIZE), 'v', 'j', 'v').marks.keys()]).toEqual(['release/npm', 'release/tap'])
  })

  it('refuse what is for one at a time', () => {
    const state = press(someState(SIZE), ' ', 'T')
    expect(state.overlay).toBeNull()
    expect(state.message?.text).toContain('takeover is for one at a time')
  })
})

describe('a filter', () => {
  const [npm, tap, yuki] = someRows()
  it.each([
    ['npm', [true, false, false]],
    ['state:confirmed', [false, false, true]],
    ['!state:confirmed', [true, true, false]],
    ['by:lee', [false, false, true]],
    ['age:>59m', [true, true, true]],
    ['age:>61m', [false, false, false]],
    ['task:task-2 state:confirmed', [false, false, true]],
    ['risk:irreversible tap', [false, true, false]],
    ['marked:', [false, false, false]],
  ])('%s lets through what it says', (text, expected) => {
    const matches = filterOf(text)
    expect([npm, tap, yuki].map(row => row !== undefined && matches(row, false))).toEqual(expected)
  })
})

describe('groups', () => {
  it('stand where their riskiest row stood, and their heads are passed over', () => {
    const state = press(someState(SIZE), 'g', 'g')
    expect(state.grouping).toBe('task')
    expect(state.items.map(({ kind }) => kind)).toEqual(['group', 'row', 'row', 'group', 'row'])
    expect(selectedId(state)).toBe('release/npm')
    expect(selectedId(press(state, 'j', 'j'))).toBe('crm/Yuki')
  })
})

it('`:` does what a key does, and completes', () => {
  const state = press(someState(SIZE), ':', 's', 'o', 'tab')
  expect(state.overlay).toMatchObject({ kind: 'command', field: { text: 'sort' } })
  expect(press(state, 'enter').asked.sort).toBe('age')
})
