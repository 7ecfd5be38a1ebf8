/**
 * A line to type, with every word quoted for a POSIX shell, so that ids with blanks, quotes, brackets or hidden
 * characters can be pasted. What a terminal would escape is written as `$'\u202e'`, which bash and zsh read back as the
 * same character. `words` follow the program's name; an id that begins with `-` goes last, behind `--`.
 */
export function commandLine(...words: readonly string[]): string {
  const [dashed, plain] = parted(words)
  const tail = dashed.length === 0 ? [] : ['--', ...dashed]
  return ['agent-ledger', ...[...plain, ...tail].map(shellWord)].join(' ')
}

/** A value among the words of `commandLine`: kept apart so that one that begins with `-` is no option. */
export function value(text: string): string {
  return text.startsWith('-') ? `${VALUE}${text}` : text
}

// A marker that no id can hold: control characters are refused there.
const VALUE = '\u0000'

// What a person is to fill in stands as `…`; it needs no quotes. zsh expands a word that begins with `=`.
const PLAIN = /^(?!=)[\p{L}\p{N}\p{M}_@%+=:,./…-]+$/u
// Everything that does not show as itself, or looks like an ordinary blank.
const HIDDEN =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u{2800}\u{a0}\u{2000}-\u{200a}\u{3000}]/gu

/** One word for a POSIX shell. */
export function shellWord(word: string): string {
  if (PLAIN.test(word)) return word
  if (word.search(HIDDEN) === -1) return `'${word.replaceAll("'", "'\\''")}'`
  const escaped = word.replace(/[\\']/g, '\\$&').replace(HIDDEN, unicodeEscape)
  return `$'${escaped}'`
}

function unicodeEscape(char: string): string {
  const code = (char.codePointAt(0) ?? 0).toString(16)
  return code.length <= 4 ? `\\u${code.padStart(4, '0')}` : `\\U${code.padStart(8, '0')}`
}

function parted(words: readonly string[]): readonly [readonly string[], readonly string[]] {
  const dashed = words.filter(word => word.startsWith(VALUE)).map(word => word.slice(VALUE.length))
  return [dashed, words.filter(word => !word.startsWith(VALUE))]
}
