import type { CheckpointThread } from '../../../core/checkpoint.js'
import type { ImportedTask } from '../../../core/imported.js'
import type { TaskStatus } from '../../../core/task.js'
import { stepInId } from '../history.js'

interface StatusRule {
  readonly id: string
  readonly title: string
  readonly reason: string
  readonly status: TaskStatus
  /** why it applies; undefined = it does not */
  readonly says: (thread: CheckpointThread) => string | undefined
}

/** What a thread's checkpoint says of its run; the first rule that applies decides. */
export const STATUS_RULES: readonly StatusRule[] = [
  {
    id: 'langgraph.thread_unreadable',
    title: 'what would run is not known',
    reason: 'A thread that cannot be read is not over.',
    status: 'running',
    says: ({ checkpoint_id, warnings }) =>
      warnings.find(
        ({ code }) =>
          code === 'checkpoint_unreadable' || (code === 'checkpoint_missing' && checkpoint_id === null),
      )?.message,
  },
  {
    id: 'langgraph.thread_asks',
    title: 'a question is open',
    reason: 'A graph waits at interrupt() until somebody answers.',
    status: 'waiting_input',
    says: ({ interrupts }) => {
      const open = interrupts.filter(({ state }) => state === 'open' || state === 'answer_reused')
      return open.length === 0
        ? undefined
        : `waiting for an answer to ${open.map(({ id, node }) => `${node ?? 'an unnamed node'} (${id ?? 'no id'})`).join(', ')}`
    },
  },
  {
    id: 'langgraph.thread_failed',
    title: 'a node or the choice of the next one failed',
    reason: 'The run ended with the error; a resume runs the node again, or nothing.',
    status: 'failed',
    says: ({ will_run, warnings, errors }) => {
      const router = warnings.find(({ code }) => code === 'router_failed')
      if (router) return router.message
      const failed = will_run.find(({ reason }) => reason === 'errored')
      return failed && `${failed.node}: ${errors.find(({ task_id }) => task_id === failed.task_id)?.text}`
    },
  },
  {
    id: 'langgraph.thread_unfinished',
    title: 'nodes are left to run',
    reason: 'Running, killed and paused at a breakpoint look the same in the store.',
    status: 'running',
    says: ({ will_run }) =>
      will_run.length === 0
        ? undefined
        : `${[...new Set(will_run.map(({ node }) => node))].join(', ')} is left to run: running, killed, or at a breakpoint`,
  },
  {
    id: 'langgraph.thread_done',
    title: 'nothing is left to run',
    reason: 'The newest checkpoint leads to no node. A run with durability "exit" may have worked past it.',
    status: 'completed',
    says: ({ checkpoint_id }) => `nothing is left to run at checkpoint ${checkpoint_id}`,
  },
]

/** The thread as a task. `uri`: where the store lies, as it may be shown. */
export function taskOf(
  thread: CheckpointThread,
  uri: string,
  oldest: string | undefined,
): { readonly record: ImportedTask; readonly rule: string } {
  const rule = STATUS_RULES.find(({ says }) => says(thread) !== undefined)
  const status = rule?.status ?? 'running'
  const at = thread.ts === null ? null : Date.parse(thread.ts)
  const isOver = status === 'completed' || status === 'failed'
  return {
    rule: rule?.id ?? 'langgraph.thread_unreadable',
    record: {
      record: 'task',
      task_id: `langgraph:${thread.thread_id}`,
      parent_task_id: null,
      goal: null,
      status,
      status_reason: rule?.says(thread) ?? null,
      agent: null,
      thread: { source: 'langgraph', uri, thread_id: thread.thread_id },
      workspace: null,
      labels: {},
      deadline_at: null,
      heartbeat_at: null,
      activity_at: at,
      // a checkpoint says that it did something: a loop writes one at each step
      progress_at: null,
      created_at: (oldest === undefined ? null : timeInId(oldest)) ?? at,
      closed_at: isOver ? at : null,
    },
  }
}

const GREGORIAN_MS = 12_219_292_800_000

/** When a checkpoint was made, from its UUID v6 (RFC 9562, section 5.6); null where the id is of another kind. */
export function timeInId(id: string): number | null {
  const parts = /^([0-9a-f]{8})-([0-9a-f]{4})-6([0-9a-f]{3})-/i.exec(id)
  if (parts === null || Number.isNaN(stepInId(id))) return null
  const ticks = BigInt(`0x${parts[1]}${parts[2]}${parts[3]}`)
  return Number(ticks / 10_000n) - GREGORIAN_MS
}
