import { statSync } from 'node:fs'
import type { Database } from 'better-sqlite3'
import { LedgerError } from '../../core/errors.js'
import type { GuestConnection } from '../guest-port.js'

/**
 * The application's own connection, once it is seen to be one that the ledger can be written through: in a
 * transaction, on this very file, with every setting that durability rests on. @throws LedgerError invalid_input
 */
export function guestDatabase(connection: GuestConnection, path: string): Database {
  if (!connection.open || !connection.inTransaction)
    throw unfit(
      path,
      'no transaction is open on it',
      'Call it inside database.transaction(() => { … }).immediate().',
    )
  if (!isSameFile(connection.name, path))
    throw unfit(
      path,
      `it is on ${connection.name || 'no file'}`,
      'Keep your tables in the file of the ledger.',
    )
  for (const { name, least } of SETTINGS) {
    const value = Number(connection.pragma(name, { simple: true }))
    if (value < least)
      throw unfit(
        path,
        `its ${name} is ${value}`,
        `Set it before the transaction: database.pragma('${name} = ${least}').`,
      )
  }
  // An application may bring its own copy of the driver: what the connection can do counts, not whose class it is.
  return connection as Database
}

/** What a commit of ours always has: see connection.ts. A transaction cannot change them any more. */
const SETTINGS = [
  { name: 'synchronous', least: 2 },
  { name: 'foreign_keys', least: 1 },
] as const

function isSameFile(name: string, path: string): boolean {
  // Looking at a file opens nothing, so no lock of SQLite is dropped.
  const [a, b] = [statSync(name, { throwIfNoEntry: false }), statSync(path, { throwIfNoEntry: false })]
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino
}

function unfit(path: string, what: string, hint: string): LedgerError {
  return new LedgerError('invalid_input', `the connection cannot write ${path}: ${what}`, { path, hint })
}

/** What a client of another database gets from a ledger that is a file. */
export function noClient(path: string): LedgerError {
  return unfit(
    path,
    'it is a client of PostgreSQL',
    'Give a connection of better-sqlite3, or open the ledger in PostgreSQL.',
  )
}
