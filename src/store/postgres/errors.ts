import { type ErrorCode, isLedgerError, LedgerError } from '../../core/errors.js'
import { WAS_MOVED } from '../moving/fence-lines.js'
import type { PostgresPlace } from './place.js'

/** The SQLSTATE of an error that the server sent (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
export function sqlState(error: unknown): string | null {
  const given = error instanceof Error && 'code' in error && 'severity' in error
  return given && typeof error.code === 'string' ? error.code : null
}

/** The connection is gone or is being ended by the server: what was under way on it may have been done or not. */
export function isConnectionLost(error: unknown): boolean {
  const state = sqlState(error)
  if (state !== null) return /^(?:08|57P0[1-5])/.test(state)
  return networkCode(error) !== null || (error instanceof Error && LOST.test(error.message))
}

const LOST =
  /^(?:Connection terminated|Client has encountered a connection error|Client was closed|timeout expired|the server did not answer)/

/** Two commits stood in each other's way, and nothing was written: the same again may well succeed. */
export function isCollision(error: unknown): boolean {
  const state = sqlState(error)
  if (state === null) return false
  return ['40001', '40P01', '55P03', '55006'].includes(state) || isRace(error, state)
}

/** A row that another commit added since it was looked for. A writer that looks again sees it. */
function isRace(error: unknown, state: string): boolean {
  if (state !== '23505' || !(error instanceof Error) || !('table' in error)) return false
  return typeof error.table === 'string' && error.table.startsWith('ledger_')
}

/** The server is there and takes nobody in for the moment: it starts, stops or has no place left. */
export function isServerBusy(error: unknown): boolean {
  return ['57P03', '53300'].includes(sqlState(error) ?? '')
}

function networkCode(error: unknown): string | null {
  const given = error instanceof Error && 'code' in error && !('severity' in error) ? error.code : null
  return typeof given === 'string' && /^E[A-Z_]+$/.test(given) ? given : null
}

export interface FaultContext {
  readonly place: PostgresPlace
  readonly doing: 'opening' | 'reading' | 'writing'
  readonly facts?: Readonly<Record<string, unknown>>
}

/** Says which ledger a failure concerns and what to do; an error that is none of the server's passes as it is. */
export function explained(error: unknown, { place, doing, facts }: FaultContext): unknown {
  if (isLedgerError(error)) return error
  const state = sqlState(error)
  const fault = FAULTS.find(row => row.is(state, error))
  if (fault === undefined) return error
  const says = typeof fault.says === 'string' ? fault.says : fault.says(place)
  const code = state ?? networkCode(error) ?? certificateCode(error)
  return new LedgerError(
    fault.code ?? (doing === 'writing' ? 'ledger_unwritable' : 'ledger_unreadable'),
    `${place.shown}: ${says}${code === '' ? '' : ` (${code})`}`,
    {
      path: place.shown,
      hint: fault.hint,
      cause: error,
      ...(facts === undefined ? {} : { facts }),
    },
  )
}

interface Fault {
  readonly is: (state: string | null, error: unknown) => boolean
  readonly says: string | ((place: PostgresPlace) => string)
  readonly hint: string
  /** where it is the same for reading and writing */
  readonly code?: ErrorCode
}

const FAULTS: readonly Fault[] = [
  {
    is: (state, error) => state === 'P0001' && error instanceof Error && error.message.startsWith(WAS_MOVED),
    says: 'it was moved elsewhere while this program had it open, and nothing was written',
    hint: 'Open the ledger at its new place.',
  },
  {
    is: state => state === '28P01' || state === '28000',
    says: place => `the server does not let ${place.user ?? 'this user'} in`,
    hint: 'Correct user and password (PGPASSWORD or ~/.pgpass keep it out of the command line), or ask for an entry in pg_hba.conf.',
    code: 'ledger_unreadable',
  },
  {
    is: state => state === '3D000',
    says: place => `there is no database ${place.database ?? ''}`.trimEnd(),
    hint: 'Correct the name of the database, or let it be created first; `agent-ledger init` makes the schema in it.',
    code: 'ledger_missing',
  },
  {
    is: state => state === '3F000' || state === '42P01',
    says: place => `there is no ledger in the schema ${place.schema}`,
    hint: 'Correct ?schema=, or make the ledger there with `agent-ledger init`.',
    code: 'ledger_missing',
  },
  {
    is: state => state === '42501',
    says: place => `${place.user ?? 'this user'} may not do this with the schema ${place.schema}`,
    hint: 'Grant the role agent_ledger_writer, agent_ledger_operator or, to look only, agent_ledger_reader.',
  },
  {
    is: state => state === '25006',
    says: 'it is read-only: a replica, or a user that may only read',
    hint: 'Commands that only look work here. To decide and to send, name the primary server.',
  },
  {
    is: state => state === '53300',
    says: 'the server has no connection left',
    hint: 'Use fewer (?connections=), raise max_connections, or put a pooler in front of it.',
  },
  {
    is: state => state === '57P03',
    says: 'the server is starting, stopping or recovering',
    hint: 'Try again in a moment.',
  },
  {
    is: state => state === '57014',
    says: 'the server gave a statement up after its time limit',
    hint: 'Look at what the server is busy with (pg_stat_activity), then try again.',
  },
  {
    is: state => state !== null && /^53/.test(state),
    says: 'the server is out of disk, memory or connections',
    hint: 'Free some on the server, then run it again.',
  },
  {
    is: (state, error) =>
      state === null && networkCode(error) !== null && /^E(?:NOTFOUND|AI_)/.test(networkCode(error) ?? ''),
    says: place => `there is no host ${place.host ?? ''}`.trimEnd(),
    hint: 'Correct the host of the URL.',
  },
  {
    is: (state, error) => state === null && /ERR_TLS_CERT_ALTNAME_INVALID/.test(certificateCode(error)),
    says: place => `the certificate of the server is not for the host ${place.host ?? ''}`.trimEnd(),
    hint: 'Correct the host, or say sslmode=verify-ca where the authority that signed it (sslrootcert=) is enough.',
  },
  {
    is: (state, error) => state === null && certificateCode(error) !== '',
    says: 'the certificate of the server does not hold',
    hint: 'Name the authority that signed it with sslrootcert=, or let it have a new one where it ran out.',
  },
  {
    is: (_, error) => error instanceof Error && /does not support SSL/.test(error.message),
    says: 'the server speaks no TLS',
    hint: 'Turn it on at the server, or say sslmode=disable where the way to it is safe.',
  },
  {
    is: (_, error) => error instanceof Error && /establishing an SSL connection/.test(error.message),
    says: place => `what answers at ${place.host ?? 'its usual place'} is no PostgreSQL server`,
    hint: 'Look whether host and port are right, and whether a proxy stands between.',
  },
  {
    is: (_, error) => isConnectionLost(error),
    says: place => `the server cannot be reached at ${place.host ?? 'its usual place'}`,
    hint: 'Look whether it runs and whether host and port are right. Nothing further is sent while it is away.',
  },
  {
    is: (_, error) => error instanceof Error && /SASL|password must be a string/i.test(error.message),
    says: 'the server wants a password',
    hint: 'Give it in PGPASSWORD or ~/.pgpass, or in the URL.',
    code: 'ledger_unreadable',
  },
]

/** How it does not hold, in the words of OpenSSL; empty where it is no matter of certificates. */
function certificateCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /CERT|SIGNATURE|ERR_TLS|ERR_SSL/.test(code) ? code : ''
}
