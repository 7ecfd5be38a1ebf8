import type { Client } from 'pg'
import type { LedgerError } from '../../../core/errors.js'
import { reasonOf, unreadable } from '../../unreadable.js'
import type { Address } from './address.js'

/** A question to the database; `$1` is the first of the values. Throws `ledger_unreadable`. */
export type Ask = <Row>(sql: string, values?: readonly (string | readonly string[])[]) => Promise<Row[]>

const CONNECT_WITHIN_MS = 10_000
// Rows are sought by the primary key: what takes longer waits for a lock or for another machine.
const STATEMENT_WITHIN_MS = 30_000

/** One moment of a database, and the connection that holds it. */
export interface Moment {
  readonly ask: Ask
  close(): Promise<void>
}

/**
 * Opens a transaction that may read only and sees one moment of the database, on a connection of its own. Rows that a
 * policy would hide are an error instead of a gap. Throws `ledger_unreadable` with the address, never with its password.
 */
export async function openMoment(address: Address): Promise<Moment> {
  const client = await connect(address)
  // The transaction has nothing to keep, and a connection that is gone needs no goodbye.
  const close = () => client.end().catch(() => undefined)
  try {
    await say(client, address, 'begin transaction isolation level repeatable read read only')
    for (const setting of [
      `statement_timeout = ${STATEMENT_WITHIN_MS}`,
      `lock_timeout = ${STATEMENT_WITHIN_MS}`,
      'row_security = off',
    ])
      await say(client, address, `set local ${setting}`)
  } catch (error) {
    await close()
    throw error
  }
  return {
    ask: async <Row>(sql: string, values: readonly (string | readonly string[])[] = []) =>
      // the columns of our own statement; their values are checked where they are used
      (await say(client, address, sql, values)).rows as Row[],
    close,
  }
}

async function connect(address: Address): Promise<Client> {
  const { default: pg } = await import('pg')
  let client: Client
  try {
    client = new pg.Client({
      connectionString: address.connection,
      connectionTimeoutMillis: CONNECT_WITHIN_MS,
      // Behind the server's own limit, for the case that the network is gone.
      query_timeout: 2 * STATEMENT_WITHIN_MS,
      application_name: 'agent-ledger checkpoint',
    })
  } catch {
    // The error of the URL parser repeats the URL, password included.
    throw unreadable(
      address.shown,
      'is not an address of PostgreSQL',
      'Write postgresql://user@host:5432/database?schema=…; signs like @ and / in a password as %40 and %2F.',
    )
  }
  // A connection that breaks between two questions says so at the next one.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return client
  } catch (error) {
    await client.end().catch(() => undefined)
    throw failed(address, error)
  }
}

async function say(client: Client, address: Address, sql: string, values: readonly unknown[] = []) {
  try {
    return await client.query(sql, [...values])
  } catch (error) {
    throw failed(address, error)
  }
}

interface Failure {
  readonly problem: string
  readonly hint: string
}

const ADDRESS_HINT =
  'Check host and port, and whether the server runs and lets this machine in; nothing was changed.'
const LOGIN_HINT =
  'Check user and password. The password may come from PGPASSWORD or ~/.pgpass instead of the address.'

// SQLSTATE, or the system's word: https://www.postgresql.org/docs/current/errcodes-appendix.html
const FAILURES: Readonly<Record<string, Failure>> = {
  ECONNREFUSED: { problem: 'cannot be reached: nothing listens there', hint: ADDRESS_HINT },
  ENOENT: { problem: 'cannot be reached: there is no such socket', hint: ADDRESS_HINT },
  ENOTFOUND: { problem: 'cannot be reached: the host has no address', hint: ADDRESS_HINT },
  EAI_AGAIN: { problem: 'cannot be reached: the host’s address was not found out', hint: ADDRESS_HINT },
  ETIMEDOUT: { problem: 'cannot be reached: no answer', hint: ADDRESS_HINT },
  EHOSTUNREACH: { problem: 'cannot be reached: no way leads there', hint: ADDRESS_HINT },
  '28P01': { problem: 'refuses the user or the password', hint: LOGIN_HINT },
  '28000': { problem: 'does not let this user in from here', hint: LOGIN_HINT },
  '3D000': { problem: 'has no such database', hint: 'Check the name after the host.' },
  '42501': {
    problem: 'does not let this user read the checkpoints, or not all of their rows',
    hint: 'Ask as a user with SELECT on the three tables, and BYPASSRLS where policies hide rows.',
  },
  '53300': { problem: 'has no connection left', hint: 'Try again in a moment.' },
  '57P03': { problem: 'is starting up or shutting down', hint: 'Try again in a moment.' },
  '57P01': { problem: 'ended the connection', hint: 'Try again in a moment; nothing was changed.' },
  '57014': {
    problem: `did not answer within ${STATEMENT_WITHIN_MS / 1000} s`,
    hint: 'Try again when the server has less to do, or name one thread with --thread.',
  },
  '55P03': {
    problem: 'has its tables locked by somebody',
    hint: 'Try again when the migration or the maintenance is over.',
  },
}

/** What a failing call says about the store. The driver's own words are kept where there is no better sentence. */
function failed(address: Address, error: unknown): LedgerError {
  const reason = reasonOf(error)
  const known = FAILURES[reason]
  if (known !== undefined) return unreadable(address.shown, known.problem, known.hint, error)
  const text = error instanceof Error && error.message !== '' ? error.message : reason
  if (/timeout/i.test(text))
    return unreadable(address.shown, 'cannot be reached: no answer', ADDRESS_HINT, error)
  const secret = passwordOf(address.connection)
  const said = secret === undefined ? text : text.replaceAll(secret, '***')
  return unreadable(
    address.shown,
    `could not be read (${reason === text ? said : `${reason}: ${said}`})`,
    'Try again in a moment; nothing was changed.',
  )
}

function passwordOf(connection: string): string | undefined {
  const found = /^[a-z]+:\/\/[^:@/?#]*:(.+)@/is.exec(connection)?.[1]
  return found === undefined || found === '' ? undefined : found
}
