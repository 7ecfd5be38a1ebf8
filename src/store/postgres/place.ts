import { LedgerError } from '../../core/errors.js'
import { shownUrl } from '../location.js'

/** What a `postgresql://` URL says, read as libpq reads it (https://www.postgresql.org/docs/current/libpq-connect.html). */
export interface PostgresPlace {
  /** the URL without its password, for people */
  readonly shown: string
  /** the schema that holds the ledger's tables */
  readonly schema: string
  /** undefined: as PGHOST, PGPORT, PGUSER, PGDATABASE and PGPASSWORD or ~/.pgpass say */
  readonly host: string | undefined
  readonly port: number | undefined
  readonly user: string | undefined
  readonly password: string | undefined
  readonly database: string | undefined
  readonly ssl: SslMode
  /** paths of certificates and of a key */
  readonly sslFiles: {
    readonly ca: string | undefined
    readonly cert: string | undefined
    readonly key: string | undefined
  }
  /** at most so many connections of one process */
  readonly connections: number
  readonly connectTimeoutMs: number | undefined
  readonly applicationName: string | undefined
}

const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'] as const
export type SslMode = (typeof SSL_MODES)[number]

/** Where nobody names another: beside the application's own tables. */
export const USUAL_SCHEMA = 'agent_ledger'

/** A server lets in 100 unless it is told otherwise, and many machines share it. */
const USUAL_CONNECTIONS = 4
const MOST_CONNECTIONS = 200

const PARAMETERS = [
  'schema',
  'connections',
  'host',
  'port',
  'user',
  'password',
  'dbname',
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'connect_timeout',
  'application_name',
] as const

/** @throws LedgerError usage for a URL that cannot be read, or that asks for what is not known */
export function placeOf(text: string): PostgresPlace {
  const shown = shownUrl(text)
  const url = parsed(text, shown)
  if (url.hash !== '' || url.pathname.includes('@')) throw unescaped(shown)
  const given = (name: (typeof PARAMETERS)[number]) => url.searchParams.get(name) ?? undefined
  const unknown = [...url.searchParams.keys()].find(name => !PARAMETERS.some(known => known === name))
  if (unknown !== undefined)
    throw wrong(shown, `nothing is known of "${unknown}"`, `Known are ${PARAMETERS.join(', ')}.`)
  const port = number(given('port') ?? nonEmpty(url.port), shown, 'port', 65_535)
  const timeout = number(given('connect_timeout'), shown, 'connect_timeout', 86_400)
  return {
    shown,
    schema: schemaNamed(given('schema') ?? USUAL_SCHEMA, shown),
    host: given('host') ?? nonEmpty(decoded(url.hostname, shown).replace(/^\[|\]$/g, '')),
    port,
    user: given('user') ?? nonEmpty(decoded(url.username, shown)),
    password: given('password') ?? nonEmpty(decoded(url.password, shown)),
    database: given('dbname') ?? nonEmpty(decoded(url.pathname.slice(1), shown)),
    ssl: checkedMode(sslMode(given('sslmode'), shown), given('sslrootcert'), shown),
    sslFiles: { ca: given('sslrootcert'), cert: given('sslcert'), key: given('sslkey') },
    connections: number(given('connections'), shown, 'connections', MOST_CONNECTIONS) ?? USUAL_CONNECTIONS,
    connectTimeoutMs: timeout === undefined ? undefined : timeout * 1_000,
    applicationName: given('application_name'),
  }
}

function parsed(text: string, shown: string): URL {
  try {
    // A URL without a host, as for a Unix socket, is none with a user: libpq takes it all the same.
    if (/^[^?]*,/.test(text)) throw new Error('several hosts')
    return new URL(text.replace(/^(postgres(?:ql)?:\/\/[^/?#]*@)(?=[/?]|$)/i, '$1.'))
  } catch (cause) {
    const several = /^[^?]*,/.test(text)
    throw wrong(
      shown,
      several ? 'it names several hosts' : 'it is no URL',
      several
        ? 'Name one host, such as the one in front of them that leads to the writer.'
        : 'Write postgresql://user@host:5432/database?schema=name, with %-escapes for what is special in a URL (%2F for /, %40 for @), or give the password in PGPASSWORD.',
      cause,
    )
  }
}

function unescaped(shown: string): LedgerError {
  return wrong(
    shown,
    'it holds a # or an @ where a URL has none',
    'Write what is special in a password as %-escapes (%40 for @, %2F for /, %3F for ?, %23 for #), or give it in PGPASSWORD or ~/.pgpass.',
  )
}

/** The dot that stands in for a host that was left out. */
function nonEmpty(text: string): string | undefined {
  return text === '' || text === '.' ? undefined : text
}

function decoded(text: string, shown: string): string {
  try {
    return decodeURIComponent(text)
  } catch (cause) {
    throw wrong(shown, 'it holds a % that begins no escape', 'Write %25 for a percent sign.', cause)
  }
}

function schemaNamed(name: string, shown: string): string {
  if (name !== '' && Buffer.byteLength(name) <= 63 && !name.includes('\0') && !/^pg_/i.test(name)) return name
  throw wrong(
    shown,
    `"${name}" can be no schema of a ledger`,
    'A name has 1 to 63 bytes and does not begin with pg_.',
  )
}

function sslMode(text: string | undefined, shown: string): SslMode {
  if (text === undefined) return 'prefer'
  const mode = SSL_MODES.find(known => known === text)
  if (mode !== undefined) return mode
  throw wrong(shown, `there is no sslmode "${text}"`, `Known are ${SSL_MODES.join(', ')}.`)
}

/** An authority that nothing is held against looks like a check that is made. */
function checkedMode(mode: SslMode, authority: string | undefined, shown: string): SslMode {
  if (authority === undefined || mode.startsWith('verify-')) return mode
  throw wrong(
    shown,
    `sslrootcert= is not looked at with sslmode=${mode}`,
    'Say sslmode=verify-full (or verify-ca, which does not look at the name), or leave sslrootcert= out.',
  )
}

function number(text: string | undefined, shown: string, name: string, most: number): number | undefined {
  if (text === undefined) return undefined
  const value = /^\d+$/.test(text) ? Number(text) : 0
  if (value >= 1 && value <= most) return value
  throw wrong(shown, `${name}=${text} is no number from 1 to ${most}`, 'Correct it, or leave it out.')
}

function wrong(shown: string, what: string, hint: string, cause?: unknown): LedgerError {
  return new LedgerError('usage', `${shown}: ${what}`, { path: shown, hint, cause })
}
