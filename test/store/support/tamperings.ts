import type { FindingRule } from '../../../src/store/verify/finding.js'

export interface Tampering {
  readonly rule: FindingRule
  readonly what: string
  readonly sql: string
  readonly names: Partial<{ subject: string; id: string; n: number }>
}

const EVENT = `where subject = 'operation' and subject_id = 'op'`
const EVIDENCE = `where operation_id = 'lost'`

/** One row a way to tamper; the program that does it is stopped by no trigger and no check. */
export const TAMPERINGS: readonly Tampering[] = [
  {
    rule: 'event_changed',
    what: 'the body of an event changed',
    sql: `update ledger_event set body = replace(body, 'T-1', 'T-9') ${EVENT} and n = 3`,
    names: { subject: 'operation', id: 'op', n: 3 },
  },
  {
    rule: 'row_differs',
    what: 'an operation put off without an event',
    sql: `update ledger_operation set defer_until = 5 where operation_id = 'op'`,
    names: { subject: 'operation', id: 'op' },
  },
  {
    rule: 'row_differs',
    what: 'an operation moved to another incarnation',
    sql: `update ledger_operation set incarnation = 2 where operation_id = 'op'`,
    names: { subject: 'operation', id: 'op' },
  },
  {
    rule: 'event_changed',
    what: 'a body made unreadable',
    sql: `update ledger_event set body = '{' ${EVENT} and n = 2`,
    names: { subject: 'operation', id: 'op', n: 2 },
  },
  {
    rule: 'event_changed',
    what: 'the actor of an event changed',
    sql: `update ledger_event set actor = 'mallory' ${EVENT} and n = 1`,
    names: { subject: 'operation', id: 'op', n: 1 },
  },
  {
    rule: 'event_changed',
    what: 'the time of an event changed',
    sql: `update ledger_event set at = at + 1 ${EVENT} and n = 3`,
    names: { subject: 'operation', id: 'op', n: 3 },
  },
  {
    rule: 'event_changed',
    what: 'an event of the task changed',
    sql: `update ledger_event set type = 'handback' where subject = 'task' and n = 1`,
    names: { subject: 'task', id: 'task-1', n: 1 },
  },
  {
    rule: 'event_changed',
    what: "an event of the ledger's own chain changed",
    sql: `update ledger_event set body = '{}' where subject = 'ledger' and n = 1`,
    names: { subject: 'ledger', n: 1 },
  },
  {
    rule: 'event_changed',
    what: 'two events put in each other’s place',
    sql: `update ledger_event set n = case n when 1 then 200 else 100 end ${EVENT} and n in (1, 2);
          update ledger_event set n = n / 100 ${EVENT} and n >= 100`,
    names: { subject: 'operation', id: 'op', n: 1 },
  },
  {
    rule: 'event_changed',
    what: 'an event moved to another operation',
    sql: `update ledger_event set subject_id = 'lost', n = 4 ${EVENT} and n = 3`,
    names: { subject: 'operation', id: 'lost', n: 4 },
  },
  {
    rule: 'event_changed',
    what: 'an event laid to another operation',
    sql: `update ledger_event set about = 'op' where subject = 'ledger' and about is not null`,
    names: { subject: 'ledger' },
  },
  {
    rule: 'event_changed',
    what: 'the boot clock of an event changed',
    sql: `update ledger_event set boot_ms = boot_ms + 1 ${EVENT} and n = 3`,
    names: { subject: 'operation', id: 'op', n: 3 },
  },
  {
    rule: 'meta_differs',
    what: 'an incarnation denied',
    sql: `update ledger_meta set incarnation = 7`,
    names: { subject: 'ledger' },
  },
  {
    rule: 'meta_differs',
    what: 'the id of the ledger changed',
    sql: `update ledger_meta set ledger_id = 'another'`,
    names: { subject: 'ledger' },
  },
  {
    rule: 'event_missing',
    what: 'an event removed',
    sql: `delete from ledger_event ${EVENT} and n = 2`,
    names: { subject: 'operation', id: 'op', n: 2 },
  },
  {
    rule: 'event_missing',
    what: 'the last event removed',
    sql: `delete from ledger_event ${EVENT} and n = 3`,
    names: { subject: 'operation', id: 'op', n: 3 },
  },
  {
    rule: 'events_gap',
    what: 'an operation removed with everything of it',
    sql: `delete from ledger_event ${EVENT};
          delete from ledger_external_ref where operation_id = 'op';
          delete from ledger_evidence where operation_id = 'op';
          delete from ledger_attempt where operation_id = 'op';
          delete from ledger_operation where operation_id = 'op'`,
    names: { subject: 'ledger' },
  },
  {
    rule: 'event_extra',
    what: 'an event inserted at the end',
    sql: `insert into ledger_event (subject, subject_id, n, type, at, boot_id, boot_ms, actor, body, hash)
          select subject, subject_id, 4, type, at, boot_id, boot_ms, actor, body, hash
          from ledger_event ${EVENT} and n = 3`,
    names: { subject: 'operation', id: 'op', n: 4 },
  },
  {
    rule: 'time_runs_back',
    what: 'events put in another order',
    sql: `update ledger_event set seq = 1000 + seq where seq in (1, 6);
          update ledger_event set seq = case seq when 1001 then 6 else 1 end where seq > 1000`,
    names: { subject: 'ledger' },
  },
  {
    rule: 'event_misplaced',
    what: 'two events of one commit exchanged in the order of all',
    sql: `update ledger_event set seq = 1000 + seq ${EVENT} and n < 3;
          update ledger_event set seq = seq - 1000 + case n when 1 then 1 else -1 end where seq > 1000`,
    names: { subject: 'operation', id: 'op', n: 2 },
  },
  {
    rule: 'row_missing',
    what: 'the row of an operation removed',
    sql: `delete from ledger_operation where operation_id = 'op'`,
    names: { subject: 'operation', id: 'op' },
  },
  {
    rule: 'row_missing',
    what: 'the row of a task removed',
    sql: `delete from ledger_task`,
    names: { subject: 'task', id: 'task-1' },
  },
  {
    rule: 'row_differs',
    what: 'a settled row changed',
    sql: `update ledger_operation set settled_by = 'person' where operation_id = 'op'`,
    names: { subject: 'operation', id: 'op' },
  },
  {
    rule: 'row_differs',
    what: 'a status changed',
    sql: `update ledger_operation set status = 'not_executed', settled_at = 1 where operation_id = 'lost'`,
    names: { subject: 'operation', id: 'lost' },
  },
  {
    rule: 'row_differs',
    what: 'a doubt taken away',
    sql: `update ledger_operation set may_have_applied = 0 where operation_id = 'lost'`,
    names: { subject: 'operation', id: 'lost' },
  },
  {
    rule: 'row_differs',
    what: 'a takeover taken out of the row of a task',
    sql: `update ledger_task set taken_over_by = null, taken_over_at = null`,
    names: { subject: 'task', id: 'task-1' },
  },
  {
    rule: 'intent_differs',
    what: 'the input changed',
    sql: `update ledger_operation set input = '{"title":"Pay 9"}' where operation_id = 'op'`,
    names: { subject: 'operation', id: 'op' },
  },
  {
    rule: 'intent_differs',
    what: 'the amount at stake changed',
    sql: `update ledger_operation set amount = 1 where operation_id = 'op'`,
    names: { subject: 'operation', id: 'op' },
  },
  {
    rule: 'intent_differs',
    what: 'the contract changed',
    sql: `update ledger_operation set repeat = '{"kind":"idempotent"}' where operation_id = 'lost'`,
    names: { subject: 'operation', id: 'lost' },
  },
  {
    rule: 'result_differs',
    what: 'the result changed',
    sql: `update ledger_operation set result = '{"id":"T-2"}' where operation_id = 'op'`,
    names: { subject: 'operation', id: 'op' },
  },
  {
    rule: 'attempts_differ',
    what: 'the end of an attempt changed',
    sql: `update ledger_attempt set "end" = 'not_applied' where operation_id = 'lost'`,
    names: { subject: 'operation', id: 'lost' },
  },
  {
    rule: 'attempts_differ',
    what: 'an attempt removed',
    sql: `delete from ledger_attempt where operation_id = 'lost'`,
    names: { subject: 'operation', id: 'lost' },
  },
  {
    rule: 'attempts_differ',
    what: 'an attempt invented',
    sql: `insert into ledger_attempt select operation_id, 2, fence, owner, sent_at, sent_boot_id, sent_boot_ms,
          send_by, latest_arrival, ended_at, "end", error, null, null, null, null
          from ledger_attempt where operation_id = 'lost'`,
    names: { subject: 'operation', id: 'lost' },
  },
  {
    rule: 'evidence_changed',
    what: 'evidence changed',
    sql: `update ledger_evidence set body = '{"found":1}' ${EVIDENCE} and n = 1`,
    names: { subject: 'operation', id: 'lost', n: 1 },
  },
  {
    rule: 'evidence_changed',
    what: 'evidence labelled otherwise',
    sql: `update ledger_evidence set origin = 'observed' ${EVIDENCE} and n = 1`,
    names: { subject: 'operation', id: 'lost', n: 1 },
  },
  {
    rule: 'evidence_missing',
    what: 'the last evidence removed',
    sql: `delete from ledger_evidence ${EVIDENCE} and n = 2`,
    names: { subject: 'operation', id: 'lost', n: 2 },
  },
  {
    rule: 'evidence_missing',
    what: 'the first evidence removed',
    sql: `delete from ledger_evidence ${EVIDENCE} and n = 1`,
    names: { subject: 'operation', id: 'lost', n: 1 },
  },
  {
    rule: 'evidence_extra',
    what: 'evidence inserted',
    sql: `insert into ledger_evidence select operation_id, 3, kind, origin, attempt, at, actor, body, hash
          from ledger_evidence ${EVIDENCE} and n = 2`,
    names: { subject: 'operation', id: 'lost', n: 3 },
  },
  {
    rule: 'evidence_not_as_cited',
    what: 'evidence taken from under an event, with the row made to fit',
    sql: `delete from ledger_evidence where operation_id = 'op';
          update ledger_operation set evidence_count = 0, evidence_head = null where operation_id = 'op'`,
    names: { subject: 'operation', id: 'op', n: 3 },
  },
  {
    rule: 'external_ids_differ',
    what: 'an external id invented',
    sql: `insert into ledger_external_ref values ('lost', 'ticket', 'T-99', '', null, 1)`,
    names: { subject: 'operation', id: 'lost' },
  },
  {
    rule: 'external_ids_differ',
    what: 'an external id removed',
    sql: `delete from ledger_external_ref where operation_id = 'op'`,
    names: { subject: 'operation', id: 'op' },
  },
  {
    rule: 'external_ids_differ',
    what: 'the link of an external id turned elsewhere',
    sql: `update ledger_external_ref set url = 'https://mallory.example/T-1' where operation_id = 'op'`,
    names: { subject: 'operation', id: 'op' },
  },
  ...[
    [
      'an approval that nobody gave',
      `insert into ledger_approval select 'theirs', operation_id, digest, 'mallory', reason, granted_at, expires_at, uses, 0, null from ledger_approval limit 1`,
    ],
    ['an approval removed', 'delete from ledger_approval where revoked_at is not null'],
    ['more uses than were given', 'update ledger_approval set uses = 9'],
    ['a use given back', 'update ledger_approval set used = 0'],
    ['a revocation undone', 'update ledger_approval set revoked_at = null'],
    ['another approver', `update ledger_approval set approver = 'mallory'`],
    ['an approval for something else', 'update ledger_approval set digest = zeroblob(32)'],
  ].map(
    ([what = '', sql = '']): Tampering => ({
      rule: 'approvals_differ',
      what,
      sql,
      names: { subject: 'operation', id: 'asks' },
    }),
  ),
  {
    rule: 'note_changed',
    what: 'a note changed',
    sql: `update ledger_note set body = '"all is well"'`,
    names: { subject: 'note', id: '1' },
  },
  {
    rule: 'note_missing',
    what: 'a note removed',
    sql: 'delete from ledger_note',
    names: { subject: 'note', id: '1' },
  },
  {
    rule: 'phase_differs',
    what: 'a phase said to be made from something else',
    sql: `update ledger_phase set input_revision = 'r2'`,
    names: { subject: 'phase' },
  },
  {
    rule: 'phase_missing',
    what: 'a phase removed',
    sql: 'delete from ledger_phase',
    names: { subject: 'phase' },
  },
  {
    rule: 'note_extra',
    what: 'a note inserted',
    sql: `insert into ledger_note (task_id, kind, body, at, actor) values ('task-1', 'remark', '1', 1, 'mallory')`,
    names: { subject: 'note', id: '2' },
  },
  {
    rule: 'file_damaged',
    what: 'a row left without its parent',
    sql: `delete from ledger_task`,
    names: { subject: 'file' },
  },
]
