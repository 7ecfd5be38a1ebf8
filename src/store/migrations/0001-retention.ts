import { isDigest, isId } from './0001-checks.js'

// What stays of operations that were archived: enough that none of them is sent again under its id, its key or its
// input, that a target counts as touched, and that the tree over all events can be made again.
export const retention = `
create table ledger_pruned (
  operation_id text primary key check ${isId('operation_id')},
  task_id text not null references ledger_task (task_id),
  tool text not null check (tool <> ''),
  target text,
  last_sent_at integer,
  key_scope text not null,
  idempotency_key text not null check (idempotency_key <> ''),
  input_digest blob not null check ${isDigest('input_digest')},
  status text not null check (status in ('confirmed', 'not_executed', 'cancelled', 'abandoned')),
  settled_at integer not null,
  batch integer not null check (batch >= 1)
) strict, without rowid;

create table ledger_pruned_event (
  event_seq integer primary key,
  hash blob not null check ${isDigest('hash')},
  batch integer not null check (batch >= 1)
) strict;
`

export const retentionIndexes = `
create unique index pruned_key on ledger_pruned (key_scope, idempotency_key);
create index pruned_same on ledger_pruned (substr(input_digest, 1, 6), task_id);
create index pruned_of_task on ledger_pruned (task_id);
create index pruned_target on ledger_pruned (target, last_sent_at) where target is not null;
create index pruned_batch on ledger_pruned (batch);
create index pruned_event_batch on ledger_pruned_event (batch, event_seq);
`
