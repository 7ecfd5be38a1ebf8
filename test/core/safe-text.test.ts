import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { join, safe, words } from '../../src/core/safe-text.js'

const ESC = '\u001b'
// What must never reach a terminal, written down apart from the pattern that the code uses.
const HARMFUL = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x2800, 0x2800],
  [0x3164, 0x3164],
  [0xd800, 0xdfff],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0xfffe, 0xffff],
  [0xe0000, 0xe0fff],
] as const

const hostile = fc.oneof(
  fc.constantFrom(
    `${ESC}[2J`,
    `${ESC}]52;c;cm0gLXJm\u0007`,
    `${ESC}]8;;https://x\u0007link${ESC}]8;;\u0007`,
    '\u009b31m',
    '\u009d0;x\u009c',
    '\u202e',
    '\u2066',
    '\u200b',
    '\ufeff',
    '\u{e0041}',
    '\u2028',
    '\r',
    '\b',
    '\0',
    '\u0007',
    '\t',
    '\n',
    '\ud800',
    '\u007f',
    'a\u0301\u0301\u0301\u0301\u0301\u0301',
    '\u200d',
    '\ufe0f',
  ),
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.string(),
)
const hostileText = fc.array(hostile, { maxLength: 12 }).map(parts => parts.join(''))

describe('safe', () => {
  it.each([
    ['plain words', 'Deploy of größere Änderung'],
    ['Chinese and Japanese', '部署 デプロイ'],
    ['Hebrew and Arabic', 'שלום مرحبا'],
    ['Thai with its marks', 'ที่นี่ น้ำ'],
    ['a letter with two marks', 'e\u0301\u0323'],
    ['emoji joined', '👩‍💻 👨‍👩‍👧‍👦 🏳️‍🌈 🤦🏽‍♂️'],
    ['a heart with its selector', '❤️'],
    ['keycaps', '1️⃣ #️⃣'],
    ['flags', '🇩🇪 🏴󠁧󠁢󠁳󠁣󠁴󠁿'],
    ['symbols of a shell', '$(rm -rf /) `x` | & ; < > \\'],
  ])('leaves %s as they are', (_, text) => {
    expect(safe(text)).toBe(text)
  })

  it.each([
    ['a cleared screen', `${ESC}[2J`, '␛[2J'],
    ['a clipboard write', `${ESC}]52;c;eA==\u0007`, '␛]52;c;eA==␇'],
    ['a conceal', `${ESC}[8mhidden`, '␛[8mhidden'],
    ['an 8-bit CSI', '\u009b2J', '<U+009B>2J'],
    ['a carriage return that hides what stood before', 'FAILED\rOK', 'FAILED␍OK'],
    ['a line feed that would forge a row', 'a\nop_2 confirmed', 'a␊op_2 confirmed'],
    ['backspaces', 'no\b\byes', 'no␈␈yes'],
    ['DEL and NUL', '\u007f\0', '␡␀'],
    ['a tab', 'a\tb', 'a b'],
    ['a right-to-left override', 'exe.\u202etxt', 'exe.<U+202E>txt'],
    ['zero width', 'pay\u200bpal', 'pay<U+200B>pal'],
    ['a joiner between letters', 'a\u200db', 'a<U+200D>b'],
    ['a selector after a letter', 'a\ufe0f', 'a<U+FE0F>'],
    ['tag characters that hide a message', '🏴\u{e0068}\u{e0069}\u{e007f}', '🏴<U+E0068><U+E0069><U+E007F>'],
    ['an annotation that hides its reading', 'a\ufff9b', 'a<U+FFF9>b'],
    ['a line separator', 'a\u2028b', 'a<U+2028>b'],
    ['half a surrogate pair', 'a\ud83d', 'a<U+D83D>'],
    ['a filler that looks like nothing', '\u3164', '<U+3164>'],
    ['marks that climb', `a${'\u0301'.repeat(50)}`, `a${'\u0301'.repeat(4)}<+marks>`],
  ])('shows %s instead of obeying it', (_, text, shown) => {
    expect(safe(text)).toBe(shown)
  })

  it('keeps line feeds, and nothing else, when several lines are wanted', () => {
    expect(safe('a\nb\r\nc\u001b', { multiline: true })).toBe('a\nb␍\nc␛')
  })

  it('cuts by characters as people count them and says how many it left out', () => {
    expect(safe('👩‍💻👩‍💻👩‍💻👩‍💻', { max: 2 })).toBe('👩‍💻👩‍💻… (2 more)')
    expect(safe('abcd', { max: 4 })).toBe('abcd')
    expect(safe('e\u0301e\u0301', { max: 2 })).toBe('e\u0301e\u0301')
  })

  it('lets no harmful character through, whatever it is given', () => {
    fc.assert(
      fc.property(hostileText, text => {
        expect(harmfulIn(safe(text))).toEqual([])
        expect(harmfulIn(safe(text, { multiline: true }).replaceAll('\n', ''))).toEqual([])
        expect(harmfulIn(safe(text, { max: 5 }))).toEqual([])
      }),
      { numRuns: 5_000 },
    )
  })

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(hostileText, fc.boolean(), (text, multiline) => {
        const once = safe(text, { multiline })
        expect(safe(once, { multiline })).toBe(once)
      }),
      { numRuns: 5_000 },
    )
  })

  it('takes a megabyte of anything', () => {
    const text = `${'x'.repeat(500_000)}${'\u001b['.repeat(100_000)}${'e\u0301'.repeat(100_000)}`
    expect(harmfulIn(safe(text))).toEqual([])
  })
})

describe('words and join', () => {
  it('put safe values between our own words', () => {
    const id = safe('op\u001b1')
    expect(words`${id} has ${2} attempts`).toBe('op␛1 has 2 attempts')
    expect(join([id, id], ', ')).toBe('op␛1, op␛1')
  })
})

// Emoji may hold joiners and selectors; what remains of a text without its pictographs may not.
function harmfulIn(text: string): string[] {
  const rest = text.replace(
    /\p{Extended_Pictographic}(?:[\ufe0e\ufe0f]|\p{Emoji_Modifier})?(?:\u200d\p{Extended_Pictographic}(?:[\ufe0e\ufe0f]|\p{Emoji_Modifier})?)*|[0-9#*]\ufe0f\u20e3/gu,
    '',
  )
  return [...rest]
    .map(char => char.codePointAt(0) ?? 0)
    .filter(code => HARMFUL.some(([first, last]) => code >= first && code <= last))
    .map(code => code.toString(16))
}
