import type { Operation } from './operation.js'

/** What decides whether an operation may leave the ledger for an archive. */
export interface Candidate {
  readonly operation: Operation
  readonly task_closed_at: number | null
  /** another operation of its task is not settled */
  readonly task_has_open: boolean
  /** an operation compensates it */
  readonly is_compensated: boolean
  /** a handoff note is about it */
  readonly is_noted: boolean
  /** somebody says that they look at it */
  readonly is_claimed: boolean
}

interface Times {
  readonly settledBefore: number
  readonly now: number
}

interface KeepRule {
  readonly id: string
  readonly title: string
  readonly reason: string
  readonly keeps: (candidate: Candidate, times: Times) => boolean
}

/** Why an operation stays, the first that applies. Adding one adds a test just before and just after its limit. */
export const KEEP_RULES = [
  {
    id: 'open',
    title: 'not settled',
    reason: 'it is open or in doubt',
    keeps: ({ operation }) => operation.settled_at === null,
  },
  {
    id: 'too_new',
    title: 'settled later',
    reason: 'it was settled after the time given',
    keeps: ({ operation: { settled_at } }, { settledBefore }) => (settled_at ?? 0) >= settledBefore,
  },
  {
    id: 'task_open',
    title: 'its task is not over',
    reason: 'its task is not closed, was closed after the time given, or has something open',
    keeps: ({ task_closed_at, task_has_open }, { settledBefore }) =>
      task_has_open || task_closed_at === null || task_closed_at >= settledBefore,
  },
  {
    id: 'flagged',
    title: 'it needs a look',
    reason: 'duplicates nobody acknowledged, another target, or a compensation in question',
    keeps: ({ operation: { flags } }) =>
      flags.duplicates === true ||
      flags.target_differs !== undefined ||
      flags.compensation_in_question === true,
  },
  {
    id: 'compensation',
    title: 'it undoes another, or is undone',
    reason: 'each side of a compensation is read when the other is decided',
    keeps: ({ operation, is_compensated }) => operation.compensates !== null || is_compensated,
  },
  {
    id: 'key_retention',
    title: 'the service still knows its key',
    reason: 'a late answer or a question by the key is still worth asking',
    keeps: ({ operation: { key_first_used_at, key_retention_ms } }, { now }) =>
      key_first_used_at !== null && key_retention_ms !== null && key_first_used_at + key_retention_ms > now,
  },
  {
    id: 'noted',
    title: 'a note is about it',
    reason: 'somebody wrote down something about it for whoever comes next',
    keeps: ({ is_noted }) => is_noted,
  },
  {
    id: 'claimed',
    title: 'somebody looks at it',
    reason: 'a claim on it has not ended',
    keeps: ({ is_claimed }) => is_claimed,
  },
] as const satisfies readonly KeepRule[]

export type KeepRuleId = (typeof KEEP_RULES)[number]['id']

/** The rule by which it stays; null: it may be archived. Pure. */
export function keptBy(candidate: Candidate, times: Times): KeepRuleId | null {
  const rules: readonly (KeepRule & { readonly id: KeepRuleId })[] = KEEP_RULES
  return rules.find(({ keeps }) => keeps(candidate, times))?.id ?? null
}
