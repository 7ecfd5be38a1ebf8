import { LedgerError } from './errors.js'

/** What is wrong with a value, in words that follow the field's name; null where nothing is. */
export type Check = (value: unknown) => string | null

/**
 * Checks an object given by a program, by hand because validators cost start-up time on the way to every call.
 * A name that means nothing is refused: a misspelt `timeoutMS` must not pass for "no limit". Fields that are
 * undefined count as left out. @throws LedgerError invalid_input naming the field
 */
export function checkFields(
  given: unknown,
  {
    fields,
    required = [],
    what,
  }: { fields: Readonly<Record<string, Check>>; required?: readonly string[]; what: string },
): void {
  checkKeys(given, fields, what)
  for (const name in fields) {
    const value: unknown = Reflect.get(given, name)
    if (value === undefined && !required.includes(name)) continue
    const problem = value === undefined ? 'is missing' : (fields[name]?.(value) ?? null)
    if (problem !== null) throw unfit(what, name, problem)
  }
}

/** The same for the names alone. */
export function checkKeys(
  given: unknown,
  known: Readonly<Record<string, unknown>>,
  what: string,
): asserts given is object {
  if (isObject(given) !== null) throw unfit(what, '', 'an object is wanted')
  const unknown = Object.keys(Object(given)).find(name => !Object.hasOwn(known, name))
  if (unknown === undefined) return
  throw unfit(what, unknown, `means nothing here; known are ${Object.keys(known).join(', ')}`)
}

/** Text without NUL and lone surrogates, which no database keeps as they are. */
export const isText: Check = value =>
  typeof value === 'string' && value.isWellFormed() && !value.includes('\0')
    ? null
    : 'must be well-formed text without NUL'

export const isSomeText: Check = value => (value === '' ? 'is empty' : isText(value))

export const isAny: Check = () => null

export const isObject: Check = value =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? null : 'must be an object'

export const isTextList: Check = value =>
  Array.isArray(value) && value.every(item => isText(item) === null) ? null : 'must be a list of texts'

/** A moment: integer milliseconds since 1970 UTC. */
export const isTime: Check = value =>
  Number.isSafeInteger(value) && Math.abs(Number(value)) <= 8.64e15
    ? null
    : 'must be integer milliseconds since 1970 UTC'

export function isWhole(least: number, most: number): Check {
  return value =>
    Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most
      ? null
      : `must be a whole number from ${least} to ${most}`
}

export function isOneOf(words: readonly string[]): Check {
  return value => (words.some(word => word === value) ? null : `must be one of ${words.join(', ')}`)
}

function unfit(what: string, name: string, problem: string): LedgerError {
  const subject = name === '' ? what : `${what}: ${JSON.stringify(name)}`
  return new LedgerError('invalid_input', `${subject}${name === '' ? ': ' : ' '}${problem}`, { path: name })
}
