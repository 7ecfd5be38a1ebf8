import type { RecordReply } from '../core/documents/record.js'
import type { RecordInput } from '../core/documents/record-input-schema.js'
import { LedgerError } from '../core/errors.js'
import type { Phase } from '../core/phase.js'
import { beginPhase, endPhase } from './phases.js'
import type { Recorder } from './recorder.js'

/**
 * A phase of a program that cannot hand its work over as a function: `running` answers whether it may be reused, with what
 * it returned then, and begins it where it may not; `completed` and `failed` end what was begun.
 */
export async function recordPhase({ executor }: Recorder, given: RecordInput['phase']): Promise<RecordReply> {
  const { task_id, name, status, input, artifact, based_on, result, evidence, workspace, follow } = given
  const about = {
    task: task_id,
    ...(input === undefined ? {} : { inputRevision: input }),
    ...(artifact === undefined ? {} : { artifact }),
    ...(based_on === undefined ? {} : { basedOn: based_on }),
    ...(evidence === undefined ? {} : { evidence }),
    ...(workspace === undefined ? {} : { workspace }),
    ...(follow === undefined ? {} : { follow }),
  }
  if (status === 'running') {
    const { reused, why, phase } = await beginPhase(executor, { name, about })
    return { ...stands(phase), reused, why, ...(reused ? { result: phase.result } : {}) }
  }
  const begun = (await executor.store.phases(task_id)).find(phase => phase.name === name)
  if (begun?.status !== 'running')
    throw new LedgerError('refused', `phase ${name} of ${task_id} was not begun`, {
      id: name,
      rule: 'phase_begun',
      hint: 'Tell it with status running before its work starts.',
    })
  return stands(await endPhase(executor, begun, { status, about, result: result ?? null }))
}

function stands({ task_id, name, artifact_digest, version }: Phase): RecordReply {
  return { ok: true, task_id, phase: name, artifact_digest, version }
}
