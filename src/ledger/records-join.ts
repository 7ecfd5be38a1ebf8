import { type CheckpointDocument, type CheckpointThread, RECORDS_ALONE } from '../core/checkpoint.js'
import type { ImportedPhase, ImportedRecord, ImportedTask } from '../core/imported.js'
import { recordedOperation } from '../core/importing/recorded-operation.js'
import { theirPhase } from '../core/importing/their-phase.js'
import type { TakingIn } from '../core/importing/their-record.js'
import type { Look } from '../core/in-doubt.js'
import type { Phase } from '../core/phase.js'
import { createReplayRisks } from '../core/replay-risk.js'
import { isImportedTask } from '../core/task.js'
import { judgedPhases } from './judged-phases.js'
import { pointsTo, warningsOf } from './looking/checkpoint-join.js'

interface Joining {
  readonly path: string
  readonly document: CheckpointDocument
  /** for each thread the ids of all tasks that left a trace in the store */
  readonly taskIds: ReadonlyMap<string, ReadonlySet<string>>
  readonly look: Look
  /** of phases: look at what lies outside the workspace too */
  readonly follow: boolean
  readonly mask: TakingIn['mask']
}

/** A task of the records that points to a thread of the document. */
interface Pointing {
  task: ImportedTask
  readonly phases: Map<string, Phase>
}

/**
 * The threads of a checkpoint with what the records of its own store mean for a resume, as an import of them would say
 * it. Of an operation that is no risk nothing is held.
 */
export async function joinedToRecords(
  records: AsyncIterable<ImportedRecord>,
  joining: Joining,
): Promise<CheckpointThread[]> {
  const { document, look } = joining
  const byThread = new Map(document.threads.map(thread => [thread.thread_id, createJoin(thread, joining)]))
  const byTask = new Map<string, ReturnType<typeof createJoin>>()
  for await (const record of records) {
    if (record.record === 'task') {
      const join = byThread.get(threadOf(record, joining) ?? '')
      join?.tell(record)
      if (join !== undefined) byTask.set(record.task_id, join)
    } else if (record.record === 'operation')
      byTask.get(record.task_id)?.risks.take(recordedOperation(record, look))
    else if (record.record === 'phase') byTask.get(record.task_id)?.phase(record)
  }
  const threads: CheckpointThread[] = []
  for (const join of byThread.values()) threads.push(await join.joined())
  return threads
}

function threadOf(task: ImportedTask, { document, path }: Joining): string | null {
  if (document.saver === RECORDS_ALONE) return task.task_id
  return task.thread !== null && pointsTo(task, path) ? task.thread.thread_id : null
}

function createJoin(thread: CheckpointThread, { document, taskIds, look, follow, mask }: Joining) {
  const tasks = new Map<string, Pointing>()
  const risks = createReplayRisks(thread, taskIds.get(thread.thread_id) ?? new Set())
  return {
    risks,
    tell(task: ImportedTask): void {
      const told = tasks.get(task.task_id)
      if (told === undefined) tasks.set(task.task_id, { task, phases: new Map() })
      else told.task = task
    },
    phase(record: ImportedPhase): void {
      const { task_id } = record
      const { name, said } = theirPhase(record, { source: document.source, mask })
      const { at } = look.now
      tasks
        .get(task_id)
        ?.phases.set(name, { task_id, name, ...said, version: 1, created_at: at, updated_at: at })
    },
    async joined(): Promise<CheckpointThread> {
      if (tasks.size === 0) return thread
      const all = [...tasks.values()]
      const judged = await Promise.all(
        all.map(({ task, phases }) => judgedPhases(task, [...phases.values()], { follow })),
      )
      return risks.joined({
        isOfStore: all.every(({ task }) => isImportedTask(task)),
        warnings: warningsOf({ phases: judged.flat(), drain: null }),
      })
    },
  }
}
