import type { Database } from 'better-sqlite3'
import { placesOf, type Query, type Row } from '../../../src/store/engine.js'

/** A row as an object by the names of its columns. */
export function objectOf({ cells, places }: Row): Readonly<Record<string, unknown>> {
  return Object.fromEntries([...places].map(([name, place]) => [name, cells[place]]))
}

/** Answers a query that gives rows, with nothing of ours but the shape of the answer. */
export function answerOf(database: Database, { text, params }: Query): readonly Row[] {
  const bound = Object.fromEntries(params.map((param, index) => [index + 1, param]))
  const statement = database.prepare<[object], unknown[]>(text)
  const places = placesOf(statement.columns().map(({ name }) => name))
  return statement
    .raw()
    .all(bound)
    .map(cells => ({ cells, places }))
}
