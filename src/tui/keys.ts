/** One thing typed. A paste arrives whole and is never taken for keys. */
export type Typed =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'paste'; readonly text: string }

export interface KeyParser {
  /** what the bytes mean, with what was left over before */
  readonly feed: (chunk: string) => Typed[]
  /** is the beginning of a sequence waiting for its rest? */
  readonly isWaiting: () => boolean
  /** nothing more came: what waits is what it is, an Escape or nothing */
  readonly flush: () => Typed[]
}

// Names of what terminals send (xterm ctlseqs, "PC-Style Function Keys" and "VT220-Style"): final letters after CSI or
// SS3, and numbers before `~`. A modifier is the second number, less one: 1 shift, 2 alt, 4 ctrl.
const LETTERS: Readonly<Record<string, string>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  H: 'home',
  F: 'end',
  P: 'f1',
  Q: 'f2',
  R: 'f3',
  S: 'f4',
  Z: 'shift-tab',
}
const NUMBERS: Readonly<Record<string, string>> = {
  1: 'home',
  2: 'insert',
  3: 'delete',
  4: 'end',
  5: 'pageup',
  6: 'pagedown',
  7: 'home',
  8: 'end',
}
const CONTROLS: Readonly<Record<string, string>> = {
  '\r': 'enter',
  '\n': 'enter',
  '\t': 'tab',
  '\u007f': 'backspace',
  '\b': 'backspace',
  '\u0000': 'ctrl-space',
}
const PASTE_BEGINS = '\u001b[200~'
const PASTE_ENDS = '\u001b[201~'
// Terminals that were told to send 8-bit controls (S8C1T) write one character for two: what follows ESC in the long form.
const EIGHT_BIT: Readonly<Record<string, string>> = {
  '\u008f': 'O',
  '\u0090': 'P',
  '\u009b': '[',
  '\u009d': ']',
}
const EIGHT_BIT_PASTE_ENDS = '\u009b201~'
// Longer than any key: answers of the terminal (colours, attributes) and rubbish end here.
const LONGEST_SEQUENCE = 64

/** Bytes of a terminal into keys. Sequences may come in pieces; those that are no key (answers, focus, mouse) are dropped. */
export function keyParser(): KeyParser {
  let rest = ''
  let pasted: string | null = null
  // The form in which it began: the other one inside of it is pasted text, and must not end it.
  let ends = PASTE_ENDS
  return {
    feed: chunk => {
      rest += chunk
      return take(false)
    },
    isWaiting: () => rest !== '' && pasted === null,
    flush: () => take(true),
  }

  function take(isOver: boolean): Typed[] {
    const typed: Typed[] = []
    while (rest !== '') {
      if (pasted !== null) {
        const end = rest.indexOf(ends)
        if (end === -1) {
          // the end mark itself may come in two pieces
          const kept = partOf(ends, rest)
          pasted += rest.slice(0, rest.length - kept)
          rest = rest.slice(rest.length - kept)
          return typed
        }
        typed.push({ kind: 'paste', text: pasted + rest.slice(0, end) })
        pasted = null
        rest = rest.slice(end + ends.length)
        continue
      }
      const next = nextOf(rest, isOver)
      if (next === null) return typed
      if (next.typed === 'paste') {
        pasted = ''
        ends = rest.startsWith('\u009b') ? EIGHT_BIT_PASTE_ENDS : PASTE_ENDS
      }
      rest = rest.slice(next.length)
      if (next.typed !== null && next.typed !== 'paste') add(typed, next.typed)
    }
    return typed
  }
}

interface Next {
  readonly length: number
  /** null: no key */
  readonly typed: Typed | 'paste' | null
}

/** The first thing in the bytes; null where more of it may come. */
function nextOf(bytes: string, isOver: boolean): Next | null {
  if (bytes[0] === '\u001b') return escapeOf(bytes, isOver)
  const long = EIGHT_BIT[bytes[0] ?? '']
  if (long !== undefined) {
    const next = escapeOf(`\u001b${long}${bytes.slice(1)}`, isOver)
    return next === null ? null : { ...next, length: next.length - 1 }
  }
  const first = String.fromCodePoint(bytes.codePointAt(0) ?? 0)
  const name = CONTROLS[first]
  if (name !== undefined) return { length: 1, typed: key(name) }
  const code = first.charCodeAt(0)
  if (code < 0x20) return { length: 1, typed: key(`ctrl-${String.fromCharCode(code + 0x60)}`) }
  if (code >= 0x80 && code < 0xa0) return { length: 1, typed: null }
  return { length: first.length, typed: { kind: 'text', text: first } }
}

function escapeOf(bytes: string, isOver: boolean): Next | null {
  if (bytes.length === 1) return isOver ? { length: 1, typed: key('escape') } : null
  const second = bytes[1] ?? ''
  if (second === '[') return controlSequence(bytes, isOver)
  if (second === 'O') {
    if (bytes.length === 2) return isOver ? { length: 2, typed: key('alt-O') } : null
    const name = LETTERS[bytes[2] ?? '']
    return { length: 3, typed: name === undefined ? null : key(name) }
  }
  if (second === ']' || second === 'P' || second === '_' || second === '^')
    return stringSequence(bytes, isOver)
  if (second === '\u001b') return { length: 1, typed: key('escape') }
  const char = String.fromCodePoint(bytes.codePointAt(1) ?? 0)
  const name = CONTROLS[char]
  // Nobody presses Alt with these: it was Esc, and then Ctrl-C or Ctrl-Z on a line that brought both in one read.
  if (name === undefined && char < ' ') return { length: 1, typed: key('escape') }
  return { length: 1 + char.length, typed: key(`alt-${name ?? char}`) }
}

function controlSequence(bytes: string, isOver: boolean): Next | null {
  const found = /^\u001b\[([<-?]?)([\d;:]*)([ -/]*)([@-~])/.exec(bytes)
  if (found === null) {
    const couldGoOn = /^\u001b\[[<-?]?[\d;:]*[ -/]*$/.test(bytes) && bytes.length < LONGEST_SEQUENCE
    if (couldGoOn && !isOver) return null
    // no sequence after all: what stands there is dropped up to where it stopped being one
    return { length: couldGoOn ? bytes.length : 2, typed: null }
  }
  const [whole, sign, numbers = '', between, final = ''] = found
  if (whole === PASTE_BEGINS) return { length: whole.length, typed: 'paste' }
  // X10 mouse reports carry three bytes behind them
  if (final === 'M' && numbers === '' && sign === '')
    return { length: Math.min(bytes.length, 6), typed: null }
  if (sign !== '' || between !== '') return { length: whole.length, typed: null }
  const [first = '', modifier = ''] = numbers.split(';')
  const name = final === '~' ? NUMBERS[first] : LETTERS[final]
  return { length: whole.length, typed: name === undefined ? null : key(withModifier(name, modifier)) }
}

/** Answers of the terminal (OSC, DCS, APC, PM): up to their end, none of it is a key. */
function stringSequence(bytes: string, isOver: boolean): Next | null {
  const end = /\u0007|\u001b\\|\u009c/.exec(bytes.slice(2))
  if (end !== null) return { length: 2 + end.index + end[0].length, typed: null }
  return isOver || bytes.length > 4096 ? { length: bytes.length, typed: null } : null
}

function withModifier(name: string, modifier: string): string {
  const bits = Number(modifier) - 1
  if (!(bits > 0)) return name
  const parts = [bits & 4 ? 'ctrl' : '', bits & 2 ? 'alt' : '', bits & 1 ? 'shift' : ''].filter(
    part => part !== '',
  )
  return [...parts, name].join('-')
}

function key(name: string): Typed {
  return { kind: 'key', key: name }
}

/** Letters typed in one go are one text: `jjj` is three keys to whoever asks for keys, one word to whoever asks for text. */
function add(typed: Typed[], next: Typed): void {
  const last = typed.at(-1)
  if (next.kind === 'text' && last?.kind === 'text')
    typed[typed.length - 1] = { ...last, text: last.text + next.text }
  else typed.push(next)
}

function partOf(ends: string, text: string): number {
  for (let length = Math.min(ends.length - 1, text.length); length > 0; length--)
    if (text.endsWith(ends.slice(0, length))) return length
  return 0
}
