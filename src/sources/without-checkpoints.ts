import { adviseOn } from '../core/advice.js'
import { type CheckpointThread, RECORDS_ALONE } from '../core/checkpoint.js'
import { didYouMean } from '../core/did-you-mean.js'
import { LedgerError } from '../core/errors.js'
import type { ImportedRecord, ImportedTask } from '../core/imported.js'
import { safe } from '../core/safe-text.js'
import { MOST_THREADS } from './most-threads.js'
import type { CheckpointReading, ReadOptions } from './source.js'

interface Of {
  readonly id: string
  readonly title: string
  readonly path: string
}

/**
 * What can be said of a resume where a system writes records and keeps no checkpoints: each of its tasks is a thread of
 * which nobody knows what would run. What it did outside, `withReplayRisk` adds from the operations of the task.
 * Throws `ledger_unreadable`, and `not_found` for a thread that is not there.
 */
export async function readWithoutCheckpoints(
  records: AsyncIterable<ImportedRecord>,
  { threadId, source }: Pick<ReadOptions, 'threadId'> & { readonly source: Of },
): Promise<CheckpointReading> {
  const threads = new Map<string, CheckpointThread>()
  const others = new Set<string>()
  const names: string[] = []
  for await (const record of records) {
    if (record.record !== 'task') continue
    const { task_id } = record
    const isWanted = threadId === undefined || threadId === task_id || threadId === record.thread?.thread_id
    if (!isWanted) {
      if (names.length < MOST_THREADS) names.push(task_id)
    } else if (threads.size < MOST_THREADS || threads.has(task_id)) {
      threads.set(task_id, threadOf(record, source.title))
    } else others.add(task_id)
  }
  if (threadId !== undefined && threads.size === 0)
    throw new LedgerError(
      'not_found',
      `${source.path} has no task ${threadId}${didYouMean(threadId, names)}`,
      {
        id: threadId,
        path: source.path,
        hint: 'Leave --thread out to see all tasks in there.',
      },
    )
  return {
    document: {
      source: source.id,
      language: 'unknown',
      saver: RECORDS_ALONE,
      threads: [...threads.values()],
      left_out: others.size,
    },
    taskIds: new Map(),
  }
}

function threadOf(task: ImportedTask, title: string): CheckpointThread {
  const at = task.activity_at ?? task.progress_at ?? task.heartbeat_at
  const facts = {
    thread_id: task.task_id,
    checkpoint_id: null,
    step: null,
    ts: at === null ? null : new Date(at).toISOString(),
    get_state_next: [],
    will_run: [],
    enclosing: [],
    saved: [],
    interrupts: [],
    errors: [],
    warnings: [
      {
        code: 'no_checkpoint',
        message: `what a resume would run is not known: no checkpoint stands there (${safe(title)})`,
      },
    ],
    replay_risk: [],
  }
  return { ...facts, advice: adviseOn(facts) }
}
