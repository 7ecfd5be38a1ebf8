import { asJson } from '../../core/documents/parts.js'
import type { JsonObject } from '../../core/json.js'
import { join, type Safe, safe, words } from '../../core/safe-text.js'
import type { Deps } from '../deps.js'
import { createBuffer } from './buffer.js'
import { cellText, chosenFields, pick } from './fields.js'
import { documentHead, printableJson } from './json.js'
import { type Column, createTable } from './table.js'
import { prepareWidths } from './width.js'

/** A list that a command prints: as a table, tab-separated, one document, or one object a line. */
export interface RowList<Row extends object> {
  /** `list@1` */
  readonly schema: string
  readonly ledger: string
  /** the list's name in the document: `operations` */
  readonly name: string
  /** rows as the document has them; read once, as they are printed */
  readonly rows: Iterable<Row> | AsyncIterable<Row>
  /** every field a row has, for `--fields` */
  readonly fields: readonly string[]
  readonly columns: readonly Column<Row>[]
  /** what stands instead of a table without rows */
  readonly empty: Safe
  /** what the document carries after the list, known once the rows were read: `left_out` */
  readonly rest?: () => JsonObject
  /** the same for people, on stderr: "12 more, see --limit" */
  readonly remarks?: () => readonly Safe[]
}

/** Prints a list in the form asked for, in constant memory; stops reading rows when nobody reads any more. */
export async function printRows<Row extends object>(list: RowList<Row>, deps: Deps): Promise<void> {
  const fields = chosenFields(deps.global.fields, list.fields)
  if (deps.global.jsonl) return printLines(list, fields, deps)
  if (deps.global.json) return printDocument(list, fields, deps)
  const columns = fields === undefined ? list.columns : fields.map(columnOf<Row>)
  if (deps.io.stdout.isTerminal) await printTable(list, columns, deps)
  else await printTabs(list, columns, deps)
  for (const remark of list.remarks?.() ?? []) await deps.say(remark)
}

async function printLines<Row extends object>(
  list: RowList<Row>,
  fields: readonly string[] | undefined,
  deps: Deps,
) {
  const out = createBuffer(deps.io.stdout)
  for await (const row of list.rows) {
    if (!(await out.write(`${printableJson(deps.redactor.json(pick(asJson(row), fields)))}\n`))) return
  }
  await out.end()
}

// One row a line inside the document: it streams, and a person or a diff can read it.
async function printDocument<Row extends object>(
  list: RowList<Row>,
  fields: readonly string[] | undefined,
  deps: Deps,
) {
  const out = createBuffer(deps.io.stdout)
  const head = JSON.stringify(documentHead(list, deps.now)).slice(0, -1)
  await out.write(`${printableJson(head)},\n${JSON.stringify(list.name)}:[`)
  let isFirst = true
  for await (const row of list.rows) {
    const text = printableJson(deps.redactor.json(pick(asJson(row), fields)))
    if (!(await out.write(`${isFirst ? '\n' : ',\n'}${text}`))) return
    isFirst = false
  }
  const rest = printableJson(deps.redactor.json(list.rest?.() ?? {})).slice(1, -1)
  await out.write(`${isFirst ? '' : '\n'}]${rest === '' ? '' : `,\n${rest}`}}\n`)
  await out.end()
}

/** Rows that a table is measured on; later ones are set to the same widths, so that any number streams. */
const SAMPLE = 200

async function printTable<Row extends object>(
  list: RowList<Row>,
  columns: readonly Column<Row>[],
  deps: Deps,
) {
  const shape = { columns: deps.io.stdout.columns() ?? 80, paint: deps.paint, show: deps.show }
  const sample: Row[] = []
  let table: ReturnType<typeof createTable<Row>> | undefined
  const prepare = (row: Row) => prepareWidths(columns.map(column => deps.show(column.cell(row))))
  const begin = async () => {
    for (const row of sample) await prepare(row)
    table = createTable(columns, sample, shape)
    return deps.print(join([table.head, ...sample.map(table.line)], '\n'))
  }
  for await (const row of list.rows) {
    if (table !== undefined) {
      await prepare(row)
      if (!(await deps.print(table.line(row)))) return
    } else if (sample.push(row) === SAMPLE && !(await begin())) return
  }
  if (table === undefined && sample.length > 0) await begin()
  if (sample.length === 0) await deps.print(list.empty)
  const leftOut = table?.leftOut ?? []
  if (leftOut.length > 0) {
    await deps.say(
      words`columns left out at this width: ${safe(leftOut.join(', '))}; --fields or a pipe shows them`,
    )
  }
}

async function printTabs<Row extends object>(
  list: RowList<Row>,
  columns: readonly Column<Row>[],
  deps: Deps,
) {
  const out = createBuffer(deps.io.stdout)
  await out.write(`${tabbed(columns.map(column => safe(column.heading)))}\n`)
  let isEmpty = true
  for await (const row of list.rows) {
    if (!(await out.write(`${tabbed(columns.map(column => deps.show(column.cell(row))))}\n`))) return
    isEmpty = false
  }
  await out.end()
  if (isEmpty) await deps.say(list.empty)
}

// show() has turned every tab inside a cell into a blank.
function tabbed(cells: readonly Safe[]): Safe {
  return join(cells, '\t')
}

function columnOf<Row extends object>(field: string): Column<Row> {
  return { heading: field, cell: row => cellText(asJson(row)[field]), rank: 0, least: 12 }
}
