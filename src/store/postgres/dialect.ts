/** A statement in the words of PostgreSQL. */
export interface Translated {
  readonly text: string
  /** the parameters that the text names, each by its place in the query, counted from 0 */
  readonly places: readonly number[]
  /** those of them that hold a JSON list of texts and go as an array */
  readonly lists: ReadonlySet<number>
}

/** One thing that the two databases say differently. */
interface Difference {
  readonly id: string
  readonly reason: string
  readonly from: RegExp
  readonly to: string
}

/** In queries. Those in tables and triggers: migrations/postgres.ts. */
export const QUERY_DIFFERENCES: readonly Difference[] = [
  {
    id: 'indexed_by',
    reason: 'the planner takes no index by name; its statistics lead it to the same ones, and a test looks',
    from: / indexed by \w+/g,
    to: '',
  },
  {
    id: 'json_each',
    reason: 'a list of ids is an array: unlike a table of unknown length it leads to the index of the column',
    from: /in \(select value from json_each\((\$\d+)\)\)/g,
    to: '= any ($1::text[])',
  },
  {
    id: 'json_extract',
    reason:
      'JSON is kept as the text that was hashed; an escape that json refuses to read, such as \\u0000, becomes another',
    from: /json_extract\((\w+), '\$\.(\w+)'\)/g,
    to: "(replace($1, '\\u', '\\n')::json ->> '$2')",
  },
  {
    id: 'substr',
    reason: 'of a parameter without a type it would take the beginning of a text',
    from: /substr\((\$\d+),/g,
    to: 'substr($1::bytea,',
  },
]

/** The statement with its tables named by their schema, so that no search path and no pooler decides which are meant. */
export function translate(text: string, schema: string): Translated {
  const lists = new Set([...text.matchAll(/json_each\(\$(\d+)\)/g)].map(([, place]) => Number(place) - 1))
  const said = QUERY_DIFFERENCES.reduce((before, { from, to }) => before.replace(from, to), text)
  const places: number[] = []
  // A parameter that no part of the text names has no type, and is refused.
  const numbered = said.replaceAll(/\$(\d+)/g, (_, number: string) => {
    const place = Number(number) - 1
    if (!places.includes(place)) places.push(place)
    return `$${places.indexOf(place) + 1}`
  })
  return { text: qualified(numbered, schema), places, lists }
}

/** `from ledger_task` becomes `from "agents".ledger_task`; columns go on bearing the name of their table. */
export function qualified(text: string, schema: string): string {
  const prefix = quoted(schema)
  return text.replace(
    /\b(from|join|into|update|references|table|only|on) (ledger_\w+)/g,
    (_, word, table) => `${word} ${prefix}.${table}`,
  )
}

/** A name as SQL reads it, whatever is in it. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
