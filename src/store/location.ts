import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LedgerError } from '../core/errors.js'

/** Where a ledger lives: a file, or a PostgreSQL schema. */
export type Location =
  | { readonly engine: 'sqlite'; readonly path: string }
  | { readonly engine: 'postgresql'; readonly url: string }

/**
 * Reads what a person typed: a path, `file:relative` or `file:///absolute` for SQLite, `postgresql://` (or
 * `postgres://`) for PostgreSQL. Throws `usage` for any other scheme.
 */
export function parseLocation(text: string): Location {
  if (text === '') throw new LedgerError('usage', 'the ledger is named by an empty text')
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(text)?.[1]?.toLowerCase()
  switch (scheme) {
    case undefined:
      return { engine: 'sqlite', path: resolve(text) }
    case 'file':
      return { engine: 'sqlite', path: filePath(text) }
    case 'postgresql':
    case 'postgres':
      return { engine: 'postgresql', url: text }
    default:
      if (text.startsWith(`${scheme}://`)) throw unknownScheme(scheme, text)
      return { engine: 'sqlite', path: resolve(text) } // a path with a colon in it
  }
}

/** The location as it may be shown: a URL without its password. */
export function shownLocation(location: Location): string {
  return location.engine === 'sqlite' ? location.path : shownUrl(location.url)
}

/** The URL of a database without its password, wherever in it one stands; it need not be one that can be read. Where the
 * password is in PGPASSWORD or ~/.pgpass, it can be typed as it is. */
export function shownUrl(url: string): string {
  const shown = url
    .replace(/^([a-z+]+:\/\/[^/?#:@]*):[^/?#]*@/i, '$1@')
    .replace(/([?&])(?:ssl)?password=[^&#]*&?/gi, '$1')
    .replace(/[?&]$/, '')
  return isWithoutRemnant(shown) ? shown : url.replace(/^([a-z+]+:\/\/[^/?#:@]*):.*@/is, '$1@')
}

/**
 * A password that was typed as it is may hold what ends the place of a password in a URL. Then its end stands where host,
 * database and parameters should, and the @ before the host after that.
 */
function isWithoutRemnant(shown: string): boolean {
  const [place = '', query = ''] = shown.split(/\?(.*)/s)
  const isPlace = /^[a-z+]+:\/\/(?:[^/#@:]*@)?(?:\[[^\]@/#]*\]|[^/#@:[\]]*)(?::\d*)?(?:\/[^#@]*)?$/i.test(
    place,
  )
  return isPlace && query.split('&').every(part => /^[^@#]*(?:=[^#]*)?$/.test(part))
}

/** The file of a location, for what only files have. @throws LedgerError usage for any other engine */
export function sqliteOnly(location: Location): Extract<Location, { engine: 'sqlite' }> {
  if (location.engine === 'sqlite') return location
  const path = shownLocation(location)
  throw new LedgerError('usage', `${path}: this is for ledgers in SQLite files only`, {
    path,
    hint: 'A ledger in PostgreSQL is copied with the tools of the server, such as pg_dump --schema.',
  })
}

function filePath(text: string): string {
  const rest = text.slice('file:'.length)
  if (!rest.startsWith('//')) return resolve(decoded(rest, text))
  try {
    return fileURLToPath(text)
  } catch (error) {
    throw new LedgerError('usage', `${text} names no file of this machine`, { path: text, cause: error })
  }
}

function decoded(rest: string, text: string): string {
  try {
    return decodeURIComponent(rest)
  } catch (error) {
    throw new LedgerError('usage', `${text} is no file URL`, { path: text, cause: error })
  }
}

function unknownScheme(scheme: string, text: string): LedgerError {
  return new LedgerError('usage', `no ledger lives at a ${scheme}: URL (${text})`, {
    path: text,
    hint: 'Give a path, a file: URL or a postgresql: URL.',
  })
}

export function hasNoPartitions(path: string): LedgerError {
  return new LedgerError('usage', `${path} is a file: its tables are not split`, {
    path: '--partitions',
    hint: 'Leave --partitions out. Partitions are for ledgers in PostgreSQL.',
  })
}
