import type { JsonValue } from '../../core/json.js'
import { parseForeignJson } from '../../core/parse-json.js'

// Cells of a table without STRICT hold values of any kind, whatever its columns say.

export type CellRow = Readonly<Record<string, unknown>>

/** Text, or a number as text; null for null, blobs and what is empty. */
export function textIn(row: CellRow, name: string): string | null {
  const value = row[name]
  if (typeof value === 'string') return value === '' ? null : value
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : null
}

/** An id: text, as every program that keeps it there writes it; null for anything else. */
export function idIn(row: CellRow, name: string): string | null {
  const value = row[name]
  return typeof value === 'string' && value !== '' ? value : null
}

/** A whole number; null for anything else. */
export function wholeIn(row: CellRow, name: string): number | null {
  const value = row[name]
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null
}

/** JSON as parsed, a text that is none as the text it is; null where there is nothing. */
export function jsonIn(row: CellRow, name: string): JsonValue {
  const value = row[name]
  if (typeof value !== 'string') return null
  return parseForeignJson(value) ?? value
}

/** ISO 8601, or SQLite's "YYYY-MM-DD HH:MM:SS" in UTC, as milliseconds since 1970 UTC; null for what is no time. */
export function timeIn(row: CellRow, name: string): number | null {
  const value = row[name]
  if (typeof value !== 'string') return null
  const iso = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(?:\.\d+)?$/.test(value)
    ? `${value.replace(' ', 'T')}Z`
    : value
  const at = Date.parse(iso)
  return Number.isNaN(at) ? null : at
}
