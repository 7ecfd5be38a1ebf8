import type { Safe } from '../core/safe-text.js'

// Backslashes do not help against what renderers add to CommonMark after parsing: bare links, e-mail addresses,
// @mentions and #123 on the sites where such reports are pasted. None of them reads inside a code span.

/** Text that a Markdown renderer shows as it is, and takes for nothing else (CommonMark 0.31.2, section 6.1). */
export function codeSpan(text: Safe): string {
  if (text.trim() === '') return `\`${text === '' ? ' ' : text}\``
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  const isPadded = /^[ `]|[ `]$/.test(text)
  return isPadded ? `${fence} ${text} ${fence}` : `${fence}${text}${fence}`
}

// A word of letters, a number, perhaps with its unit, and the punctuation of a sentence. Not `1.` or `1)`, which would
// begin a list.
const PLAIN = /^[("]?(?:\p{L}+(?:['’-]\p{L}+)*[,.;:!?)"]*|\d+(?:ms|[smhdw])?[,;:!?"]*)$/u

/**
 * A sentence with text of others in it: plain words stay as they are, every other word becomes code. Of the spaces in front
 * one stays: four of them begin a block of code where a line begins.
 */
export function plainOrCode(text: Safe): string {
  return text
    .replace(/^ +/, ' ')
    .split(' ')
    .map(word => (PLAIN.test(word) || word === '' ? word : codeBetweenMarks(word)))
    .join(' ')
}

// `(op-5),` reads better as (`op-5`), and brackets and commas around a code span mean nothing to Markdown.
function codeBetweenMarks(word: string): string {
  const [, before = '', inner = '', after = ''] = /^(\(?)(.*?)([,.;:!?)]*)$/u.exec(word) ?? []
  // A part of a safe text is safe.
  return inner === '' ? codeSpan(word as Safe) : `${before}${codeSpan(inner as Safe)}${after}`
}
