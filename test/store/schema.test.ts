import { readFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { linesFile, linesModule, schemaOf } from '../../scripts/schema-lines.js'
import { ATTEMPT_ENDS } from '../../src/core/attempt.js'
import { LedgerError } from '../../src/core/errors.js'
import { EVIDENCE_KINDS, EVIDENCE_ORIGINS } from '../../src/core/evidence.js'
import { EFFECTS, OPERATION_STATUSES } from '../../src/core/operation.js'
import { CLOSED_TASK_STATUSES, TASK_STATUSES } from '../../src/core/task.js'
import { ATTEMPTS, OPERATIONS, TASKS } from '../../src/store/columns.js'
import { MIGRATIONS } from '../../src/store/migrations/index.js'
import { NEWEST_SCHEMA, schemaText } from '../../src/store/migrations/schemas.js'
import { APPLICATION_ID } from '../../src/store/sqlite/header.js'
import { migrate } from '../../src/store/sqlite/migrate.js'
import { linesText, type SchemaLine } from '../../src/store/sqlite/schema-check.js'

describe('the schema', () => {
  it.each(MIGRATIONS.map(({ version }) => version))(
    '%i is what was released under that number',
    async version => {
      await expect(dump(schemaOf(version))).toMatchFileSnapshot(`../../fixtures/schema/${version}.sql`)
    },
  )

  it.each(MIGRATIONS)('$version ($title) is what openings compare a file with', ({ version }) => {
    expect(schemaText(version)).toBe(linesText(schemaOf(version)))
    expect(readFileSync(linesFile(version), 'utf8')).toBe(linesModule(version))
  })

  it('is numbered without a gap', () => {
    expect(MIGRATIONS.map(({ version }) => version)).toEqual(
      Array.from({ length: NEWEST_SCHEMA }, (_, n) => n + 1),
    )
  })

  it('has the words of the model in its checks', () => {
    const sql = sqlOf('ledger_operation')
    for (const [column, words] of [
      ['status', OPERATION_STATUSES],
      ['effect', EFFECTS],
    ] as const)
      expect(wordsOf(sql, column)).toEqual([...words])
    expect(wordsOf(sqlOf('ledger_task'), 'status')).toEqual([...TASK_STATUSES])
    expect(sqlOf('ledger_task')).toContain(CLOSED_TASK_STATUSES.map(word => `'${word}'`).join(', '))
    expect(wordsOf(sqlOf('ledger_attempt'), '"end"')).toEqual([...ATTEMPT_ENDS])
    expect(wordsOf(sqlOf('ledger_evidence'), 'kind')).toEqual([...EVIDENCE_KINDS])
    expect(wordsOf(sqlOf('ledger_evidence'), 'origin')).toEqual([...EVIDENCE_ORIGINS])
  })

  it('has a column for each field of a record, under its name', () => {
    const database = new Database(':memory:')
    migrate(database, ':memory:')
    for (const table of [OPERATIONS, TASKS, ATTEMPTS]) {
      const names = database.prepare(`select name from pragma_table_info('${table.name}')`).pluck().all()
      expect(names).toEqual(expect.arrayContaining(table.columns.map(column => column.name)))
    }
  })

  it('is explained in docs/schema.md, table by table and column by column', () => {
    const doc = readFileSync('docs/schema.md', 'utf8')
    const database = new Database(':memory:')
    migrate(database, ':memory:')
    const tables = database
      .prepare<[], string>(`select name from sqlite_schema where type = 'table'`)
      .pluck()
      .all()
    for (const table of tables) {
      const section = doc.split(/^## /m).find(part => part.startsWith(`\`${table}\``)) ?? ''
      expect(section, `docs/schema.md has no section on ${table}`).not.toBe('')
      const columns = database
        .prepare<[], string>(`select name from pragma_table_xinfo('${table}')`)
        .pluck()
        .all()
      for (const column of columns) expect(section, `${table}.${column}`).toContain(`\`${column}\``)
    }
  })
})

describe('a migration', () => {
  it('marks the file as a ledger of the newest schema, and is done once', () => {
    const database = new Database(':memory:')
    expect(migrate(database, ':memory:').map(({ version }) => version)).toEqual([1])
    expect(database.pragma('application_id', { simple: true })).toBe(APPLICATION_ID)
    expect(database.pragma('user_version', { simple: true })).toBe(NEWEST_SCHEMA)
    expect(migrate(database, ':memory:')).toEqual([])
  })

  it('refuses a newer schema and leaves it as it is', () => {
    const database = new Database(':memory:')
    database.pragma(`user_version = ${NEWEST_SCHEMA + 1}`)
    expect(() => migrate(database, 'a.db')).toThrow(LedgerError)
    expect(database.inTransaction).toBe(false)
    expect(database.prepare('select count(*) from sqlite_schema').pluck().get()).toBe(0)
  })

  it('that fails half-way leaves nothing of itself', () => {
    const database = new Database(':memory:')
    database.exec('create table ledger_note (mine integer)') // in the way of the first schema
    expect(() => migrate(database, ':memory:')).toThrow(/already exists/)
    expect(database.pragma('user_version', { simple: true })).toBe(0)
    expect(database.prepare('select name from sqlite_schema').pluck().all()).toEqual(['ledger_note'])
  })
})

function dump(lines: readonly SchemaLine[]): string {
  return `${lines.flatMap(({ sql }) => (sql === null ? [] : [`${sql};`])).join('\n\n')}\n`
}

function sqlOf(table: string): string {
  return schemaOf(NEWEST_SCHEMA).find(({ name }) => name === table)?.sql ?? ''
}

/** The words of `column ... check (column in (...))`. */
function wordsOf(sql: string, column: string): string[] {
  const list = new RegExp(`${column} in \\(([^)]*)\\)`).exec(sql)?.[1] ?? ''
  return [...list.matchAll(/'([^']*)'/g)].map(match => match[1] ?? '')
}
