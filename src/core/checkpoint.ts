import type { JsonValue } from './json.js'

/**
 * What a framework's own checkpoint says, in the words of this project: the document `checkpoint@1`.
 * Made by a source, filled with what the ledger knows by `withReplayRisk`, shown by `checkpoint` and `report`.
 */
export interface CheckpointDocument {
  /** the source that read it: `langgraph`, … */
  readonly source: string
  readonly language: CheckpointLanguage
  /** which of the framework's savers wrote the store: `sqlite`, … */
  readonly saver: string
  readonly threads: readonly CheckpointThread[]
  /** threads that are stored and were not read, because there are too many */
  readonly left_out: number
}

/** `saver` where a system writes records and keeps no checkpoints: what a resume would run is not known then. */
export const RECORDS_ALONE = 'records'

export const CHECKPOINT_LANGUAGES = ['javascript', 'python', 'mixed', 'unknown'] as const
export type CheckpointLanguage = (typeof CHECKPOINT_LANGUAGES)[number]

export interface CheckpointThread {
  readonly thread_id: string
  /** the newest checkpoint of the outermost graph; null where none is stored */
  readonly checkpoint_id: string | null
  /** the superstep that the newest checkpoint ended; the nodes below run in the next one */
  readonly step: number | null
  /** when the newest checkpoint was written, ISO-8601 UTC */
  readonly ts: string | null
  /** what the framework's own `getState().next` answers; `[]` there does not mean that the work is done */
  readonly get_state_next: readonly string[]
  /** the nodes that really run first when the thread is resumed with nothing new */
  readonly will_run: readonly WillRun[]
  /** nodes around a subgraph in `will_run`; where such a node is a function, its own lines run again too */
  readonly enclosing: readonly EnclosingNode[]
  /** tasks of the current superstep whose result is stored: they do not run again */
  readonly saved: readonly SavedTask[]
  readonly interrupts: readonly CheckpointInterrupt[]
  readonly errors: readonly CheckpointError[]
  readonly warnings: readonly CheckpointWarning[]
  readonly replay_risk: readonly ReplayRisk[]
  readonly advice: CheckpointAdvice
}

/** Why a node runs: nothing of it is stored, it asked, it failed, its failure is handled, or it comes next. */
export const RUN_REASONS = ['not_finished', 'interrupted', 'errored', 'error_handler', 'following'] as const
export type RunReason = (typeof RUN_REASONS)[number]

export interface WillRun {
  readonly node: string
  /** null where the checkpoint it will start from is not stored yet */
  readonly task_id: string | null
  /** the value the node sees as `langgraph_checkpoint_ns`; null where the task id is not known */
  readonly namespace: string | null
  readonly reason: RunReason
  /** what it is called with, where the checkpoint holds that apart from the state */
  readonly args?: JsonValue
}

export interface EnclosingNode {
  readonly node: string
  readonly namespace: string
}

export interface SavedTask {
  /** null for the stored result of a sub-task whose name the store does not hold */
  readonly node: string | null
  readonly task_id: string
}

/**
 * `open`: nobody answered. `answered`: answered, and the node went on to its end. `answered_outcome_unknown`: an answer
 * is stored and nothing after it is. `answer_reused`: open, but a resume without an answer would take the answer to an
 * earlier question for it. `discarded`: the thread went on without it.
 */
export const INTERRUPT_STATES = [
  'open',
  'answered',
  'answered_outcome_unknown',
  'answer_reused',
  'discarded',
] as const
export type InterruptState = (typeof INTERRUPT_STATES)[number]

export interface CheckpointInterrupt {
  /** what an answer must name; null where the framework stored none */
  readonly id: string | null
  readonly node: string | null
  readonly value: JsonValue
  readonly state: InterruptState
}

export interface CheckpointError {
  readonly node: string | null
  readonly task_id: string
  readonly text: string
}

export interface CheckpointWarning {
  readonly code: string
  readonly message: string
}

/** An outside write that would happen again, or cannot be told from one, if the thread were resumed now. */
export interface ReplayRisk {
  readonly operation_id: string
  readonly node: string | null
  readonly status: string
  readonly why: string
}

export const ADVISED_ACTIONS = [
  'resume',
  'resume_from',
  'reconcile_first',
  'change_first',
  'hand_over',
] as const
export type AdvisedAction = (typeof ADVISED_ACTIONS)[number]

export interface CheckpointAdvice {
  readonly action: AdvisedAction
  readonly reasons: readonly string[]
}
