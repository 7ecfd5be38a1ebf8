import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keyParser, type Typed } from '../../src/tui/keys.js'

const key = (name: string): Typed => ({ kind: 'key', key: name })
const text = (typed: string): Typed => ({ kind: 'text', text: typed })

describe('what a terminal sends', () => {
  it.each<[string, string, readonly Typed[]]>([
    ['letters', 'jjj', [text('jjj')]],
    ['arrows', '\u001b[A\u001b[B\u001bOC', [key('up'), key('down'), key('right')]],
    ['arrows with shift and ctrl', '\u001b[1;2A\u001b[1;5B', [key('shift-up'), key('ctrl-down')]],
    ['function keys with ctrl, which end other programs', '\u001b[1;5P\u001b[1;5I', [key('ctrl-f1')]],
    [
      'pages and ends',
      '\u001b[5~\u001b[6~\u001b[H\u001b[4~',
      [key('pageup'), key('pagedown'), key('home'), key('end')],
    ],
    [
      'editing keys',
      '\u007f\b\u001b[3~\r\t\u001b[Z',
      ['backspace', 'backspace', 'delete', 'enter', 'tab', 'shift-tab'].map(key),
    ],
    ['control letters', '\u0003\u001a\u0004', [key('ctrl-c'), key('ctrl-z'), key('ctrl-d')]],
    [
      'Esc and a control letter as the two',
      '\u001b\u0003\u001b\u001a',
      ['escape', 'ctrl-c', 'escape', 'ctrl-z'].map(key),
    ],
    ['alt and a letter', '\u001bj', [key('alt-j')]],
    ['other scripts and emoji whole', 'é翻👩🏽‍🚀', [text('é翻👩🏽‍🚀')]],
    [
      'answers about colours, attributes, focus and mouse as nothing',
      '\u001b]11;rgb:00/00/00\u0007\u001b[?1;2c\u001b[I\u001b[<0;10;5M\u001b[M !!j',
      [text('j')],
    ],
    ['other eight-bit controls as nothing', 'a\u0085\u009b', [text('a')]],
    [
      'the eight-bit forms of the same',
      '\u009bA\u009b1;5B\u008fC\u009d11;rgb:00\u009cj',
      [key('up'), key('ctrl-down'), key('right'), text('j')],
    ],
    [
      'an eight-bit paste whole, which only its own form ends',
      '\u009b200~qA\u001b[201~q\u009b201~k',
      [{ kind: 'paste', text: 'qA\u001b[201~q' }, text('k')],
    ],
    [
      'a paste in which the eight-bit form of its end stands',
      '\u001b[200~q\u009b201~q\u001b[201~k',
      [{ kind: 'paste', text: 'q\u009b201~q' }, text('k')],
    ],
    [
      'a paste whole, whatever stands in it',
      '\u001b[200~y\r\u001b[A\u001b[201~k',
      [{ kind: 'paste', text: 'y\r\u001b[A' }, text('k')],
    ],
  ])('%s', (_, bytes, typed) => {
    expect(keyParser().feed(bytes)).toEqual(typed)
  })

  it('is an Escape only when nothing follows it', () => {
    const keys = keyParser()
    expect(keys.feed('\u001b')).toEqual([])
    expect(keys.isWaiting()).toBe(true)
    expect(keys.flush()).toEqual([key('escape')])
    expect(keys.isWaiting()).toBe(false)
  })

  it('means the same in pieces as at once', () => {
    const bytes =
      'ab\u001b[1;5B\u009bA\u009b200~p\u009b201~\u001b[200~p\u001b[A\u001b[201~\u001bOA\r\u001b]11;x\u001b\\z'
    const atOnce = joined(keyParser().feed(bytes))
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 8 }), cuts => {
        const keys = keyParser()
        const ends = [...cuts.sort((a, b) => a - b), bytes.length]
        const typed = ends.flatMap((end, i) => keys.feed(bytes.slice(ends[i - 1] ?? 0, end)))
        expect(joined(typed)).toEqual(atOnce)
      }),
    )
  })

  it('never throws, and never keeps what is no sequence', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom('\u001b', '[', 'O', ']', '2', '0', ';', '~', 'A', '\u0007', 'x', '\u009b', '<'),
          { maxLength: 30 },
        ),
        bytes => {
          const keys = keyParser()
          keys.feed(bytes.join(''))
          keys.flush()
          expect(keys.isWaiting()).toBe(false)
        },
      ),
      { numRuns: 2_000 },
    )
  })
})

function joined(typed: readonly Typed[]): Typed[] {
  const all: Typed[] = []
  for (const one of typed) {
    const last = all.at(-1)
    if (one.kind === 'text' && last?.kind === 'text') all[all.length - 1] = text(last.text + one.text)
    else all.push(one)
  }
  return all
}
