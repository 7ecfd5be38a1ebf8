/**
 * The beginning of a text, cut between words: half of a secret is no longer known by its looks, and is not masked. A
 * beginning that is one word is cut inside.
 */
export function excerpt(text: string, longest: number): string {
  if (text.length <= longest) return text
  let end = longest
  while (end > 0 && !BETWEEN.test(text.charAt(end))) end -= 1
  return text.slice(0, end === 0 ? longest : end).toWellFormed()
}

const BETWEEN = /[\s"'<>,;]/
