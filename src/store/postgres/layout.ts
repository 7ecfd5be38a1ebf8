import { number } from '../cells.js'
import { query, type Sql } from '../engine.js'
import { PARTITIONED } from '../migrations/postgres-partitions.js'

/** A table of a schema, or what bears the name of one. */
export interface Relation {
  readonly name: string
  /** `r`: a table, `p`: one that is split */
  readonly kind: string
  readonly has_policies: boolean
  readonly has_rules: boolean
  /** of a partition: the table whose rows it holds */
  readonly parent: string | null
  /** of a partition, as the server says it: `FOR VALUES WITH (modulus 8, remainder 3)` */
  readonly bound: string | null
  /** of a table that is split: `HASH (operation_id)` */
  readonly key: string | null
}

/** Into how many partitions the large tables are split; null: they are not. */
export function* partitionsIn(schema: string): Sql<number | null> {
  const [row] = yield* query(
    `select count(*) as partitions
     from pg_inherits as i
     join pg_class as c on c.oid = i.inhparent
     join pg_namespace as n on n.oid = c.relnamespace
     where n.nspname = $1 and c.relname = 'ledger_operation' and c.relkind = 'p'`,
    [schema],
  )
  const found = row === undefined ? 0 : number(row, 'partitions')
  return found === 0 ? null : found
}

export function partitionsOf(relations: readonly Relation[]): number | null {
  const found = relations.filter(({ parent }) => parent === 'ledger_operation').length
  return found === 0 ? null : found
}

/** What keeps a table from being split as its ledger is. A partition that was taken away takes its rows along. */
export function partitionDifferences(relations: readonly Relation[]): string[] {
  const isSplit = partitionsOf(relations) !== null
  return relations.flatMap(({ name, kind, parent, key }) => {
    if (parent !== null) return []
    const column = isSplit ? PARTITIONED[name] : undefined
    const isRight = column === undefined ? kind === 'r' : kind === 'p' && key === `HASH (${column})`
    if (!isRight) return [`"${name}" is not split as this ledger is`]
    return column === undefined || isWhole(relations.filter(one => one.parent === name))
      ? []
      : [`a partition of ${name} is missing, with its rows`]
  })
}

/** Each takes one part of so many: 1/8 for a modulus of 8. */
function isWhole(partitions: readonly Relation[]): boolean {
  const parts = partitions.map(({ bound }) => 1 / Number(/modulus (\d+)/.exec(bound ?? '')?.[1]))
  return Math.abs(parts.reduce((sum, part) => sum + part, 0) - 1) < 1e-9
}
