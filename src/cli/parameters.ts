import { didYouMean } from '../core/did-you-mean.js'
import { parseDuration } from '../core/duration.js'
import { LedgerError } from '../core/errors.js'
import { parseTimeGiven, type TimeGiven } from '../core/iso-time.js'
import type { Parameter, Raw } from './command.js'

/** How one text becomes a value; it throws `usage` naming the option when the text does not fit. */
type Reader<T> = (text: string, name: string) => T

interface ValueShape {
  readonly choices?: readonly string[]
  readonly fallback?: string
  readonly completes?: 'operation' | 'task'
}

/** `--unknown`: given or not. */
export function flag(summary: string): Parameter<boolean> {
  return { summary, read: raw => raw === true }
}

/** `--limit <n>`: undefined when not given. */
export function value<T>(
  placeholder: string,
  summary: string,
  read: Reader<T>,
  shape: ValueShape = {},
): Parameter<T | undefined> {
  return { ...shape, placeholder, summary, read: (raw, name) => one(raw, name, read) }
}

/** `--external-id k=v`, as often as wanted. */
export function repeated<T>(
  placeholder: string,
  summary: string,
  read: Reader<T>,
  shape: ValueShape = {},
): Parameter<readonly T[]> {
  return {
    ...shape,
    placeholder,
    summary,
    many: true,
    read: (raw, name) => texts(raw).map(text => read(text, name)),
  }
}

/** `<op>`: an argument that must be there. */
export function argument(summary: string, shape: ValueShape = {}): Parameter<string> {
  return {
    ...shape,
    summary,
    required: true,
    read: (raw, name) => {
      const [text] = texts(raw)
      if (text === undefined) throw new LedgerError('usage', `<${name}> is missing`)
      return shape.choices === undefined ? text : choice(shape.choices)(text, `<${name}>`)
    },
  }
}

/** `[task]`: an argument that may be left out. */
export function optionalArgument(summary: string, shape: ValueShape = {}): Parameter<string | undefined> {
  const read = shape.choices === undefined ? anyText : choice(shape.choices)
  return { ...shape, summary, read: (raw, name) => one(raw, name, read) }
}

/** `[op...]`: all that follows. `required` wants at least one. */
export function remaining(
  summary: string,
  shape: ValueShape & { readonly required?: boolean } = {},
): Parameter<readonly string[]> {
  return { ...shape, summary, many: true, read: texts }
}

/** Any text, as typed. */
export function anyText(text: string): string {
  return text
}

/** Any text but the empty one. */
export function someText(text: string, name: string): string {
  if (text.trim() === '') throw unfit(name, text, 'it is empty')
  return text
}

/** A whole number from `least` up, or to `most`. */
export function wholeNumber(least = 0, most = Number.MAX_SAFE_INTEGER): Reader<number> {
  const upTo = most === Number.MAX_SAFE_INTEGER ? 'up' : `to ${most}`
  return (text, name) => {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (!(number >= least && number <= most))
      throw unfit(name, text, `a whole number from ${least} ${upTo} is wanted`)
    return number
  }
}

/**
 * How many partitions the large tables of a ledger in PostgreSQL are split into. Beyond 256 planning a statement takes
 * longer than carrying it out.
 */
export const partitions = value(
  'number',
  'PostgreSQL: split what grows with each operation into so many partitions',
  wholeNumber(2, 256),
)

/** One of a few words; `-` and `_` are the same. */
export function choice<const T extends string>(choices: readonly T[]): Reader<T> {
  return (text, name) => {
    const wanted = text.replaceAll('_', '-').toLowerCase()
    const found = choices.find(word => word.replaceAll('_', '-').toLowerCase() === wanted)
    if (found === undefined) {
      throw unfit(name, text, `one of ${choices.join(', ')} is wanted${didYouMean(text, choices)}`)
    }
    return found
  }
}

/** Several of a few words, divided by commas. */
export function choices<const T extends string>(words: readonly T[]): Reader<readonly T[]> {
  const read = choice(words)
  return (text, name) => commaList(text, name).map(word => read(word, name))
}

/** Words divided by commas; empty ones are refused. */
export function commaList(text: string, name: string): readonly string[] {
  const words = text.split(',').map(word => word.trim())
  if (words.includes('')) throw unfit(name, text, 'a word between two commas is empty')
  return words
}

/** Milliseconds from `10m`, `2h`, `1h30m`. */
export function duration(text: string, name: string): number {
  const durationMs = parseDuration(text)
  if (durationMs === undefined) {
    throw unfit(name, text, 'a duration such as 90s, 10m, 2h, 3d or 1h30m is wanted')
  }
  return durationMs
}

/** An ISO-8601 time with its offset, or a duration counted from now. */
export function time(text: string, name: string): TimeGiven {
  const given = parseTimeGiven(text)
  if (given === undefined) {
    throw unfit(name, text, 'a time such as 2026-01-31T12:00:00Z, or a span such as 2h, is wanted')
  }
  return given
}

/** `sha256:` and 64 hexadecimal digits. */
export function digest(text: string, name: string): string {
  if (!/^sha256:[0-9a-f]{64}$/.test(text))
    throw unfit(name, text, 'sha256: and 64 hexadecimal digits are wanted')
  return text
}

/** `kind=value`; the value may hold further `=`. */
export function keyValue(text: string, name: string): { readonly key: string; readonly value: string } {
  const at = text.indexOf('=')
  if (at < 1 || at === text.length - 1) throw unfit(name, text, 'kind=value is wanted')
  return { key: text.slice(0, at), value: text.slice(at + 1) }
}

/** The usage error for a value that does not fit. */
export function unfit(name: string, text: string, why: string): LedgerError {
  return new LedgerError('usage', `${name} ${JSON.stringify(text)}: ${why}`, { path: name })
}

function one<T>(raw: Raw, name: string, read: Reader<T>): T | undefined {
  const [text] = texts(raw)
  return text === undefined ? undefined : read(text, name)
}

function texts(raw: Raw): readonly string[] {
  if (typeof raw === 'string') return [raw]
  return Array.isArray(raw) ? raw : []
}
