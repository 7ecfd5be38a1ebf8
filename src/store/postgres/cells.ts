import { LedgerError } from '../../core/errors.js'
import type { Param, Query } from '../engine.js'
import { type Translated, translate } from './dialect.js'

// Values on their way to PostgreSQL and back, both as text but for bytes.

/** A statement as it goes over the wire. */
export interface Statement {
  readonly text: string
  readonly values: readonly Value[]
  /** kept by the server under a name: parsed and planned once for each connection */
  readonly isKept: boolean
}

export type Value = string | Buffer | null

export type CellParser = (field: string) => string | number | Buffer

/** How cells of a type are read, by its number in pg_type. */
export function parserOf(type: number): CellParser {
  return PARSERS.get(type) ?? asText
}

const asText: CellParser = field => field
const asNumber: CellParser = field => Number(field)
const asFlag: CellParser = field => (field === 't' ? 1 : 0)
const asBytes: CellParser = field => Buffer.from(field.slice('\\x'.length), 'hex')

const PARSERS: ReadonlyMap<number, CellParser> = new Map([
  [16, asFlag], // bool, which SQLite answers as 1 and 0
  [17, asBytes], // bytea
  [20, asNumber], // int8
  [21, asNumber], // int2
  [23, asNumber], // int4
  [26, asNumber], // oid
  [700, asNumber], // float4
  [701, asNumber], // float8
  [1700, asNumber], // numeric, which sums and counts can be
])

const translations = new Map<string, Map<string, Translated>>()

/** A query as a statement for the ledger of this schema. @throws LedgerError invalid_input for a value it cannot hold */
export function statementOf({ text, params }: Query, schema: string, isKept: boolean): Statement {
  let known = translations.get(schema)
  if (known === undefined) {
    known = new Map()
    translations.set(schema, known)
  }
  let translated = known.get(text)
  if (translated === undefined) {
    translated = translate(text, schema)
    known.set(text, translated)
  }
  const { places, lists } = translated
  const values = places.map(place =>
    lists.has(place) ? arrayOf(String(params[place])) : boundOf(params[place], place + 1),
  )
  return { text: translated.text, values, isKept }
}

/** A JSON list of texts as the literal of an array (https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO). */
function arrayOf(list: string): string {
  const texts: readonly unknown[] = JSON.parse(list)
  return `{${texts.map(text => `"${String(text).replace(/["\\]/g, '\\$&').replaceAll('\0', '\u{fffd}')}"`).join(',')}}`
}

// A lone surrogate would come back as U+FFFD, so a hash over it would never verify; PostgreSQL holds no NUL in a text.
function boundOf(param: Param | undefined, position: number): Value {
  switch (typeof param) {
    case 'string':
      if (param.isWellFormed() && !param.includes('\0')) return param
      throw unstorable(position, 'text with a NUL or half of a surrogate pair')
    case 'boolean':
      return param ? '1' : '0'
    case 'bigint':
      return String(param)
    case 'number':
      return numeric(param, position)
    case 'object':
      return param === null || param instanceof Buffer ? param : Buffer.from(param)
    default:
      throw unstorable(position, 'a value that is missing')
  }
}

function numeric(param: number, position: number): string {
  if (Number.isInteger(param) && !Number.isSafeInteger(param))
    throw unstorable(position, 'a whole number beyond 2^53 (pass it as text)')
  if (!Number.isFinite(param)) throw unstorable(position, 'a number that is not finite')
  return Object.is(param, -0) ? '0' : String(param)
}

function unstorable(position: number, what: string): LedgerError {
  return new LedgerError('invalid_input', `${what} cannot be stored (parameter ${position} of a query)`)
}
