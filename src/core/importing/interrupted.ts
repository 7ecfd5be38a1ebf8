import { LedgerError } from '../errors.js'

/** Somebody told it to stop before the end of an input. */
export function interrupted(path: string): LedgerError {
  return new LedgerError('declined', `interrupted: nothing of ${path} was stored`, {
    path,
    hint: 'Run it again: it begins anew.',
  })
}
