import { isJson } from './0001-checks.js'

// What supervisors know of each other and of what they told.
export const supervision = `\
create table ledger_notice (
  subject text not null check (subject in ('operation', 'task')),
  subject_id text not null,
  rule text not null check (rule <> ''),
  task_id text not null,
  evidence text not null,
  reason text not null,
  stage text not null check (stage in ('noticed', 'suspended', 'ended')),
  noticed_at integer not null,
  grace_until integer,
  seen_at integer not null,
  changed_at integer not null,
  told text not null check ${isJson('told')},
  primary key (subject, subject_id, rule)
) strict, without rowid;

create table ledger_leader (
  role text primary key check (role <> ''),
  owner text not null check (owner <> ''),
  since integer not null,
  until integer not null check (until >= since)
) strict, without rowid;

`
