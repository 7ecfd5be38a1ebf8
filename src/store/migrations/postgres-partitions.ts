import { quoted } from '../postgres/dialect.js'

/** One thing that the schema says differently where tables are split. */
interface Difference {
  readonly id: string
  readonly reason: string
  readonly from: RegExp
  readonly to: string
}

/** The tables that grow with every operation, each with the column whose hash says where a row lies. */
export const PARTITIONED: Readonly<Record<string, string>> = {
  ledger_operation: 'operation_id',
  ledger_attempt: 'operation_id',
  ledger_evidence: 'operation_id',
  ledger_external_ref: 'operation_id',
  ledger_event: 'subject_id',
  ledger_key: 'idempotency_key',
}

/** A unique constraint holds within one partition alone, so it has to name the column that says which. */
const PARTITION_DIFFERENCES: readonly Difference[] = [
  {
    id: 'number_of_row',
    reason: 'the sequence gives each number once; what finds a row by it is an index',
    from: /^(create table "(?:[^"]|"")*"\.ledger_(?:operation|event) \(\n {2}seq bigint generated always as identity) primary key/,
    to: '$1',
  },
  {
    id: 'key_of_operation',
    reason: 'its id stands in for the number as what names a row',
    from: /^( {2}operation_id text collate "C" not null) unique/m,
    to: '$1 primary key',
  },
  {
    id: 'key_of_event',
    reason: 'the same, and all events of one subject lie in one partition',
    from: /^ {2}unique \(subject, subject_id, n\)/m,
    to: '  primary key (subject, subject_id, n)',
  },
  {
    id: 'operation_key',
    reason: 'the column is in another partition than its double: ledger_key holds each key once',
    from: /^create unique index operation_key /,
    to: 'create index operation_key ',
  },
  {
    id: 'event_decision',
    reason: 'the same: ledger_decision holds each decision once',
    from: /^create unique index event_decision /,
    to: 'create index event_decision ',
  },
]

const MORE_TABLES = (of: string) => [
  `create table ${of}.ledger_key (
  key_scope text collate "C" not null,
  idempotency_key text collate "C" not null,
  operation_id text collate "C" not null,
  primary key (key_scope, idempotency_key)
)`,
  `create table ${of}.ledger_decision (
  decision_id text collate "C" primary key
)`,
]

const MORE_INDEXES = (of: string) => [
  `create index operation_seq on ${of}.ledger_operation (seq)`,
  `create index event_seq on ${of}.ledger_event (seq)`,
]

/** What holds to one row of each key and each decision, whoever writes it. */
export function partitionGuards(schema: string): Readonly<Record<string, string>> {
  const of = quoted(schema)
  return {
    ledger_key_once: `begin
  insert into ${of}.ledger_key (key_scope, idempotency_key, operation_id)
  values (new.key_scope, new.idempotency_key, new.operation_id);
  return null;
end`,
    ledger_decision_once: `begin
  insert into ${of}.ledger_decision (decision_id) values (new.decision_id);
  return null;
end`,
  }
}

const GROWING = ['ledger_event', 'ledger_evidence', 'ledger_external_ref']

/** Triggers beside those of every ledger: a statement that names a partition passes by those of its table. */
export function partitionTriggers(
  schema: string,
  partitions: number,
): readonly { readonly name: string; readonly sql: string }[] {
  const of = quoted(schema)
  return [
    {
      name: 'ledger_operation_key',
      sql: `create trigger ledger_operation_key after insert on ${of}.ledger_operation
for each row execute function ${of}.ledger_key_once()`,
    },
    {
      name: 'ledger_event_decision',
      sql: `create trigger ledger_event_decision after insert on ${of}.ledger_event
for each row when (new.decision_id is not null) execute function ${of}.ledger_decision_once()`,
    },
    ...GROWING.flatMap(table =>
      partitionNames(table, partitions).map(name => ({
        name: `${name}_truncate`,
        sql: `create trigger ${name}_truncate before truncate on ${of}.${name}
for each statement execute function ${of}.ledger_only_grows()`,
      })),
    ),
  ]
}

export function partitionNames(table: string, partitions: number): string[] {
  return Array.from({ length: partitions }, (_, n) => `${table}_p${n}`)
}

/** The tables and indexes of a schema, as statements that each name one, with the large tables split. */
export function split(statements: readonly string[], schema: string, partitions: number): string[] {
  const of = quoted(schema)
  const said = [...statements, ...MORE_TABLES(of), ...MORE_INDEXES(of)]
  return said.flatMap(sql => {
    const table = /^create table "(?:[^"]|"")*"\.(ledger_\w+) \(/.exec(sql)?.[1]
    const column = table === undefined ? undefined : PARTITIONED[table]
    const text = PARTITION_DIFFERENCES.filter(
      ({ id }) => id !== 'key_of_operation' || table === 'ledger_operation',
    ).reduce((before, { from, to }) => before.replace(from, to), sql)
    if (table === undefined || column === undefined) return [text]
    return [
      `${text} partition by hash (${column})`,
      ...partitionNames(table, partitions).map(
        (name, n) =>
          `create table ${of}.${name} partition of ${of}.${table} for values with (modulus ${partitions}, remainder ${n})`,
      ),
    ]
  })
}
