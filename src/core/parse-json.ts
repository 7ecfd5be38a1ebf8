import { LedgerError } from './errors.js'
import type { JsonValue } from './json.js'
import { checkDepth } from './json-depth.js'

/**
 * Parses JSON whose every digit must be kept: a whole number beyond 2^53 would be rounded without a word, so it is
 * refused. A byte order mark before it, which PowerShell writes into a pipe, is passed over. `where` names the text in
 * messages. @throws LedgerError invalid_input
 */
export function parseWholeJson(given: string, where: string): JsonValue {
  const text = given.replace(/^\ufeff/, '')
  checkDepth(text, where)
  const value = parsed(text, where)
  const rounded = numbersIn(text).find(isRounded)
  if (rounded === undefined) return value
  throw new LedgerError(
    'invalid_input',
    `${where}: the number ${rounded.slice(0, 40)} has more digits than JSON readers keep`,
    {
      hint: 'Give it as text, in quotes.',
    },
  )
}

/**
 * Parses what another program wrote: a whole number beyond 2^53 comes as a text with every digit, for rounded it names
 * something else. Undefined for what is no JSON.
 */
export function parseForeignJson(text: string): JsonValue | undefined {
  try {
    const value: JsonValue = JSON.parse(text)
    return /\d{16}/.test(text) ? JSON.parse(withEveryDigit(text)) : value
  } catch {
    return undefined
  }
}

function isRounded(token: string): boolean {
  return /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token))
}

function parsed(text: string, where: string): JsonValue {
  if (text.trim() === '') throw new LedgerError('invalid_input', `${where} is empty: a JSON object is wanted`)
  try {
    return JSON.parse(text)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new LedgerError('invalid_input', `${where} is no JSON: ${why}`, { cause })
  }
}

/** The numbers of a JSON text, as they stand there. */
function numbersIn(text: string): string[] {
  // What may stand for a number is rare and short beside strings; without 16 digits in a row there is nothing to find.
  if (!/\d{16}/.test(text)) return []
  return outsideStrings(text).flatMap(part => part.match(NUMBERS) ?? [])
}

const NUMBERS = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

function withEveryDigit(text: string): string {
  let at = 0
  return outsideStrings(text)
    .map(part => {
      const string = text.slice(at + part.length, endOfString(text, at + part.length))
      at += part.length + string.length
      return part.replace(NUMBERS, number => (isRounded(number) ? `"${number}"` : number)) + string
    })
    .join('')
}

/** What stands before, between and after the strings. A pattern for strings would need stack for each character of one. */
function outsideStrings(text: string): string[] {
  const parts: string[] = []
  for (let at = 0; ; ) {
    const quote = text.indexOf('"', at)
    if (quote === -1) return [...parts, text.slice(at)]
    parts.push(text.slice(at, quote))
    at = endOfString(text, quote)
  }
}

/** Where the string that begins here has ended. */
function endOfString(text: string, quote: number): number {
  for (let at = quote + 1; at < text.length; at += 1) {
    const end = text.indexOf('"', at)
    if (end === -1) return text.length
    let slashes = 0
    while (text[end - 1 - slashes] === '\\') slashes += 1
    if (slashes % 2 === 0) return end + 1
    at = end
  }
  return text.length
}
