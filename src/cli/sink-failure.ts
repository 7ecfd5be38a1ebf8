import { LedgerError } from '../core/errors.js'

/** Nobody reads any more. EIO: the terminal is gone. */
export function hasNoReader(error: Error): boolean {
  return 'code' in error && (error.code === 'EPIPE' || error.code === 'EIO')
}

export function unwritable(name: string, cause: Error): LedgerError {
  return new LedgerError('internal', `${name} cannot be written: ${cause.message}`, {
    hint: 'Make room where it goes; what the command decided is in the ledger all the same.',
    cause,
  })
}
