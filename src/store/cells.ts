import { LedgerError } from '../core/errors.js'
import type { JsonValue } from '../core/json.js'
import type { Places, Row } from './engine.js'

// Cells of a row, read with the type that the schema gives their column. A cell of another type, or JSON that is
// none, got past the schema's checks: the file was changed from outside.

function cellOf({ cells, places }: Row, column: string): unknown {
  const place = places.get(column)
  return place === undefined ? undefined : cells[place]
}

/** The record of one of several tables in a row: columns that are named `<alias>.<name>`, by their own names. */
export function partOf({ cells, places }: Row, alias: string): Row {
  const parts = partsOf.get(places) ?? new Map<string, Places>()
  partsOf.set(places, parts)
  const known = parts.get(alias) ?? placesUnder(places, `${alias}.`)
  parts.set(alias, known)
  return { cells, places: known }
}

const partsOf = new WeakMap<Places, Map<string, Places>>()

function placesUnder(places: Places, prefix: string): Places {
  const own = [...places].filter(([name]) => name.startsWith(prefix))
  return new Map(own.map(([name, place]) => [name.slice(prefix.length), place]))
}

export function text(row: Row, column: string): string {
  const cell = cellOf(row, column)
  return typeof cell === 'string' ? cell : wrong(column, cell)
}

export function textOrNull(row: Row, column: string): string | null {
  const cell = cellOf(row, column)
  return cell === null || typeof cell === 'string' ? cell : wrong(column, cell)
}

export function number(row: Row, column: string): number {
  const cell = cellOf(row, column)
  return typeof cell === 'number' ? cell : wrong(column, cell)
}

export function numberOrNull(row: Row, column: string): number | null {
  const cell = cellOf(row, column)
  return cell === null || typeof cell === 'number' ? cell : wrong(column, cell)
}

export function flag(row: Row, column: string): boolean {
  return number(row, column) !== 0
}

/** One of a list of words that the column's CHECK repeats. */
export function word<T extends string>(row: Row, column: string, words: readonly T[]): T {
  return wordOrNull(row, column, words) ?? wrong(column, null)
}

export function wordOrNull<T extends string>(row: Row, column: string, words: readonly T[]): T | null {
  const cell = textOrNull(row, column)
  return cell === null ? null : (words.find(known => known === cell) ?? wrong(column, cell))
}

/** A hash as its 32 bytes. */
export function bytes(row: Row, column: string): Buffer {
  return bytesOrNull(row, column) ?? wrong(column, null)
}

export function bytesOrNull(row: Row, column: string): Buffer | null {
  const cell = cellOf(row, column)
  return cell === null || cell instanceof Buffer ? cell : wrong(column, cell)
}

/** `sha256:<hex>` of a hash that is stored as its 32 bytes. */
export function digest(row: Row, column: string): string {
  return `sha256:${bytes(row, column).toString('hex')}`
}

export function digestOrNull(row: Row, column: string): string | null {
  const cell = bytesOrNull(row, column)
  return cell === null ? null : `sha256:${cell.toString('hex')}`
}

export function json<T = JsonValue>(row: Row, column: string): T {
  return parsed(text(row, column), column)
}

export function jsonOrNull<T = JsonValue>(row: Row, column: string): T | null {
  const cell = textOrNull(row, column)
  return cell === null ? null : parsed(cell, column)
}

/** JSON that is mostly empty: then it is not parsed. */
export function jsonOr<T>(row: Row, column: string, empty: T, emptyText: '{}' | '[]'): T {
  const cell = text(row, column)
  return cell === emptyText ? empty : parsed(cell, column)
}

/** Its shape is what this program's own writer, held by the schema's checks, put there. */
function parsed<T>(cell: string, column: string): T {
  try {
    return JSON.parse(cell)
  } catch (cause) {
    throw new LedgerError('ledger_damaged', `column ${column} holds text that is no JSON`, { cause })
  }
}

function wrong(column: string, cell: unknown): never {
  const found = cell === null ? 'null' : typeof cell
  throw new LedgerError('ledger_damaged', `column ${column} holds ${found}, against the ledger's schema`)
}
