declare const safeBrand: unique symbol

/** Text that may be shown on a terminal: only `safe()` and `words` make it. */
export type Safe = string & { readonly [safeBrand]: true }

export interface SafeShape {
  /** keep line feeds; without it a line feed shows as `␊` */
  readonly multiline?: boolean
  /** longest result in characters as people count them; what is left out is counted in the result */
  readonly max?: number
}

/** How many combining marks a letter keeps; more of them climb over the lines above (Thai and Tibetan need three). */
const MOST_MARKS = 4

// Everything that moves the cursor, hides, reorders or stands for nothing visible: C0, DEL, C1, soft hyphen, combining
// grapheme joiner, fillers that look like spaces, zero-width and bidi controls (Unicode 17, PropList.txt: Bidi_Control,
// Default_Ignorable_Code_Point), line and paragraph separators, variation selectors, annotations, tags, noncharacters.
const HIDDEN =
  '\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\p{Noncharacter_Code_Point}\\u{2800}'
// Made at the first use: building a set of Unicode properties takes 2 ms, and --help shows no text of others.
const suspect = lazily(() => new RegExp(`[${HIDDEN}]|\\p{M}{${MOST_MARKS + 1}}`, 'u'))
const escaped = lazily(() => new RegExp(`[${HIDDEN}]`, 'gu'))
const marks = lazily(() => new RegExp(`(\\p{M}{${MOST_MARKS}})\\p{M}+`, 'gu'))
// The ellipsis is our own: it stands where a value is to be filled in.
const PLAIN = /^[\x20-\x7E…]*$/
const PLAIN_LINES = /^[\n\x20-\x7E…]*$/
const JOINED = /[\u200D\uFE0F\u{E0020}-\u{E007F}]/u

/**
 * Makes text from an agent, tool, service, file or person fit for a terminal. It escapes, it does not strip: hidden
 * evidence would be worse than ugly evidence. C0 and DEL become their Unicode pictures (`␛`), a tab a space, other
 * controls, bidi marks, zero-width characters and lone surrogates `<U+202E>`; emoji keep their joiners. Idempotent.
 * Remedy for CWE-150; the same choice as kubectl after CVE-2021-25743.
 */
export function safe(text: string, shape: SafeShape = {}): Safe {
  const plain = shape.multiline === true ? PLAIN_LINES : PLAIN
  const shown = !plain.test(text) && suspect().test(text) ? escapeAll(text, shape.multiline === true) : text
  const cut = shape.max === undefined ? shown : shorten(shown, shape.max)
  // The one place where the brand is given.
  return cut as Safe
}

/** A template of our own words and of values already safe: words`${id} is ${status}`. */
export function words(parts: TemplateStringsArray, ...values: readonly (Safe | number)[]): Safe {
  // Parts are literals in our source; values are safe or digits.
  return parts.reduce((text, part, i) => `${text}${values[i - 1] ?? ''}${part}`) as Safe
}

/** Joins safe texts with one of our own separators. */
export function join(texts: readonly Safe[], separator: Safe | ' ' | ', ' | '\n' | '\t' | ''): Safe {
  return texts.join(separator) as Safe
}

function escapeAll(text: string, multiline: boolean): Safe {
  const kept = multiline ? '\n' : ''
  const spans = JOINED.test(text) ? emojiSpans(text) : []
  let from = 0
  let shown = ''
  for (const [start, end] of spans) {
    shown += escapeRun(text.slice(from, start), kept) + text.slice(start, end)
    from = end
  }
  return (shown + escapeRun(text.slice(from), kept)) as Safe
}

function escapeRun(text: string, kept: string): string {
  return text
    .replace(escaped(), char => (char === kept ? char : picture(char)))
    .replace(marks(), '$1<+marks>')
}

function picture(char: string): string {
  if (char === '\t') return ' '
  const code = char.codePointAt(0) ?? 0
  if (code < 0x20) return String.fromCodePoint(0x2400 + code)
  if (code === 0x7f) return '␡'
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`
}

// Emoji as UTS #51 (ED-15a) writes them: keycaps, the three flags made of tags, and pictographs with a style selector,
// a skin tone, and up to five joined. `\p{RGI_Emoji}` would be exact but takes 30-70 ms to compile on Node 20.
const ELEMENT = '\\p{Extended_Pictographic}(?:[\\u{FE0E}\\u{FE0F}]|\\p{Emoji_Modifier})?'
const TAGGED = ['gbeng', 'gbsct', 'gbwls'].map(
  region =>
    `\u{1F3F4}${[...region].map(c => String.fromCodePoint(0xe0000 + (c.codePointAt(0) ?? 0))).join('')}\u{E007F}`,
)
const emoji = lazily(
  () =>
    new RegExp(`[0-9#*]\\u{FE0F}\\u{20E3}|${TAGGED.join('|')}|${ELEMENT}(?:\\u{200D}${ELEMENT}){0,5}`, 'gu'),
)

function emojiSpans(text: string): (readonly [number, number])[] {
  return [...text.matchAll(emoji())].map(match => [match.index, match.index + match[0].length])
}

function shorten(text: string, max: number): string {
  if (text.length <= max) return text
  const segments = new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)
  const kept: string[] = []
  let length = 0
  for (const { segment } of segments) {
    length++
    if (length <= max) kept.push(segment)
  }
  return length <= max ? text : `${kept.join('')}… (${length - max} more)`
}

function lazily(make: () => RegExp): () => RegExp {
  let made: RegExp | undefined
  return () => {
    made ??= make()
    return made
  }
}
