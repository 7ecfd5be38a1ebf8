import type { ImportedPhase } from '../../core/imported.js'
import { cleanId } from '../../core/importing/clean.js'
import type { KindCounts } from '../../core/importing/counts.js'
import { type TheirPhase, theirPhase } from '../../core/importing/their-phase.js'
import type { JsonValue } from '../../core/json.js'
import type { Phase } from '../../core/phase.js'
import type { Sql } from '../engine.js'
import type { Importing } from '../import-port.js'
import type { Ledger } from './change.js'
import { timeOfCommit } from './clock.js'
import { putPhase, readPhase } from './phases.js'
import { readTask } from './tasks.js'

/**
 * What another record says of a phase, with its digest in the chain like one that was written here. One that was written
 * here stays as it is: whoever ran it knows better than a copy.
 */
export function* importPhase(ledger: Ledger, asked: Importing, phase: ImportedPhase): Sql<keyof KindCounts> {
  const task_id = cleanId(phase.task_id)
  const { name, said, isStatusKnown } = theirPhase(phase, asked.taking)
  const where = `${task_id} ${name}`
  if ((yield* readTask(task_id)) === null) {
    const message = 'a phase of a task that is not there'
    asked.onWarning({ code: 'phase_without_task', message, where: task_id })
    return 'unchanged'
  }
  if (!isStatusKnown) {
    const message = `the status ${JSON.stringify(phase.status)} of a phase is none that is known: it is taken for running`
    asked.onWarning({ code: 'phase_status', message, where })
  }
  const before = yield* readPhase(task_id, name)
  if (before !== null) {
    if (isSame(before, said)) return 'unchanged'
    if (!isImported(before.evidence)) {
      const message = 'a phase that was written in this ledger: what the record says of it is left out'
      asked.onWarning({ code: 'phase_written_here', message, where })
      return 'unchanged'
    }
  }
  const { stamp } = yield* timeOfCommit(asked.by.clock)
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

/** When it was said is news only together with something else. */
function isSame(before: Phase, said: TheirPhase['said']): boolean {
  const of = ({
    input,
    input_revision,
    status,
    artifact,
    artifact_digest,
    based_on,
    result,
  }: TheirPhase['said']) =>
    JSON.stringify([input, input_revision, status, artifact, artifact_digest, based_on, result])
  return of(before) === of(said)
}

function isImported(evidence: JsonValue | null): boolean {
  return typeof evidence === 'object' && evidence !== null && 'source' in evidence && 'status' in evidence
}
