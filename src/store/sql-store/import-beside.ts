import type { ImportedNote, ImportedTask } from '../../core/imported.js'
import { cleanId, cleanJson, cleanText, cleanTextOrNull, cleanTime } from '../../core/importing/clean.js'
import type { KindCounts } from '../../core/importing/counts.js'
import type { JsonObject, JsonValue } from '../../core/json.js'
import type { TheirTask } from '../../core/transitions/import-task.js'
import { decideTask } from '../../core/transitions/task.js'
import { lockTask, query, type Sql } from '../engine.js'
import type { Importing } from '../import-port.js'
import type { NewNote } from '../store.js'
import type { Ledger } from './change.js'
import { type Time, timeOfCommit } from './clock.js'
import { addNote, isNoteOnFile } from './notes.js'
import { readTask, writeTask } from './tasks.js'

// What stands beside their operations: tasks and handoff notes.

type Became = keyof KindCounts

export function* importTask(ledger: Ledger, asked: Importing, task: ImportedTask): Sql<Became> {
  const { by, taking } = asked
  const task_id = cleanId(task.task_id)
  yield* lockTask({ task_id, operation_id: null })
  const time = yield* timeOfCommit(by.clock)
  const before = yield* readTask(task_id)
  const decided = decideTask(
    before,
    { type: 'import', task: theirTask(task, taking.mask.text, time) },
    { actor: by.actor, at: time.stamp.at, hasOpenSent: true },
  )
  if (!decided.ok) {
    const message = `${decided.refusal.reason}: what their record says of its status (${task.status}) is left out`
    asked.onWarning({ code: decided.refusal.rule, message, where: task_id })
    return 'unchanged'
  }
  if (decided.body === null) return 'unchanged'
  const writing = { ledger_id: ledger.ledger_id, stamp: time.stamp }
  yield* writeTask(writing, { task_id, before, type: 'import', body: decided.body, actor: by.actor })
  return before === null ? 'added' : 'changed'
}

function theirTask(task: ImportedTask, mask: (text: string) => string, { stamp }: Time): TheirTask {
  const { record: _, labels, thread, own, ...said } = task
  const text = (value: string | null) => (value === null ? null : mask(cleanText(value)))
  return {
    ...said,
    task_id: cleanId(said.task_id),
    parent_task_id: said.parent_task_id === null ? null : cleanId(said.parent_task_id),
    goal: text(said.goal),
    status_reason: text(said.status_reason),
    agent: text(said.agent),
    workspace: cleanTextOrNull(said.workspace),
    thread:
      thread === null ? null : JSON.parse(JSON.stringify(cleanJson(JSON.parse(JSON.stringify(thread))))),
    labels: Object.fromEntries(
      Object.entries(labels).map(([name, value]) => [cleanText(name), cleanText(value)]),
    ),
    deadline_at: cleanTime(said.deadline_at),
    heartbeat_at: cleanTime(said.heartbeat_at),
    activity_at: cleanTime(said.activity_at),
    progress_at: cleanTime(said.progress_at),
    created_at: notAfter(cleanTime(said.created_at), stamp.at),
    closed_at: cleanTime(said.closed_at),
    ...(own === undefined ? {} : { own }),
  }
}

/** Their clock may be ahead of ours: what is here already did not begin in the future. */
function notAfter(at: number | null, now: number): number | null {
  return at === null ? null : Math.min(at, now)
}

/** A note is known by its words: read again, it is not noted again. */
export function* importNote(ledger: Ledger, asked: Importing, note: ImportedNote): Sql<Became> {
  const { by, taking } = asked
  const task_id = cleanId(note.task_id)
  if ((yield* readTask(task_id)) === null) {
    asked.onWarning({
      code: 'note_without_task',
      message: 'a note of a task that is not there',
      where: task_id,
    })
    return 'unchanged'
  }
  const operation_id = note.operation_id === null ? null : cleanId(note.operation_id)
  const stored: NewNote = {
    task_id,
    operation_id: operation_id !== null && (yield* isThere(operation_id)) ? operation_id : null,
    kind: note.kind,
    body: taking.mask.value(bodyOf(note, taking.source)),
  }
  // as it was taken in before, or as it was written here: then their record is a copy of it
  const here: NewNote = { ...stored, body: taking.mask.value(cleanJson(note.body)) }
  if ((yield* isNoteOnFile(stored)) || (yield* isNoteOnFile(here))) return 'unchanged'
  yield* addNote(ledger, stored, by)
  return 'added'
}

/** The note as they have it, with when and where they wrote it: the ledger's own time is that of the import. */
function bodyOf({ body, at }: ImportedNote, source: string): JsonValue {
  const when = cleanTime(at)
  const from: JsonObject = { source, ...(when === null ? {} : { at: new Date(when).toISOString() }) }
  const clean = cleanJson(body)
  const isObject = typeof clean === 'object' && clean !== null && !Array.isArray(clean)
  if (isObject && 'from' in clean) return clean
  return isObject ? { ...clean, from } : { text: clean, from }
}

function* isThere(operation_id: string): Sql<boolean> {
  const rows = yield* query(
    `select 1 as one
     from ledger_operation
     where operation_id = $1`,
    [operation_id],
  )
  return rows.length > 0
}
