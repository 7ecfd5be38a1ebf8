import type { Safe } from '../core/safe-text.js'

// Backslashes do not help against what renderers add to CommonMark after parsing: bare links, e-mail addresses,
// @mentions and #123 on the sites where such reports are pasted. None of them reads inside a code span.

/** Text that a Markdown renderer shows as it is, and takes for nothing else (CommonMark 0.31.2, section 6.1). */
export function codeSpan(text: Safe): string {
  if (text === '') return '`` ` ` ``'
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  const isPadded = /^[ `]|[ `]$/.test(text)
  return isPadded ? `${fence} ${text} ${fence}` : `${fence}${text}${fence}`
}

// A word of letters, a number, perhaps with its unit, and the punctuation of a sentence. Not `1.` or `1)`, which would
// begin a list.
const PLAIN = /^[("]?(?:\p{L}+(?:['’-]\p{L}+)*[,.;:!?)"]*|\d+(?:ms|[smhdw])?[,;:!?"]*)$/u

/** A sentence with text of others in it: plain words stay as they are, every other word becomes code. */
export function plainOrCode(text: Safe): string {
  const spans: string[] = []
  let held: string[] = []
  const flush = () => {
    if (held.length > 0) spans.push(codeSpan(held.join(' ') as Safe))
    held = []
  }
  for (const word of text.split(' ')) {
    if (!PLAIN.test(word)) {
      held.push(word)
      continue
    }
    flush()
    spans.push(word)
  }
  flush()
  return spans.join(' ')
}
