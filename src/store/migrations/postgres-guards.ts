import { quoted } from '../postgres/dialect.js'
import { INTENT, KEPT_OF_EVENT, KEPT_OF_EVIDENCE } from './0001-triggers.js'

/** The names of the functions that guard, each with its text; the check of an opening compares both. */
export function guards(schema: string): Readonly<Record<string, string>> {
  const of = quoted(schema)
  const isSame = (columns: readonly string[]) =>
    `(${columns.map(column => `new.${column}`).join(', ')})
      is not distinct from (${columns.map(column => `old.${column}`).join(', ')})`
  // as in 0001-triggers.ts: a redaction of this part, with this digest of what it was, is on record
  const isRedacted = (part: string, { id, n, body }: Record<'id' | 'n' | 'body', string>) => `exists (
      select 1
      from ${of}.ledger_event as said, json_array_elements(said.body::json -> 'parts') as part
      where said.about = ${id}
        and said.subject = 'ledger'
        and said.type = 'redact'
        and part ->> 'part' = '${part}'
        and (part ->> 'n')::bigint = ${n}
        and part ->> 'digest' = ${body}::json #>> '{redacted,digest}'
    )`
  const isArchived = (id: string) => `exists (select 1 from ${of}.ledger_pruned where operation_id = ${id})`
  const isArriving = `exists (select 1 from ${of}.ledger_meta where moved is not null)`
  const grows = `raise exception '% only grows: no row of it is ever changed or removed', tg_table_name;`
  return {
    ledger_only_grows: `begin
  ${grows}
end`,
    ledger_event_stays: `begin
  if old.subject = 'operation' then
    if tg_op = 'DELETE' then
      if ${isArchived('old.subject_id')} and exists (
        select 1 from ${of}.ledger_pruned_event where event_seq = old.seq and hash = old.hash
      ) then
        return old;
      end if;
    elsif ${isSame(KEPT_OF_EVENT)}
      and ${isRedacted('event', { id: 'old.subject_id', n: 'old.n', body: 'new.body' })} then
      return new;
    end if;
  end if;
  ${grows}
end`,
    ledger_evidence_stays: `begin
  if tg_op = 'DELETE' then
    if ${isArchived('old.operation_id')} then
      return old;
    end if;
  elsif ${isSame(KEPT_OF_EVIDENCE)}
    and ${isRedacted('evidence', { id: 'old.operation_id', n: 'old.n', body: 'new.body' })} then
    return new;
  end if;
  ${grows}
end`,
    ledger_goes_with_operation: `begin
  if tg_op = 'DELETE' then
    if ${isArchived('old.operation_id')} then
      return old;
    end if;
  end if;
  ${grows}
end`,
    ledger_event_follows: `begin
  if new.n <> 1 + coalesce(
    (select max(n) from ${of}.ledger_event where subject = new.subject and subject_id = new.subject_id), 0
  ) then
    raise exception 'ledger_event only grows: each row follows the last';
  end if;
  return new;
end`,
    ledger_evidence_follows: `begin
  if new.n <> 1 + coalesce(
    (select max(n) from ${of}.ledger_evidence where operation_id = new.operation_id), 0
  ) then
    raise exception 'ledger_evidence only grows: each row follows the last';
  end if;
  return new;
end`,
    ledger_pruned_follows: `begin
  if not exists (
    select 1 from ${of}.ledger_operation
    where operation_id = new.operation_id and settled_at = new.settled_at
  ) and not ${isArriving} then
    raise exception 'only what is settled is archived';
  end if;
  return new;
end`,
    ledger_pruned_event_follows: `begin
  if not exists (select 1 from ${of}.ledger_event where seq = new.event_seq and hash = new.hash)
    and not ${isArriving} then
    raise exception 'only an event that is there is archived';
  end if;
  return new;
end`,
    ledger_operation_is_new: `begin
  if ${isArchived('new.operation_id')} or exists (
    select 1 from ${of}.ledger_pruned
    where key_scope = new.key_scope and idempotency_key = new.idempotency_key
  ) then
    raise exception 'this operation was archived: its id and its key are taken for ever';
  end if;
  return new;
end`,
    ledger_operation_stays: `begin
  if ${isSame(INTENT.filter(column => column !== 'input'))}
    and ${isRedacted('input', { id: 'old.operation_id', n: '0', body: 'new.input' })} then
    return new;
  end if;
  raise exception 'what an operation is never changes: another intent is another operation';
end`,
    ledger_operation_moves: `begin
  raise exception 'a change of status raises the version';
end`,
  }
}
