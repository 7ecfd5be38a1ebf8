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

/** What a redaction leaves of an event or an evidence as it is: all but the body. */
export const KEPT_OF_EVENT = [
  'seq',
  'subject',
  'subject_id',
  'n',
  'about',
  'type',
  'decision_id',
  'at',
  'boot_id',
  'boot_ms',
  'actor',
  'hash',
]
export const KEPT_OF_EVIDENCE = ['operation_id', 'n', 'kind', 'origin', 'attempt', 'at', 'actor', 'hash']

const differs = (column: string) => `new.${column} is not old.${column}`

/** A redaction of this part of the operation, with this digest of what it was, is on record in the ledger's own chain. */
const isRedacted = (part: string, { id, n, body }: Record<'id' | 'n' | 'body', string>) => `exists (
    select 1
    from ledger_event as said, json_each(said.body, '$.parts') as part
    where said.about = ${id}
      and said.subject = 'ledger'
      and said.type = 'redact'
      and json_extract(part.value, '$.part') = '${part}'
      and json_extract(part.value, '$.n') = ${n}
      and json_extract(part.value, '$.digest') = json_extract(${body}, '$.redacted.digest')
  )`

interface Growing {
  readonly table: string
  /** when an insert is out of place */
  readonly isMisplaced: string
  /** when an update is no redaction on record; left out where no update is one */
  readonly isChanged?: string
  /** when a row to be removed was not archived; left out where none ever is removed */
  readonly isWanted?: string
}

/** A BEFORE INSERT trigger as well: REPLACE deletes the old row without asking the DELETE trigger. */
const growsOnly = ({ table, isMisplaced, isChanged, isWanted }: Growing) => `
create trigger ${table}_update before update on ${table}${when(isChanged)}
begin select raise(abort, '${table} only grows: no row of it is ever changed'); end;
create trigger ${table}_delete before delete on ${table}${when(isWanted)}
begin select raise(abort, '${table} only grows: no row of it is ever removed'); end;
create trigger ${table}_insert before insert on ${table} when ${isMisplaced}
begin select raise(abort, '${table} only grows: each row follows the last'); end;
`

function when(condition: string | undefined): string {
  return condition === undefined ? '' : ` when ${condition}`
}

/** It is being filled from another place, where the rows were held against each other when they were written. */
const isArriving = 'exists (select 1 from ledger_meta where moved is not null)'

const isOfPruned = 'not exists (select 1 from ledger_pruned where operation_id = old.operation_id)'

export const triggers = [
  growsOnly({
    table: 'ledger_event',
    isMisplaced: `(new.seq <> -1 and new.seq <= coalesce((select max(seq) from ledger_event), 0))
  or new.n <> 1 + coalesce(
    (select max(n) from ledger_event where subject = new.subject and subject_id = new.subject_id), 0
  )`,
    isChanged: `old.subject <> 'operation'
  or ${KEPT_OF_EVENT.map(differs).join('\n  or ')}
  or not ${isRedacted('event', { id: 'old.subject_id', n: 'old.n', body: 'new.body' })}`,
    isWanted: `old.subject <> 'operation'
  or not exists (select 1 from ledger_pruned where operation_id = old.subject_id)
  or not exists (select 1 from ledger_pruned_event where event_seq = old.seq and hash = old.hash)`,
  }),
  growsOnly({
    table: 'ledger_evidence',
    isMisplaced:
      'new.n <> 1 + coalesce((select max(n) from ledger_evidence where operation_id = new.operation_id), 0)',
    isChanged: `${KEPT_OF_EVIDENCE.map(differs).join('\n  or ')}
  or not ${isRedacted('evidence', { id: 'old.operation_id', n: 'old.n', body: 'new.body' })}`,
    isWanted: isOfPruned,
  }),
  growsOnly({
    table: 'ledger_external_ref',
    isMisplaced: `exists (
    select 1 from ledger_external_ref
    where operation_id = new.operation_id and kind = new.kind and value = new.value and scope = new.scope
  )`,
    isWanted: isOfPruned,
  }),
  growsOnly({
    table: 'ledger_note',
    isMisplaced: 'new.note_id <> -1 and new.note_id <= coalesce((select max(note_id) from ledger_note), 0)',
  }),
  growsOnly({
    table: 'ledger_pruned',
    isMisplaced: `exists (select 1 from ledger_pruned where operation_id = new.operation_id)
  or not exists (
    select 1 from ledger_operation where operation_id = new.operation_id and settled_at = new.settled_at
  ) and not ${isArriving}`,
  }),
  growsOnly({
    table: 'ledger_pruned_event',
    isMisplaced: `exists (select 1 from ledger_pruned_event where event_seq = new.event_seq)
  or not exists (select 1 from ledger_event where seq = new.event_seq and hash = new.hash) and not ${isArriving}`,
  }),
  `
create trigger ledger_operation_intent
before update of ${INTENT.join(', ')}
on ledger_operation
when ${INTENT.filter(column => column !== 'input')
    .map(differs)
    .join('\n  or ')}
  or (
    new.input is not old.input
    and not ${isRedacted('input', { id: 'old.operation_id', n: '0', body: 'new.input' })}
  )
begin select raise(abort, 'what an operation is never changes: another intent is another operation'); end;
create trigger ledger_operation_move
before update of status on ledger_operation
when new.status <> old.status and new.version <= old.version
begin select raise(abort, 'a change of status raises the version'); end;
create trigger ledger_operation_delete before delete on ledger_operation when ${isOfPruned}
begin select raise(abort, 'an operation is removed only once it was archived'); end;
create trigger ledger_operation_new before insert on ledger_operation
when exists (select 1 from ledger_pruned where operation_id = new.operation_id)
  or exists (
    select 1 from ledger_pruned where key_scope = new.key_scope and idempotency_key = new.idempotency_key
  )
begin select raise(abort, 'this operation was archived: its id and its key are taken for ever'); end;
`,
].join('')
