import { columnList, TABLES } from '../moving/tables.js'
import { quoted } from '../postgres/dialect.js'
import { followerName, inShadow, SPLIT } from './names.js'

/**
 * What each writer does to the new tables in its own commit while they are being filled, whatever program it is. With
 * the rights of the owner: writers have none there.
 */
export function followerBody(schema: string, table: string): string {
  const key = SPLIT[table] ?? []
  const columns = columnsOf(table)
  const target = inShadow(schema, table)
  const moving = columns.filter(column => !key.includes(column) && column !== 'seq')
  const updates = moving.map(column => `"${column}" = excluded."${column}"`).join(', ')
  const isOld = key.map(column => `"${column}" = old."${column}"`).join(' and ')
  return `begin
  if tg_op = 'DELETE' then
    delete from ${target} where ${isOld};
    return null;
  end if;
${table !== 'ledger_operation' && key.includes('operation_id') ? operationFirst(schema) : ''}  insert into ${target} (${columnList(columns)}) overriding system value
  values (${columns.map(column => `new."${column}"`).join(', ')})
  on conflict (${columnList(key)}) do ${updates === '' ? 'nothing' : `update set ${updates}`};
${besideOf(schema, table)}  return null;
end`
}

/** What they refer to may not have been copied yet. */
function operationFirst(schema: string): string {
  const columns = columnList(columnsOf('ledger_operation'))
  return `  if not exists (select 1 from ${inShadow(schema, 'ledger_operation')} where operation_id = new.operation_id) then
    insert into ${inShadow(schema, 'ledger_operation')} (${columns}) overriding system value
    select ${columns} from ${quoted(schema)}.ledger_operation where operation_id = new.operation_id
    on conflict do nothing;
    insert into ${inShadow(schema, 'ledger_key')} (key_scope, idempotency_key, operation_id)
    select key_scope, idempotency_key, operation_id
    from ${quoted(schema)}.ledger_operation
    where operation_id = new.operation_id
    on conflict do nothing;
  end if;
`
}

function besideOf(schema: string, table: string): string {
  if (table === 'ledger_operation')
    return `  insert into ${inShadow(schema, 'ledger_key')} (key_scope, idempotency_key, operation_id)
  values (new.key_scope, new.idempotency_key, new.operation_id)
  on conflict do nothing;
`
  if (table === 'ledger_event')
    return `  if new.decision_id is not null then
    insert into ${inShadow(schema, 'ledger_decision')} (decision_id) values (new.decision_id) on conflict do nothing;
  end if;
`
  return ''
}

export function columnsOf(table: string): readonly string[] {
  return TABLES.find(({ name }) => name === table)?.columns ?? []
}

export function followStatements(schema: string): string[] {
  return Object.keys(SPLIT).flatMap(table => {
    const name = `${quoted(schema)}.${followerName(table)}`
    return [
      `create function ${name}() returns trigger language plpgsql security definer
set search_path = pg_catalog, pg_temp as $follow$${followerBody(schema, table)}$follow$`,
      `create trigger ${followerName(table)} after insert or update or delete on ${quoted(schema)}.${table}
for each row execute function ${name}()`,
    ]
  })
}

export function unfollowStatements(schema: string): string[] {
  return Object.keys(SPLIT).flatMap(table => [
    `drop trigger if exists ${followerName(table)} on ${quoted(schema)}.${table}`,
    `drop function if exists ${quoted(schema)}.${followerName(table)}()`,
  ])
}
