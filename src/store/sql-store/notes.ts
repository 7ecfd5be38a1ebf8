import { sha256 } from '../../core/digest.js'
import { LedgerError } from '../../core/errors.js'
import { number, textOrNull } from '../cells.js'
import { query, type Sql } from '../engine.js'
import { noteOf } from '../rows.js'
import type { By, NewNote, Note } from '../store.js'
import type { Ledger } from './change.js'
import { timeOfCommit } from './clock.js'
import { appendLedgerEvent } from './events.js'
import { readTask } from './tasks.js'

const COLUMNS = 'note_id, task_id, operation_id, kind, body, at, actor'

/** The same note of the same task is on file already: it was read before. */
export function* isNoteOnFile({ task_id, operation_id, kind, body }: NewNote): Sql<boolean> {
  const rows = yield* query(
    `select operation_id
     from ledger_note
     where task_id = $1 and kind = $2 and body = $3`,
    [task_id, kind, JSON.stringify(body)],
  )
  return rows.some(row => textOrNull(row, 'operation_id') === (operation_id ?? null))
}

/** A handoff note. Its text stands in the note, its digest in the ledger's chain, so that a change shows. */
export function* addNote(ledger: Ledger, note: NewNote, by: By): Sql<Note> {
  const operation_id = note.operation_id ?? null
  if ((yield* readTask(note.task_id)) === null)
    throw new LedgerError('not_found', `there is no task ${note.task_id}`, { id: note.task_id })
  const { stamp } = yield* timeOfCommit(by.clock)
  const body = JSON.stringify(note.body)
  const [row] = yield* query(
    `insert into ledger_note (task_id, operation_id, kind, body, at, actor)
     values ($1, $2, $3, $4, $5, $6)
     returning note_id`,
    [note.task_id, operation_id, note.kind, body, stamp.at, by.actor],
  )
  const note_id = row ? number(row, 'note_id') : 0
  yield* appendLedgerEvent(
    { ledger_id: ledger.ledger_id, stamp },
    {
      about: operation_id ?? note.task_id,
      type: 'note',
      actor: by.actor,
      body: {
        note_id,
        task_id: note.task_id,
        operation_id,
        kind: note.kind,
        note_digest: sha256(body),
      },
    },
  )
  return {
    note_id,
    operation_id,
    task_id: note.task_id,
    kind: note.kind,
    body: note.body,
    at: stamp.at,
    actor: by.actor,
  }
}

export function* notesOfTask(task_id: string): Sql<Note[]> {
  const rows = yield* query(
    `select ${COLUMNS}
     from ledger_note
     where task_id = $1
     order by note_id`,
    [task_id],
  )
  return rows.map(noteOf)
}

export function* notesOfOperation(operation_id: string): Sql<Note[]> {
  const rows = yield* query(
    `select ${COLUMNS}
     from ledger_note
     where operation_id = $1
     order by note_id`,
    [operation_id],
  )
  return rows.map(noteOf)
}
