import type { SchemaLine } from '../sqlite/schema-check.js'

// What a ledger that was moved is left with: triggers that refuse whatever would be written to it, so that programs
// which have it open, of any version and language, are stopped too.

/** How the refusal begins, in both databases. */
export const WAS_MOVED = 'this ledger was moved'
const SAYS = `${WAS_MOVED}: nothing is written here any more`

const DOINGS = ['insert', 'update', 'delete'] as const

/** Of a file: three triggers a table, as SQLite keeps their text. */
export function fencesOf(table: string): readonly { readonly name: string; readonly sql: string }[] {
  return DOINGS.map(doing => {
    const name = `${table}_moved_${doing}`
    const sql = `CREATE TRIGGER ${name} before ${doing} on ${table} begin select raise(abort, '${SAYS}'); end`
    return { name, sql }
  })
}

/** It is one of those, to the letter. */
export function isFence({ type, name, table, sql }: SchemaLine): boolean {
  return type === 'trigger' && fencesOf(table).some(fence => fence.name === name && fence.sql === sql)
}

/** Of a schema of PostgreSQL: one trigger a table, and the function they call. */
export const FENCE_FUNCTION = 'ledger_moved'
export const FENCE_BODY = `begin
  raise exception '${SAYS}';
end`

export function fenceName(table: string): string {
  return `${table}_moved`
}
