import type { SqliteFile } from '../sqlite-file/open.js'

// The tables of SqliteSaver (JavaScript and Python) and AsyncSqliteSaver, the same in
// @langchain/langgraph-checkpoint-sqlite 1.0.4 and langgraph-checkpoint-sqlite 3.1.2, which adds writes.task_path.
const COLUMNS = {
  checkpoints: [
    'thread_id',
    'checkpoint_ns',
    'checkpoint_id',
    'parent_checkpoint_id',
    'type',
    'checkpoint',
    'metadata',
  ],
  writes: ['thread_id', 'checkpoint_ns', 'checkpoint_id', 'task_id', 'idx', 'channel', 'type', 'value'],
}

/**
 * Says why these are not the tables of a SqliteSaver; undefined when they are. Only plain tables pass: reading a view, a
 * virtual table or a generated column would run what a stranger wrote into the file.
 */
export function whyNotSaverTables({ db, wal }: SqliteFile): string | undefined {
  const tables = db
    .prepare(
      "select name, type, wr from pragma_table_list where schema = 'main' and name not like 'sqlite|_%' escape '|'",
    )
    .all() as { name: string; type: string; wr: number }[] // rows of our own statement
  if (tables.length === 0)
    return wal === 'missing'
      ? 'holds no tables, and was last written in WAL mode while no -wal lies beside it: bring the -wal file, the rows are in there'
      : 'is a SQLite database without any tables'
  for (const [name, expected] of Object.entries(COLUMNS)) {
    const table = tables.find(table => table.name === name)
    if (table === undefined) return `has no table ${name}`
    if (table.type !== 'table' || table.wr !== 0)
      return `has ${name} as a ${table.type}${table.wr ? ' without rowid' : ''}, not as a plain table`
    const columns = db.prepare(`select name, hidden from pragma_table_xinfo('${name}')`).all() as {
      name: string
      hidden: number
    }[] // rows of our own statement
    const missing = expected.filter(column => !columns.some(({ name }) => name === column))
    if (missing.length > 0) return `has a table ${name} without ${missing.join(', ')}`
    const computed = columns.find(({ hidden }) => hidden !== 0)
    if (computed) return `computes ${name}.${computed.name} instead of storing it`
  }
  const triggers = db.prepare(
    "select name from sqlite_schema where type = 'trigger' and tbl_name in ('checkpoints', 'writes')",
  )
  if (triggers.get()) return 'has a trigger on its checkpoints, which no LangGraph saver makes'
  return undefined
}
