import { isDigest, isFlag, isId, isJson } from './0001-checks.js'
import { retention } from './0001-retention.js'
import { supervision } from './0001-supervision.js'

export const tables = `
create table ledger_meta (
  one integer primary key check (one = 1),
  ledger_id text not null check ${isId('ledger_id')},
  incarnation integer not null check (incarnation >= 1),
  home text not null,
  created_at integer not null,
  created_by text not null,
  moved text check ${isJson('moved')}
) strict;

create table ledger_task (
  seq integer primary key,
  task_id text not null unique check ${isId('task_id')},
  parent_task_id text,
  goal text,
  status text not null check (status in (
    'running', 'waiting_input', 'waiting_approval', 'budget_exhausted', 'cancel_requested',
    'cancelled', 'suspended', 'completed', 'failed'
  )),
  status_reason text,
  agent text,
  thread text check ${isJson('thread')},
  workspace text,
  links text not null check ${isJson('links')},
  labels text not null check ${isJson('labels')},
  deadline_at integer,
  budget text check ${isJson('budget')},
  heartbeat_at integer,
  activity_at integer,
  progress_at integer,
  progress text check ${isJson('progress')},
  steps integer not null default 0,
  cost real not null default 0,
  grace_until integer,
  grace_reason text,
  taken_over_by text,
  taken_over_at integer,
  epoch integer not null check (epoch >= 0),
  version integer not null check (version >= 1),
  created_at integer not null,
  updated_at integer not null,
  closed_at integer,
  check ((closed_at is not null) = (status in ('cancelled', 'completed', 'failed'))),
  check ((taken_over_by is null) = (taken_over_at is null)),
  check ((grace_until is null) = (grace_reason is null))
) strict;

create table ledger_operation (
  seq integer primary key,
  operation_id text not null unique check ${isId('operation_id')},
  task_id text not null references ledger_task (task_id),
  phase text,
  step text,
  tool text not null check (tool <> ''),
  effect text check (effect in ('read', 'reversible', 'compensable', 'mitigable', 'irreversible')),
  target text,
  input text not null check ${isJson('input')},
  input_digest blob not null check ${isDigest('input_digest')},
  idempotency_key text not null check (idempotency_key <> ''),
  key_scope text not null,
  repeat text check ${isJson('repeat')},
  contract text not null check ${isJson('contract')},
  contract_digest blob not null check ${isDigest('contract_digest')},
  amount real,
  max_attempts integer not null check (max_attempts >= 1),
  deadline_at integer,
  timeout_ms integer,
  compensates text,
  supersedes text,
  checkpoint text check ${isJson('checkpoint')},
  provenance text not null check (provenance in ('library', 'exec', 'record', 'imported')),
  links text not null check ${isJson('links')},
  status text not null check (status in (
    'prepared', 'in_flight', 'confirmed', 'not_executed', 'unknown', 'cancelled', 'abandoned'
  )),
  may_have_applied integer not null check ${isFlag('may_have_applied')},
  attempt integer not null check (attempt >= 0),
  extra_attempts integer not null check (extra_attempts >= 0),
  next_attempt_at integer,
  retry_reason text,
  key_first_used_at integer,
  key_retention_ms integer,
  lease_owner text,
  lease_fence integer not null check (lease_fence >= 0),
  lease_expires_at integer,
  lease_boot_id text,
  lease_boot_ms integer,
  heartbeat_at integer,
  activity_at integer,
  progress_at integer,
  progress text check ${isJson('progress')},
  last_error text check ${isJson('last_error')},
  result text check ${isJson('result')},
  result_digest blob check ${isDigest('result_digest')},
  settled_by text check (settled_by in ('receipt', 'probe', 'person', 'imported')),
  by_hand text check ${isJson('by_hand')},
  approval_id text,
  cancel_requested_at integer,
  defer_until integer,
  next_look_at integer,
  flags text not null check ${isJson('flags')},
  same_as text,
  evidence_count integer not null check (evidence_count >= 0),
  evidence_head blob check ${isDigest('evidence_head')},
  incarnation integer not null check (incarnation >= 1),
  version integer not null check (version >= 1),
  created_at integer not null,
  updated_at integer not null,
  settled_at integer,
  risk_rank integer not null generated always as (
    case effect
      when 'irreversible' then 1
      when 'mitigable' then 2
      when 'compensable' then 2
      when 'reversible' then 3
      when 'read' then 4
      else 0
    end
  ) virtual,
  risk_amount real not null generated always as (-coalesce(amount, 0.0)) virtual,
  is_flagged integer not null generated always as (
    case
      when flags = '{}' then 0
      when json_extract(flags, '$.duplicates') is not null then 1
      when json_extract(flags, '$.target_differs') is not null then 1
      when json_extract(flags, '$.compensation_in_question') is not null then 1
      else 0
    end
  ) virtual,
  awaits_approval integer not null generated always as (
    case
      when status <> 'prepared' or approval_id is not null or contract = '{}' then 0
      when json_extract(contract, '$.approval') = 'required' then 1
      else 0
    end
  ) virtual,
  check ((settled_at is not null) = (status in ('confirmed', 'not_executed', 'cancelled', 'abandoned'))),
  check (status = 'in_flight' or coalesce(lease_owner, lease_expires_at, lease_boot_id, lease_boot_ms) is null),
  check (status <> 'in_flight' or attempt >= 1),
  check (status <> 'cancelled' or attempt = 0),
  check (status <> 'confirmed' or (settled_by is not null and evidence_count >= 1)),
  check ((evidence_count = 0) = (evidence_head is null))
) strict;

create table ledger_attempt (
  operation_id text not null references ledger_operation (operation_id),
  n integer not null check (n >= 1),
  fence integer not null check (fence >= 1),
  owner text not null,
  sent_at integer not null,
  sent_boot_id text not null,
  sent_boot_ms integer not null,
  send_by integer not null,
  latest_arrival integer,
  ended_at integer,
  "end" text check ("end" in ('applied', 'not_applied', 'ambiguous', 'absent')),
  error text check ${isJson('error')},
  heartbeat_at integer,
  activity_at integer,
  progress_at integer,
  progress text check ${isJson('progress')},
  primary key (operation_id, n),
  check ((ended_at is null) = ("end" is null))
) strict, without rowid;

create table ledger_evidence (
  operation_id text not null references ledger_operation (operation_id),
  n integer not null check (n >= 1),
  kind text not null check (kind in (
    'receipt', 'error', 'probe', 'attestation', 'checkpoint', 'late_result', 'lease', 'call_never_made',
    'record'
  )),
  origin text not null check (origin in ('observed', 'looked_up', 'attested', 'imported')),
  attempt integer,
  at integer not null,
  actor text not null,
  body text not null check ${isJson('body')},
  hash blob not null check ${isDigest('hash')},
  primary key (operation_id, n)
) strict, without rowid;

create table ledger_event (
  seq integer primary key,
  subject text not null check (subject in ('operation', 'task', 'ledger')),
  subject_id text not null,
  n integer not null check (n >= 1),
  about text,
  type text not null check (type <> ''),
  decision_id text,
  at integer not null,
  boot_id text not null,
  boot_ms integer not null,
  actor text not null check (actor <> ''),
  body text not null check ${isJson('body')},
  hash blob not null check ${isDigest('hash')},
  unique (subject, subject_id, n)
) strict;

create table ledger_external_ref (
  operation_id text not null references ledger_operation (operation_id),
  kind text not null,
  value text not null,
  scope text not null,
  url text,
  at integer not null,
  primary key (operation_id, kind, value, scope)
) strict, without rowid;

create table ledger_approval (
  approval_id text primary key,
  operation_id text not null references ledger_operation (operation_id),
  digest blob not null check ${isDigest('digest')},
  approver text not null,
  reason text not null,
  granted_at integer not null,
  expires_at integer,
  uses integer not null check (uses >= 1),
  used integer not null check (used between 0 and uses),
  revoked_at integer
) strict, without rowid;

create table ledger_quota (
  destination text primary key check (destination <> ''),
  used_until integer not null
) strict, without rowid;

create table ledger_action (
  task_id text not null references ledger_task (task_id),
  n integer not null check (n >= 1),
  kind text not null check (kind in ('tool', 'message', 'condensation', 'input')),
  tool text,
  input_digest blob check ${isDigest('input_digest')},
  result_digest blob check ${isDigest('result_digest')},
  outcome text check (outcome in ('ok', 'error')),
  times integer not null check (times >= 1),
  first_at integer not null,
  at integer not null check (at >= first_at),
  wait_until integer,
  stall text check ${isJson('stall')},
  excerpt text not null,
  place integer check (place >= 1),
  primary key (task_id, n)
) strict, without rowid;

create table ledger_phase (
  task_id text not null references ledger_task (task_id),
  name text not null check (name <> ''),
  input text,
  input_revision text,
  status text not null check (status in ('running', 'completed', 'failed')),
  artifact text,
  artifact_digest blob check ${isDigest('artifact_digest')},
  based_on text not null check ${isJson('based_on')},
  result text check ${isJson('result')},
  evidence text check ${isJson('evidence')},
  version integer not null check (version >= 1),
  created_at integer not null,
  updated_at integer not null,
  primary key (task_id, name)
) strict, without rowid;

create table ledger_note (
  note_id integer primary key,
  task_id text not null references ledger_task (task_id),
  operation_id text references ledger_operation (operation_id),
  kind text not null check (kind in ('finding', 'open', 'hypothesis', 'workspace', 'remark', 'summary')),
  body text not null check ${isJson('body')},
  at integer not null,
  actor text not null check (actor <> '')
) strict;

${supervision}create table ledger_claim (
  subject text not null check (subject in ('operation', 'task')),
  subject_id text not null,
  actor text not null check (actor <> ''),
  at integer not null,
  until integer not null check (until >= at),
  primary key (subject, subject_id)
) strict, without rowid;
${retention}`
