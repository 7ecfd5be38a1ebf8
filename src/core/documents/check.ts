/** What `check --fail-on` can ask, in the order documents list it. */
export const CHECK_CONDITIONS = [
  'unknown',
  'stalled',
  'duplicates',
  'violations',
  'approvals',
  'unanswered',
  'replay-risk',
] as const
export type CheckCondition = (typeof CHECK_CONDITIONS)[number]

/** The body of `check@1`. */
export interface CheckDocument {
  readonly ok: boolean
  /** conditions asked for of which something was found */
  readonly failed_on: readonly CheckCondition[]
  /** of every condition asked for */
  readonly counts: Readonly<Partial<Record<CheckCondition, number>>>
  /** what was found, riskiest first within its condition */
  readonly found: readonly FoundItem[]
  /** found, and not named above */
  readonly left_out: number
}

export interface FoundItem {
  readonly condition: CheckCondition
  /** null for a task itself */
  readonly operation_id: string | null
  readonly task_id: string
  readonly reason: string
}

/** What `--fail-on` means when it is not given. */
export const DEFAULT_CONDITIONS: readonly CheckCondition[] = ['unknown', 'stalled']

/** 0, 10 something in doubt, 11 only stalled, 12 something else asked for. */
export function checkExitCode({ failed_on }: Pick<CheckDocument, 'failed_on'>): 0 | 10 | 11 | 12 {
  if (failed_on.length === 0) return 0
  if (failed_on.includes('unknown')) return 10
  return failed_on.every(condition => condition === 'stalled') ? 11 : 12
}

export const CHECK_FIELDS = [
  'ok',
  'failed_on',
  'counts',
  'found',
  'left_out',
] as const satisfies readonly (keyof CheckDocument)[]
