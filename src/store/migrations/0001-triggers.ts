/** A BEFORE INSERT trigger as well: REPLACE deletes the old row without asking the DELETE trigger. */
const growsOnly = (table: string, isMisplaced: string) => `
create trigger ${table}_update before update on ${table}
begin select raise(abort, '${table} only grows: no row of it is ever changed'); end;
create trigger ${table}_delete before delete on ${table}
begin select raise(abort, '${table} only grows: no row of it is ever removed'); end;
create trigger ${table}_insert before insert on ${table} when ${isMisplaced}
begin select raise(abort, '${table} only grows: each row follows the last'); end;
`

/** Written once, with the first event. */
export const INTENT = [
  'operation_id',
  'task_id',
  'phase',
  'step',
  'tool',
  'effect',
  'target',
  'input',
  'input_digest',
  'idempotency_key',
  'key_scope',
  'repeat',
  'contract',
  'contract_digest',
  'amount',
  'max_attempts',
  'deadline_at',
  'timeout_ms',
  'compensates',
  'supersedes',
  'checkpoint',
  'provenance',
  'links',
  'created_at',
]

export const triggers = [
  growsOnly(
    'ledger_event',
    `(new.seq <> -1 and new.seq <= coalesce((select max(seq) from ledger_event), 0))
  or new.n <> 1 + coalesce(
    (select max(n) from ledger_event where subject = new.subject and subject_id = new.subject_id), 0
  )`,
  ),
  growsOnly(
    'ledger_evidence',
    'new.n <> 1 + coalesce((select max(n) from ledger_evidence where operation_id = new.operation_id), 0)',
  ),
  growsOnly(
    'ledger_external_ref',
    `exists (
    select 1 from ledger_external_ref
    where operation_id = new.operation_id and kind = new.kind and value = new.value and scope = new.scope
  )`,
  ),
  growsOnly(
    'ledger_note',
    'new.note_id <> -1 and new.note_id <= coalesce((select max(note_id) from ledger_note), 0)',
  ),
  `
create trigger ledger_operation_intent
before update of ${INTENT.join(', ')}
on ledger_operation
when ${INTENT.map(column => `new.${column} is not old.${column}`).join('\n  or ')}
begin select raise(abort, 'what an operation is never changes: another intent is another operation'); end;
create trigger ledger_operation_move
before update of status on ledger_operation
when new.status <> old.status and new.version <= old.version
begin select raise(abort, 'a change of status raises the version'); end;
`,
].join('')
