import { qualified, quoted } from '../postgres/dialect.js'
import { indexes } from './0001-indexes.js'
import { tables } from './0001-tables.js'
import { INTENT } from './0001-triggers.js'
import { guards } from './postgres-guards.js'
import { partitionGuards, partitionTriggers, split } from './postgres-partitions.js'

/** One thing that a table, an index or a check says differently in PostgreSQL. */
interface Difference {
  readonly id: string
  readonly reason: string
  readonly from: RegExp
  readonly to: string
}

export const TABLE_DIFFERENCES: readonly Difference[] = [
  {
    id: 'strict',
    reason: 'types are always held to, and every table has its rows by themselves',
    from: /\) strict(?:, without rowid)?;/g,
    to: ');',
  },
  {
    id: 'number_of_row',
    reason: 'commits run at the same time, so a sequence numbers the rows; a number left out is no row lost',
    from: /^( {2}(?:seq|note_id)) integer primary key/gm,
    to: '$1 bigint generated always as identity primary key',
  },
  { id: 'integer', reason: 'times are milliseconds, beyond 32 bits', from: / integer\b/g, to: ' bigint' },
  { id: 'blob', reason: 'the name of the type', from: / blob\b/g, to: ' bytea' },
  { id: 'real', reason: 'real has half the digits here', from: / real\b/g, to: ' double precision' },
  {
    id: 'text',
    reason:
      'ids sort by their bytes on every server, so that pages and beginnings of ids do not hang on its language',
    from: / text\b/g,
    to: ' text collate "C"',
  },
  {
    id: 'id',
    reason: 'the same characters are refused; a text holds no NUL here',
    from: /\(\s*length\(cast\((\w+) as (?:blob|bytea)\)\) between 1 and 512[^*]*\*\[[^*]*\]\*'\s*\)/g,
    to: "(octet_length($1) between 1 and 512 and $1 !~ '[\\u0001-\\u001f\\u007f-\\u009f]')",
  },
  {
    id: 'json',
    reason: 'the text stays as it was hashed, which jsonb would rewrite; reading it as json checks it',
    from: /\(json_valid\(("?\w+"?)\)\)/g,
    to: '($1 is null or $1::json is not null)',
  },
  {
    id: 'json_extract',
    reason: 'an escape that json refuses to read, such as \\u0000, becomes another',
    from: /json_extract\((\w+), '\$\.(\w+)'\)/g,
    to: "(replace($1, '\\u', '\\n')::json ->> '$2')",
  },
  {
    id: 'none_of',
    reason: 'coalesce takes values of one type',
    from: /coalesce\(([^()]*lease_[^()]*)\) is null/g,
    to: 'num_nonnulls($1) = 0',
  },
  {
    id: 'stored',
    reason: 'only what is stored can be indexed',
    from: /\) virtual/g,
    to: ') stored',
  },
  {
    id: 'order_of_rows',
    reason: 'an index of SQLite ends in the number of the row by itself',
    from: /(risk_rank, risk_amount, created_at)\)/g,
    to: '$1, seq)',
  },
]

/** What SQLite has by itself: the order of its rows is that of creation. */
const MORE_INDEXES = `
create index operation_age on ledger_operation (created_at, seq);
`

/** The number of the schema, which SQLite keeps in the head of the file. */
const SCHEMA_NUMBER = `
create table ledger_schema (
  version bigint primary key check (version >= 1),
  applied_at bigint not null
);
`

export { guards } from './postgres-guards.js'

/** By the function that decides what may be changed or removed of it. */
const GROWING = {
  ledger_event: 'ledger_event_stays',
  ledger_evidence: 'ledger_evidence_stays',
  ledger_external_ref: 'ledger_goes_with_operation',
  ledger_note: 'ledger_only_grows',
  ledger_pruned: 'ledger_only_grows',
  ledger_pruned_event: 'ledger_only_grows',
} as const

/** Rows are held against what is there before they are added, or before they go. */
const FOLLOWING = {
  ledger_event_insert: ['insert', 'ledger_event', 'ledger_event_follows'],
  ledger_evidence_insert: ['insert', 'ledger_evidence', 'ledger_evidence_follows'],
  ledger_pruned_insert: ['insert', 'ledger_pruned', 'ledger_pruned_follows'],
  ledger_pruned_event_insert: ['insert', 'ledger_pruned_event', 'ledger_pruned_event_follows'],
  ledger_operation_new: ['insert', 'ledger_operation', 'ledger_operation_is_new'],
  ledger_operation_delete: ['delete', 'ledger_operation', 'ledger_goes_with_operation'],
} as const

/** The triggers by name; each is on the table that its name begins with. */
function triggersOf(schema: string): readonly { readonly name: string; readonly sql: string }[] {
  const call = (name: string) => `execute function ${quoted(schema)}.${name}()`
  const changed = INTENT.map(column => `new.${column} is distinct from old.${column}`).join('\n  or ')
  return [
    ...Object.entries(GROWING).flatMap(([table, decides]) => [
      {
        name: `${table}_change`,
        sql: `create trigger ${table}_change before update or delete on ${table}
for each row ${call(decides)}`,
      },
      {
        name: `${table}_truncate`,
        sql: `create trigger ${table}_truncate before truncate on ${table}
for each statement ${call('ledger_only_grows')}`,
      },
    ]),
    ...Object.entries(FOLLOWING).map(([name, [doing, table, decides]]) => ({
      name,
      sql: `create trigger ${name} before ${doing} on ${table}
for each row ${call(decides)}`,
    })),
    {
      name: 'ledger_operation_intent',
      sql: `create trigger ledger_operation_intent before update on ledger_operation
for each row when (${changed}) ${call('ledger_operation_stays')}`,
    },
    {
      name: 'ledger_operation_move',
      sql: `create trigger ledger_operation_move before update on ledger_operation
for each row when (new.status <> old.status and new.version <= old.version) ${call('ledger_operation_moves')}`,
    },
  ]
}

/**
 * The first schema in the words of PostgreSQL, as statements in their order. `version` 1 is what they leave, with the
 * large tables in so many partitions; null: each is one.
 */
export function firstSchemaFor(schema: string, partitions: number | null = null): readonly string[] {
  const made = [
    ...statements(TABLE_DIFFERENCES.reduce((text, { from, to }) => text.replace(from, to), tables + indexes)),
    ...statements(MORE_INDEXES + SCHEMA_NUMBER),
  ].map(sql => qualified(sql, schema))
  return [
    ...(partitions === null ? made : split(made, schema, partitions)),
    ...Object.entries(allGuards(schema, partitions)).map(
      ([name, body]) =>
        `create function ${quoted(schema)}.${name}() returns trigger language plpgsql as $guard$${body}$guard$`,
    ),
    ...allTriggers(schema, partitions).map(({ sql }) => qualified(sql, schema)),
  ]
}

/** Every function that guards, and every trigger, of a ledger in so many partitions. */
export function allGuards(schema: string, partitions: number | null): Readonly<Record<string, string>> {
  return { ...guards(schema), ...(partitions === null ? {} : partitionGuards(schema)) }
}

export function allTriggers(schema: string, partitions: number | null) {
  return [...triggersOf(schema), ...(partitions === null ? [] : partitionTriggers(schema, partitions))]
}

/** No statement of a schema holds a semicolon of its own. */
function statements(text: string): string[] {
  return text
    .split(';')
    .map(one => one.trim())
    .filter(one => one !== '')
}
