/** What `check --fail-on` can ask, in the order documents list it: what each finds, and how bad it is. */
export const CONDITIONS = [
  { id: 'unknown', title: 'in doubt: nobody can tell whether it took effect', level: 'error' },
  { id: 'stalled', title: 'not settled, and standing still', level: 'warning' },
  { id: 'duplicates', title: 'it may have happened twice', level: 'error' },
  { id: 'violations', title: 'something happened against a rule', level: 'error' },
  { id: 'approvals', title: 'it waits for an approval', level: 'warning' },
  { id: 'unanswered', title: 'in doubt, and only a person can find out', level: 'warning' },
  { id: 'replay-risk', title: 'it would happen again if the checkpoint were resumed now', level: 'error' },
  { id: 'unverified', title: 'a person settled it, and nothing else says so', level: 'warning' },
] as const
export type CheckCondition = (typeof CONDITIONS)[number]['id']
export const CHECK_CONDITIONS: readonly CheckCondition[] = CONDITIONS.map(({ id }) => id)

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
