// Another copy of this package may have made the error: the mark is found by all of them.
const MARK = Symbol.for('agent-ledger/not-executed')

/** What a handler throws when it knows for certain that nothing took effect, and nothing will. */
export class NotExecuted extends Error {
  override readonly name = 'NotExecuted'
  readonly [MARK] = true
}

/**
 * For a handler to throw: the service refused before anything happened, or the call was never made. Anything
 * less certain is thrown as it is, and the operation becomes `unknown`.
 */
export function notExecuted(reason: string, options?: ErrorOptions): NotExecuted {
  return new NotExecuted(reason, options)
}

export function saysNotExecuted(thrown: object): boolean {
  return Reflect.get(thrown, MARK) === true
}
