import type { JsonObject } from '../json.js'

/** What became of one operation that was asked about. */
export const RECONCILE_OUTCOMES = [
  'confirmed',
  'not_executed',
  'in_doubt',
  'probe_failed',
  'not_asked',
  'not_yet',
  'settled',
  'planned',
] as const
export type ReconcileOutcome = (typeof RECONCILE_OUTCOMES)[number]

/** As people say it. */
export const RECONCILE_WORDS: Readonly<Record<ReconcileOutcome, string>> = {
  confirmed: 'confirmed',
  not_executed: 'not executed',
  in_doubt: 'still in doubt',
  probe_failed: 'could not be asked',
  not_asked: 'not asked',
  not_yet: 'not yet',
  settled: 'settled',
  planned: 'would ask',
}

/** reconcile@1: one operation, as soon as it was asked about; one line each. Times are ISO-8601 UTC. */
export interface ReconcileBody extends JsonObject {
  readonly operation_id: string
  readonly task_id: string
  readonly tool: string
  readonly outcome: ReconcileOutcome
  /** how the operation stands now */
  readonly status: string
  readonly version: number
  /** the rule that decided; null where nothing was judged */
  readonly rule: string | null
  readonly reason: string
  readonly external_ids: readonly JsonObject[]
  readonly duplicates: boolean
  /** objects that may be it */
  readonly candidates: readonly JsonObject[]
  /** facts that contradict each other */
  readonly facts: readonly string[]
  /** who or what can change it: time, service, person; null where nothing is open */
  readonly waits_for: string | null
  readonly next_look_at: string | null
  /** what was asked, or would be */
  readonly requests: readonly string[]
}

export const RECONCILE_FIELDS = [
  'operation_id',
  'task_id',
  'tool',
  'outcome',
  'status',
  'version',
  'rule',
  'reason',
  'external_ids',
  'duplicates',
  'candidates',
  'facts',
  'waits_for',
  'next_look_at',
  'requests',
] as const satisfies readonly (keyof ReconcileBody)[]

/** 0 all settled, 10 some still in doubt, 6 some could not be asked. */
export function reconcileExitCode(outcomes: Iterable<ReconcileOutcome>): number {
  const seen = new Set(outcomes)
  if (seen.has('probe_failed') || seen.has('not_asked')) return 6
  return seen.has('in_doubt') || seen.has('not_yet') ? 10 : 0
}
