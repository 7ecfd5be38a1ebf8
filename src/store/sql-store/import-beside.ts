import type { ImportedNote, ImportedPhase, ImportedTask } from '../../core/imported.js'
import { cleanId, cleanJson, cleanText, cleanTextOrNull, cleanTime } from '../../core/importing/clean.js'
import type { KindCounts } from '../../core/importing/counts.js'
import type { JsonObject, JsonValue } from '../../core/json.js'
import type { TheirTask } from '../../core/transitions/import-task.js'
import { decideTask } from '../../core/transitions/task.js'
import { text } from '../cells.js'
import { bytesOfDigest } from '../chain.js'
import { query, type Sql } from '../engine.js'
import type { Importing } from '../import-port.js'
import type { NewNote } from '../store.js'
import type { Ledger } from './change.js'
import { type Time, timeOfCommit } from './clock.js'
import { addNote, isNoteOnFile } from './notes.js'
import { readTask, writeTask } from './tasks.js'

// What stands beside their operations: tasks, handoff notes and phases.

type Became = keyof KindCounts

export function* importTask(ledger: Ledger, asked: Importing, task: ImportedTask): Sql<Became> {
  const { by, taking } = asked
  const task_id = cleanId(task.task_id)
  const time = yield* timeOfCommit(by.now)
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
  if (yield* isNoteOnFile(stored)) return 'unchanged'
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

const PHASE_STATUSES: Readonly<Record<string, 'running' | 'completed' | 'failed'>> = {
  running: 'running',
  in_progress: 'running',
  started: 'running',
  completed: 'completed',
  complete: 'completed',
  succeeded: 'completed',
  success: 'completed',
  done: 'completed',
  ok: 'completed',
  failed: 'failed',
  error: 'failed',
  cancelled: 'failed',
}

export function* importPhase(_ledger: Ledger, asked: Importing, phase: ImportedPhase): Sql<Became> {
  const task_id = cleanId(phase.task_id)
  const name = cleanText(phase.name) || 'unnamed'
  if ((yield* readTask(task_id)) === null) {
    asked.onWarning({
      code: 'phase_without_task',
      message: 'a phase of a task that is not there',
      where: task_id,
    })
    return 'unchanged'
  }
  const status = PHASE_STATUSES[phase.status.toLowerCase()]
  if (status === undefined)
    asked.onWarning({
      code: 'phase_status',
      message: `the status ${JSON.stringify(phase.status)} of a phase is none that is known: it is taken for running`,
      where: `${task_id} ${name}`,
    })
  const { stamp } = yield* timeOfCommit(asked.by.now)
  const values = [
    cleanTextOrNull(phase.input_revision),
    status ?? 'running',
    cleanTextOrNull(phase.artifact),
    digestBytes(phase.artifact_digest),
    JSON.stringify({
      source: asked.taking.source,
      status: cleanText(phase.status),
      ...(phase.artifact_digest === null ? {} : { artifact_digest: cleanText(phase.artifact_digest) }),
      ...(cleanTime(phase.at) === null ? {} : { at: cleanTime(phase.at) }),
    }),
  ]
  const [before] = yield* query(
    `select evidence
     from ledger_phase
     where task_id = $1 and name = $2`,
    [task_id, name],
  )
  if (before !== undefined) {
    const [same] = yield* query(
      `select name
       from ledger_phase
       where task_id = $1
         and name = $2
         and coalesce(input_revision, '') = coalesce($3, '')
         and status = $4
         and coalesce(artifact, '') = coalesce($5, '')
         and evidence = $6`,
      [task_id, name, ...values.slice(0, 3), values[4] ?? null],
    )
    if (same !== undefined && text(same, 'name') === name) return 'unchanged'
    yield* query(
      `update ledger_phase
       set input_revision = $3, status = $4, artifact = $5, artifact_digest = $6, evidence = $7, updated_at = $8
       where task_id = $1 and name = $2`,
      [task_id, name, ...values, stamp.at],
    )
    return 'changed'
  }
  yield* query(
    `insert into ledger_phase (
       task_id, name, input_revision, status, artifact, artifact_digest, evidence, created_at, updated_at
     )
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [task_id, name, ...values, stamp.at, stamp.at],
  )
  return 'added'
}

function digestBytes(digest: string | null): Buffer | null {
  const hex = /^(?:sha256:)?([0-9a-f]{64})$/i.exec(digest ?? '')?.[1]
  return hex === undefined ? null : bytesOfDigest(`sha256:${hex.toLowerCase()}`)
}
