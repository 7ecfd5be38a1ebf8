import type { Database } from 'better-sqlite3'

/** Stands in for one statement of a connection: `instead` is given a way to run the real one. */
export function onStatement(database: Database, text: string, instead: (run: () => void) => void): void {
  const prepare = database.prepare.bind(database)
  Object.assign(database, {
    prepare: (sql: string) => {
      const statement = prepare(sql)
      if (sql !== text) return statement
      const run = statement.run.bind(statement)
      return Object.assign(statement, { run: (...values: unknown[]) => instead(() => void run(...values)) })
    },
  })
}
