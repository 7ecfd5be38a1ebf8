import type { ImportedPhase } from '../../core/imported.js'
import { cleanId, cleanJson, cleanText, cleanTextOrNull, cleanTime } from '../../core/importing/clean.js'
import type { KindCounts } from '../../core/importing/counts.js'
import type { JsonObject, JsonValue } from '../../core/json.js'
import type { Phase, PhaseStatus } from '../../core/phase.js'
import type { Sql } from '../engine.js'
import type { Importing } from '../import-port.js'
import type { Ledger } from './change.js'
import { timeOfCommit } from './clock.js'
import { putPhase, readPhase } from './phases.js'
import { readTask } from './tasks.js'

const STATUSES: Readonly<Record<string, PhaseStatus>> = {
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

/**
 * What another record says of a phase, with its digest in the chain like one that was written here. One that was written
 * here stays as it is: whoever ran it knows better than a copy.
 */
export function* importPhase(ledger: Ledger, asked: Importing, phase: ImportedPhase): Sql<keyof KindCounts> {
  const task_id = cleanId(phase.task_id)
  const name = cleanText(phase.name) || 'unnamed'
  const where = `${task_id} ${name}`
  if ((yield* readTask(task_id)) === null) {
    const message = 'a phase of a task that is not there'
    asked.onWarning({ code: 'phase_without_task', message, where: task_id })
    return 'unchanged'
  }
  const said = saidOf(phase, asked, where)
  const before = yield* readPhase(task_id, name)
  if (before !== null) {
    if (isSame(before, said)) return 'unchanged'
    if (!isImported(before.evidence)) {
      const message = 'a phase that was written in this ledger: what the record says of it is left out'
      asked.onWarning({ code: 'phase_written_here', message, where })
      return 'unchanged'
    }
  }
  const { stamp } = yield* timeOfCommit(asked.by.now)
  const row: Phase = {
    task_id,
    name,
    ...said,
    version: (before?.version ?? 0) + 1,
    created_at: before?.created_at ?? stamp.at,
    updated_at: stamp.at,
  }
  yield* putPhase({ ledger_id: ledger.ledger_id, stamp }, row, asked.by.actor)
  return before === null ? 'added' : 'changed'
}

type Said = Omit<Phase, 'task_id' | 'name' | 'version' | 'created_at' | 'updated_at'>

function saidOf(phase: ImportedPhase, { taking, onWarning }: Importing, where: string): Said {
  const status = STATUSES[phase.status.toLowerCase()]
  if (status === undefined) {
    const message = `the status ${JSON.stringify(phase.status)} of a phase is none that is known: it is taken for running`
    onWarning({ code: 'phase_status', message, where })
  }
  const { own, artifact_digest } = phase
  const at = cleanTime(phase.at)
  return {
    input: cleanTextOrNull(own?.input ?? null),
    input_revision: cleanTextOrNull(phase.input_revision),
    status: status ?? 'running',
    artifact: cleanTextOrNull(phase.artifact),
    artifact_digest: digestOf(artifact_digest),
    based_on: (own?.based_on ?? []).map(one => ({
      phase: cleanText(one.phase),
      artifact_digest: digestOf(one.artifact_digest),
    })),
    result: own === undefined || own.result === null ? null : taking.mask.value(cleanJson(own.result)),
    evidence: {
      ...objectOf(own === undefined ? null : taking.mask.value(cleanJson(own.evidence))),
      source: taking.source,
      status: cleanText(phase.status),
      ...(artifact_digest === null ? {} : { artifact_digest: cleanText(artifact_digest) }),
      ...(at === null ? {} : { at }),
    },
  }
}

function objectOf(value: JsonValue): JsonObject {
  return isObject(value) ? value : {}
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function digestOf(digest: string | null): string | null {
  const hex = /^(?:sha256:)?([0-9a-f]{64})$/i.exec(digest ?? '')?.[1]
  return hex === undefined ? null : `sha256:${hex.toLowerCase()}`
}

/** When it was said is news only together with something else. */
function isSame(before: Phase, said: Said): boolean {
  const of = ({ input, input_revision, status, artifact, artifact_digest, based_on, result }: Said) =>
    JSON.stringify([input, input_revision, status, artifact, artifact_digest, based_on, result])
  return of(before) === of(said)
}

function isImported(evidence: JsonValue | null): boolean {
  return typeof evidence === 'object' && evidence !== null && 'source' in evidence && 'status' in evidence
}
