import { json } from '../cells.js'
import { query, type Sql } from '../engine.js'
import type { Relation } from './layout.js'

/** What of ours stands in a schema, as the server's catalogue has it. */
export interface Objects {
  readonly relations: readonly Relation[]
  /** table, column, type */
  readonly columns: readonly (readonly [string, string, string])[]
  /** name, whether it can be used */
  readonly indexes: readonly (readonly [string, boolean])[]
  /** table, name, `O` where it is on */
  readonly triggers: readonly (readonly [string, string, string])[]
  /** name, text */
  readonly functions: readonly (readonly [string, string])[]
}

/** null: the schema is gone */
export function* objectsIn(schema: string): Sql<Objects | null> {
  const [row] = yield* query(OBJECTS, [schema])
  if (row === undefined) return null
  return {
    relations: json<Objects['relations']>(row, 'relations'),
    columns: json<Objects['columns']>(row, 'columns'),
    indexes: json<Objects['indexes']>(row, 'indexes'),
    triggers: json<Objects['triggers']>(row, 'triggers'),
    functions: json<Objects['functions']>(row, 'functions'),
  }
}

const OBJECTS = `
with ours as (
  select c.oid, c.relname, c.relkind, c.relrowsecurity, c.relhasrules, c.relispartition, c.relpartbound
  from pg_class as c
  join pg_namespace as n on n.oid = c.relnamespace
  where n.nspname = $1 and c.relname like 'ledger\\_%'
)
select
  (
    select coalesce(
      json_agg(
        json_build_object(
          'name', ours.relname,
          'kind', ours.relkind,
          'has_policies', ours.relrowsecurity,
          'has_rules', ours.relhasrules,
          'parent', parent.relname,
          'bound', pg_get_expr(ours.relpartbound, ours.oid),
          'key', case ours.relkind when 'p' then pg_get_partkeydef(ours.oid) end
        )
        order by ours.relname
      ),
      '[]'
    )
    from ours
    left join pg_inherits as i on i.inhrelid = ours.oid
    left join pg_class as parent on parent.oid = i.inhparent
    where ours.relkind not in ('i', 'I', 'S', 't', 'c')
  ) as relations,
  (
    select coalesce(json_agg(json_build_array(relname, a.attname, format_type(a.atttypid, null))), '[]')
    from ours
    join pg_attribute as a on a.attrelid = ours.oid
    where relkind in ('r', 'p') and not relispartition and a.attnum > 0 and not a.attisdropped
  ) as columns,
  (
    select coalesce(json_agg(json_build_array(i.relname, x.indisvalid)), '[]')
    from ours
    join pg_index as x on x.indrelid = ours.oid
    join pg_class as i on i.oid = x.indexrelid
    where not ours.relispartition
  ) as indexes,
  (
    select coalesce(json_agg(json_build_array(relname, t.tgname, t.tgenabled)), '[]')
    from ours
    join pg_trigger as t on t.tgrelid = ours.oid
    where not t.tgisinternal
  ) as triggers,
  (
    select coalesce(json_agg(json_build_array(p.proname, p.prosrc)), '[]')
    from pg_proc as p
    join pg_namespace as n on n.oid = p.pronamespace
    where n.nspname = $1 and p.proname like 'ledger\\_%'
  ) as functions`
