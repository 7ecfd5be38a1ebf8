import { createHash } from 'node:crypto'
import { LedgerError } from '../../core/errors.js'
import { changesOf, type Engine, type Param, query, type Row, type Sql } from '../engine.js'
import type { Mark } from '../sql-store/meta.js'
import { columnList, TABLES, type Table } from './tables.js'

type Arriving = Extract<Mark, { state: 'arriving' }>

export interface Copying {
  readonly source: Engine
  readonly target: Engine
  /** how far the target is */
  readonly mark: Arriving
  readonly onRows?: (rows: number) => void
  readonly signal?: AbortSignal
}

/** Rows of one commit of the target: a few hundred kilobytes. */
const BATCH = 500

/**
 * Copies what is missing in the target, row by row, each batch in one commit with the mark of how far it is. A kill, or
 * a commit of which nobody knows, leaves a target whose mark is true.
 */
export async function copyTables({ source, target, mark, onRows, signal }: Copying): Promise<Arriving> {
  let at = mark
  const first = at.table === null ? 0 : TABLES.findIndex(({ name }) => name === at.table)
  for (const table of TABLES.slice(Math.max(0, first))) {
    for (;;) {
      signal?.throwIfAborted()
      const after = at.table === table.name ? at.after : null
      const rows = await source.read(() => page(table, after, BATCH))
      const last = rows.at(-1)
      if (last === undefined) break
      const next: Arriving = {
        ...at,
        table: table.name,
        after: keyOf(table, last),
        rows: at.rows + rows.length,
      }
      const before = at
      await target.write(() => addRows({ table, rows, before, next, kind: target.kind }))
      at = next
      onRows?.(at.rows)
    }
  }
  return at
}

interface Adding {
  readonly table: Table
  readonly rows: readonly Row[]
  readonly before: Arriving
  readonly next: Arriving
  readonly kind: Engine['kind']
}

function* addRows({ table, rows, before, next, kind }: Adding): Sql<void> {
  const moved = yield* query('update ledger_meta set moved = $1 where one = 1 and moved = $2', [
    JSON.stringify(next),
    JSON.stringify(before),
  ])
  if (changesOf(moved) !== 1)
    throw new LedgerError(
      'conflict',
      'the copy is not as it was a moment ago: another program fills it too',
      {
        hint: 'Let one `agent-ledger migrate` run at a time.',
      },
    )
  const numbered = table.numbered !== null && kind === 'postgresql' ? ' overriding system value' : ''
  const places = table.columns.map((_, n) => `$${n + 1}`).join(', ')
  const text = `insert into ${table.name} (${columnList(table.columns)})${numbered} values (${places})`
  yield rows.map(row => ({ text, params: row.cells.map(paramOf) }))
}

/** The sequences of the target go on behind the highest number that was copied. */
export function* moveSequences(schema: string): Sql<void> {
  for (const { name, numbered } of TABLES) {
    if (numbered === null) continue
    yield* query(
      `select setval(pg_get_serial_sequence($1, $2), coalesce(max(${numbered}), 1), max(${numbered}) is not null)
       from ${name}`,
      [`"${schema.replaceAll('"', '""')}".${name}`, numbered],
    )
  }
}

/** What a table holds, as a digest over every cell of every row in the order of the key, and how many rows there are. */
export async function contentOf(
  engine: Engine,
  table: Table,
): Promise<{ readonly rows: number; readonly digest: string }> {
  const hash = createHash('sha256')
  let count = 0
  for (let after: readonly (string | number)[] | null = null; ; ) {
    const from: readonly (string | number)[] | null = after
    const rows: readonly Row[] = await engine.read(() => page(table, from, 4 * BATCH))
    const last = rows.at(-1)
    if (last === undefined) return { rows: count, digest: hash.digest('hex') }
    for (const { cells } of rows) hash.update(`${JSON.stringify(cells.map(shownCell))}\n`)
    count += rows.length
    after = keyOf(table, last)
  }
}

export function* rowCount(table: Table): Sql<number> {
  const [row] = yield* query(`select count(*) as rows from ${table.name}`)
  return Number(row?.cells[0] ?? 0)
}

function* page(
  { name, columns, key }: Table,
  after: readonly (string | number)[] | null,
  limit: number,
): Sql<readonly Row[]> {
  const order = columnList(key)
  const places = key.map((_, n) => `$${n + 1}`).join(', ')
  const behind = after === null ? '' : `where (${order}) > (${places})`
  const params = [...(after ?? []), limit]
  return yield* query(
    `select ${columnList(columns)} from ${name} ${behind} order by ${order} limit $${params.length}`,
    params,
  )
}

function keyOf({ columns, key }: Table, { cells }: Row): (string | number)[] {
  return key.map(column => {
    const cell = cells[columns.indexOf(column)]
    if (typeof cell === 'string' || typeof cell === 'number') return cell
    throw new LedgerError('ledger_damaged', `column ${column} of a key holds ${typeof cell}`)
  })
}

function paramOf(cell: unknown): Param {
  if (cell === null || typeof cell === 'string' || typeof cell === 'number' || cell instanceof Buffer)
    return cell
  throw new LedgerError('ledger_damaged', `a cell holds ${typeof cell}, against the ledger's schema`)
}

function shownCell(cell: unknown): unknown {
  return cell instanceof Buffer ? cell.toString('hex') : cell
}
