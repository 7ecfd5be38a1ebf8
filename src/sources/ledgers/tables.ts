import type { ImportWarning } from '../../core/imported.js'
import { OWN_APPLICATION_ID } from '../own-ledger.js'
import type { Detection } from '../source.js'
import type { SourceFile } from '../source-file.js'
import { damaged, type SqliteFile } from '../sqlite-file/open.js'

/** What a table of another ledger is known by: its columns. Names of tables are shared by ledgers that differ. */
export interface TableShape {
  readonly columns: readonly string[]
  /** in some versions only */
  readonly optional?: readonly string[]
}

export interface FoundTable {
  /** quoted, to put into a statement */
  readonly name: string
  readonly columns: ReadonlySet<string>
}

/**
 * The one table that has these columns, or why there is none, to put after the path. Only plain tables count: reading a
 * view, a virtual table or a generated column would run what a stranger wrote into the file.
 */
export function findTable({ db }: SqliteFile, { columns }: TableShape): FoundTable | string {
  const tables = db
    .prepare<[], { name: string }>(
      "select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite|_%' escape '|' order by name",
    )
    .all()
  if (tables.length === 0) return 'is a SQLite database without any tables'
  const found = tables.flatMap(({ name }) => {
    const there = db
      .prepare<[string], { name: string; hidden: number }>('select name, hidden from pragma_table_xinfo(?)')
      .all(name)
    const names = new Set(there.filter(({ hidden }) => hidden === 0).map(one => one.name))
    return columns.every(column => names.has(column)) ? [{ name: quoted(name), columns: names }] : []
  })
  const [one, other] = found
  if (one === undefined) return `has no table with the columns ${columns.slice(0, 4).join(', ')}, …`
  if (other !== undefined) return `has several tables with the columns ${columns.slice(0, 4).join(', ')}, …`
  return one
}

/** Is it a ledger whose operations are in a table of this shape? */
export function detectTable(file: SourceFile, shape: TableShape, whatItIs: string): Detection {
  if (file.kind !== 'file')
    return { matches: false, why: `is ${file.kind === 'folder' ? 'a folder' : 'no plain file'}` }
  const whyNot = file.whyNotSqlite()
  if (whyNot !== undefined) return { matches: false, why: whyNot }
  const opened = file.sqlite()
  if (opened.header.applicationId === OWN_APPLICATION_ID)
    return { matches: false, why: 'is a ledger of this program: name it with --ledger' }
  const found = findTable(opened, shape)
  return typeof found === 'string'
    ? { matches: false, why: found }
    : { matches: true, why: `has ${whatItIs}` }
}

/**
 * The rows of a statement, one at a time. A damaged or crafted file may lead a query round in circles: no answer may have
 * more rows than the file has room for (a cell takes at least 8 bytes). Throws `ledger_unreadable` naming the path.
 */
export function* rowsOf(path: string, { db, bytes }: SqliteFile, sql: string, ...given: string[]) {
  let count = 0
  try {
    for (const row of db.prepare<string[], Record<string, unknown>>(sql).iterate(...given)) {
      count += 1
      if (count > bytes / 8) throw new RangeError('more rows than the file can hold')
      yield row
    }
  } catch (cause) {
    throw damaged(path, cause)
  }
}

/** Largest text that is taken out of a cell; a larger one is left out, and said. */
export const LARGEST_CELL = 8 * 1024 * 1024

/** A column of text that may be huge, for `select`: null where it is larger than what is taken. */
export function boundedColumn(name: string): string {
  return `case when length(cast(${name} as blob)) <= ${LARGEST_CELL} then ${name} end as ${name}`
}

/** How the file was left, where that says something about what was read. */
export function fileWarnings({ wal, journal, isLive }: SqliteFile): ImportWarning[] {
  const warning = (code: string, message: string): ImportWarning => ({
    record: 'warning',
    code,
    message,
    where: null,
  })
  return [
    ...(isLive
      ? [warning('file_in_use', 'another process has the file open: this is one moment’s view')]
      : []),
    ...(journal === 'played_back'
      ? [
          warning(
            'hot_journal',
            'a writer was killed inside a commit: a copy was read in which SQLite took that commit back, as the next writer will; the original was left as it was',
          ),
        ]
      : []),
    ...(wal === 'left' && !isLive
      ? [
          warning(
            'unclean_close',
            'a process ended without closing the file; its -wal was read along, and left as it was',
          ),
        ]
      : []),
    ...(wal === 'missing' && !isLive
      ? [
          warning(
            'wal_missing',
            'no -wal lies beside the file: usual after a clean close; if the process crashed, the newest rows are missing here',
          ),
        ]
      : []),
  ]
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
