import { existsSync } from 'node:fs'
import type { JsonValue } from '../../core/json.js'
import { MOST_ROWS, type Rows, type SqlQuestion } from './question.js'

/**
 * A select on a SQLite file, opened read only. The file is a stranger's: its triggers and views run nothing that
 * writes, and `query_only` holds whatever the statement says.
 */
export async function querySqlite(path: string, { query, params }: SqlQuestion): Promise<Rows> {
  if (!existsSync(path)) return { problem: `${path} is not there` }
  const { default: Database } = await import('better-sqlite3')
  let database: InstanceType<typeof Database> | undefined
  try {
    database = new Database(path, { readonly: true, fileMustExist: true, timeout: 2_000 })
    database.pragma('query_only = true')
    database.pragma('trusted_schema = false')
    // Every digit is kept: a rounded id names something else.
    const statement = database.prepare(query).safeIntegers()
    if (!statement.reader || !statement.readonly) return { problem: 'the query is no plain select' }
    const rows: JsonValue[] = []
    const named = Object.fromEntries(params.map((value, i) => [String(i + 1), value]))
    const given = params.length === 0 ? [] : [named]
    for (const row of statement.iterate(...given)) {
      if (rows.length === MOST_ROWS) return { rows, isCut: true }
      rows.push(plain(row))
    }
    return { rows, isCut: false }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  } finally {
    database?.close()
  }
}

/** A row as JSON: whole numbers as text where they are large, bytes as hex. */
function plain(row: unknown): JsonValue {
  const text = JSON.stringify(row, (_, value: unknown) => {
    if (typeof value === 'bigint')
      return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString()
    return value
  })
  const value: JsonValue = JSON.parse(text)
  return value
}
