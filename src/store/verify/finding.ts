/** What a check of the ledger can find. The reason says what it means that it was found. */
export const FINDING_RULES = {
  file_damaged: {
    title: 'the file itself is damaged',
    reason:
      'SQLite finds pages or indexes that do not fit together: a disk fault, or bytes changed from outside',
  },
  meta_differs: {
    title: 'what the ledger says of itself was changed',
    reason: "the ledger's own chain says when and by whom it was made and which files it lived in",
  },
  event_changed: {
    title: 'an event is not what was written, or does not follow the one before it',
    reason: 'its hash covers its place, its content and the hash before it: something of these was changed',
  },
  event_missing: {
    title: 'an event is missing',
    reason: 'events are numbered without a gap, and the row counts them: one was removed',
  },
  event_extra: {
    title: 'there are more events than the row counts',
    reason: 'row and event are written in one commit: an event was inserted, or the row set back',
  },
  events_gap: {
    title: 'numbers are missing in the order of all events',
    reason:
      'events are numbered without a gap over the whole ledger: some were removed, with all that belonged to them',
  },
  event_misplaced: {
    title: 'an event lies before the one that it follows',
    reason:
      'the events of one subject are written one after the other: their places in the order of all events were exchanged',
  },
  time_runs_back: {
    title: 'an event is older than the one before it',
    reason: 'time never runs below the last commit: events were put in another order',
  },
  row_missing: {
    title: 'there are events of something that has no row',
    reason: 'rows are never removed: this one was',
  },
  row_differs: {
    title: 'a row is not what its events lead to',
    reason: 'replaying the events gives the row: it was changed without one',
  },
  intent_differs: {
    title: 'what an operation is was changed',
    reason: 'the first event holds the digest of the intent, which never changes',
  },
  result_differs: {
    title: 'a result is not the one that was recorded',
    reason: 'the event that recorded it holds its digest',
  },
  attempts_differ: {
    title: 'the attempts are not those that the events announce and end',
    reason: 'attempts are written with their events only',
  },
  evidence_changed: {
    title: 'an evidence is not what was written, or does not follow the one before it',
    reason: 'its hash covers its place, its content and the hash before it: something of these was changed',
  },
  evidence_missing: {
    title: 'evidence is missing',
    reason: 'the row counts it and keeps the hash of the last one',
  },
  evidence_extra: {
    title: 'there is more evidence than the row counts',
    reason: 'row and evidence are written in one commit: an evidence was inserted',
  },
  evidence_not_as_cited: {
    title: 'an event rests on evidence that is not there as it was',
    reason: 'events name the evidence they rest on by number and hash',
  },
  external_ids_differ: {
    title: 'the external ids are not those that were recorded',
    reason: 'each is named by the event that came with it',
  },
  approvals_differ: {
    title: 'the approvals are not those that were given, used and taken back',
    reason:
      "the ledger's own chain names each that was given or taken back, and sends name the use they took",
  },
  note_changed: {
    title: 'a note is not what was written',
    reason: "the ledger's own chain holds the digest of each note",
  },
  note_missing: {
    title: 'a note is missing',
    reason: "the ledger's own chain names it",
  },
  note_extra: {
    title: 'a note was inserted',
    reason: "the ledger's own chain does not name it",
  },
  phase_differs: {
    title: 'a phase is not what was written, or nobody wrote it',
    reason: "the ledger's own chain holds the digest of each phase as it was written last",
  },
  seal_differs: {
    title: 'the events are not those that were sealed',
    reason:
      'a seal holds one hash over all events before it: some were changed, removed, inserted or put elsewhere',
  },
  anchor_differs: {
    title: 'the events are not those that an anchor holds',
    reason: 'the history was written anew after the anchor was made, or the anchor is of another ledger',
  },
  anchor_beyond: {
    title: 'there are fewer events than an anchor holds',
    reason: 'the end of the history was cut off, or an older copy stands here',
  },
  anchor_not_signed: {
    title: 'an anchor is not signed by the key given',
    reason: 'it was changed, or another key made it: it proves nothing',
  },
  archive_differs: {
    title: 'what stays of archived operations is not what was left',
    reason: "the ledger's own chain holds a digest over the ids, keys and event hashes of each batch",
  },
  phase_missing: {
    title: 'a phase is missing',
    reason: "the ledger's own chain names it, and phases are never removed",
  },
} as const

export type FindingRule = keyof typeof FINDING_RULES

export interface Finding {
  readonly rule: FindingRule
  readonly subject: 'file' | 'ledger' | 'operation' | 'task' | 'note' | 'phase'
  /** the operation, task or note concerned; the path or the ledger's id else */
  readonly id: string
  /** the number of the event or evidence concerned */
  readonly n: number | null
  /** what exactly, with the values that differ; may hold text from the ledger: show it as untrusted */
  readonly message: string
}
