import { LedgerError } from '../core/errors.js'

/** The error of every source for a path that cannot be read: what is wrong with it, and what to do about it. */
export function unreadable(path: string, problem: string, hint: string, cause?: unknown): LedgerError {
  return new LedgerError('ledger_unreadable', `${path} ${problem}`, { path, hint, cause })
}

/** The system's own word for a failed file operation (`EACCES`), or its message. */
export function reasonOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code
  return error instanceof Error ? error.message : String(error)
}
