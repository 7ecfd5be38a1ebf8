import { LedgerError } from '../core/errors.js'

/** Refuses a name that means nothing: a misspelt `timeoutMS` must not pass for "no limit". */
export function checkKeys(given: object, known: Readonly<Record<string, unknown>>, what: string): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new LedgerError('invalid_input', `${what}: an object is wanted`)
  }
  const unknown = Object.keys(given).filter(key => !Object.hasOwn(known, key))
  if (unknown.length === 0) return
  throw new LedgerError(
    'invalid_input',
    `${what}: ${unknown.map(name => JSON.stringify(name)).join(', ')} means nothing here`,
    { path: unknown[0] ?? '', hint: `Known names: ${Object.keys(known).join(', ')}.` },
  )
}
