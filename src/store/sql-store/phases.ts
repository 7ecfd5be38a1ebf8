import { actorWords } from '../../core/actor.js'
import { canonicalize, sha256 } from '../../core/digest.js'
import { PHASE_STATUSES, type Phase } from '../../core/phase.js'
import { digestOrNull, json, jsonOrNull, number, text, textOrNull, word } from '../cells.js'
import { bytesOfDigest } from '../chain.js'
import { query, type Row, type Sql } from '../engine.js'
import type { By, PhaseWriting, PhaseWritten } from '../store.js'
import type { Ledger } from './change.js'
import { timeOfCommit } from './clock.js'
import { appendLedgerEvent, type Writing } from './events.js'
import { readTask } from './tasks.js'

const COLUMNS =
  'task_id, name, input, input_revision, status, artifact, artifact_digest, based_on, result, evidence, version, created_at, updated_at'

export function* phasesOfTask(task_id: string): Sql<Phase[]> {
  const rows = yield* query(
    `select ${COLUMNS} from ledger_phase where task_id = $1 order by created_at, name`,
    [task_id],
  )
  return rows.map(phaseOf)
}

export function* openPhases(): Sql<Phase[]> {
  const rows = yield* query(
    `select ${COLUMNS}
     from ledger_phase
     where task_id in (select task_id from ledger_task indexed by task_open where closed_at is null)
     order by task_id, created_at, name`,
  )
  return rows.map(phaseOf)
}

/** The rows after this one in the order of the key; for whoever checks them all. */
export function* phasesAfter(after: readonly [string, string], limit: number): Sql<Phase[]> {
  const rows = yield* query(
    `select ${COLUMNS}
     from ledger_phase
     where (task_id, name) > ($1, $2)
     order by task_id, name
     limit $3`,
    [...after, limit],
  )
  return rows.map(phaseOf)
}

/**
 * Writes a phase as it is now, with its digest in the ledger's own chain. Refused where somebody else wrote it since, or
 * holds its task: a run that was fenced off must not say that it did something.
 */
export function* writePhase(ledger: Ledger, asked: PhaseWriting, by: By): Sql<PhaseWritten> {
  const { phase, expected_version, epoch } = asked
  const { task_id, name } = phase
  const task = yield* readTask(task_id)
  if (task === null) return { written: null, reason: `there is no task ${task_id}` }
  if (task.taken_over_by !== null)
    return { written: null, reason: `task ${task_id} was taken over by ${actorWords(task.taken_over_by)}` }
  if (epoch !== null && epoch !== task.epoch)
    return {
      written: null,
      reason: `task ${task_id} is at epoch ${task.epoch}, the caller claimed epoch ${epoch}`,
    }
  if (task.status !== 'running') return { written: null, reason: `task ${task_id} is ${task.status}` }
  const before = yield* readPhase(task_id, name)
  if ((before?.version ?? 0) !== expected_version)
    return { written: null, reason: `phase ${name} of ${task_id} was written by somebody else since` }
  const { stamp } = yield* timeOfCommit(by.clock)
  const begins = phase.status === 'running' || before === null
  const row: Phase = {
    ...phase,
    version: expected_version + 1,
    created_at: begins ? stamp.at : before.created_at,
    updated_at: stamp.at,
  }
  yield* putPhase({ ledger_id: ledger.ledger_id, stamp }, row, by.actor)
  return { written: row, reason: null }
}

export function* readPhase(task_id: string, name: string): Sql<Phase | null> {
  const [row] = yield* query(`select ${COLUMNS} from ledger_phase where task_id = $1 and name = $2`, [
    task_id,
    name,
  ])
  return row === undefined ? null : phaseOf(row)
}

/** The row, and its digest in the ledger's own chain: `verify` holds one against the other. */
export function* putPhase(writing: Writing, row: Phase, actor: string): Sql<void> {
  const { task_id, name, status, version } = row
  yield* put(row)
  const body = { task_id, name, status, version, phase_digest: phaseDigest(row) }
  yield* appendLedgerEvent(writing, { about: task_id, type: 'phase', actor, body })
}

/** Over all of the row. */
export function phaseDigest(phase: Phase): string {
  return sha256(canonicalize(phase))
}

function* put(row: Phase): Sql<void> {
  yield* query(
    `insert into ledger_phase (${COLUMNS})
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
     on conflict (task_id, name) do update
     set input = excluded.input, input_revision = excluded.input_revision, status = excluded.status,
       artifact = excluded.artifact, artifact_digest = excluded.artifact_digest, based_on = excluded.based_on,
       result = excluded.result, evidence = excluded.evidence, version = excluded.version,
       created_at = excluded.created_at, updated_at = excluded.updated_at`,
    [
      row.task_id,
      row.name,
      row.input,
      row.input_revision,
      row.status,
      row.artifact,
      row.artifact_digest === null ? null : bytesOfDigest(row.artifact_digest),
      JSON.stringify(row.based_on),
      row.result === null ? null : JSON.stringify(row.result),
      row.evidence === null ? null : JSON.stringify(row.evidence),
      row.version,
      row.created_at,
      row.updated_at,
    ],
  )
}

function phaseOf(row: Row): Phase {
  return {
    task_id: text(row, 'task_id'),
    name: text(row, 'name'),
    input: textOrNull(row, 'input'),
    input_revision: textOrNull(row, 'input_revision'),
    status: word(row, 'status', PHASE_STATUSES),
    artifact: textOrNull(row, 'artifact'),
    artifact_digest: digestOrNull(row, 'artifact_digest'),
    based_on: json(row, 'based_on'),
    result: jsonOrNull(row, 'result'),
    evidence: jsonOrNull(row, 'evidence'),
    version: number(row, 'version'),
    created_at: number(row, 'created_at'),
    updated_at: number(row, 'updated_at'),
  }
}
