import type { ListedOperation } from '../../core/documents/list.js'
import { LedgerError } from '../../core/errors.js'
import { STALL_RULE_IDS, type StallRuleId } from '../../core/stall/rule.js'
import type { ListQuery } from '../../ledger/looking/list.js'
import type { LedgerForReading } from '../../ledger.js'
import { choice, flag, someText, value, wholeNumber } from '../parameters.js'

// The selectors of decisions on many: the filters of `list`, so that the list shows beforehand what they choose.

export const selectors = {
  task: value('task', 'many: those of this task', someText, { completes: 'task' }),
  tool: value('tool', 'many: those of this tool', someText),
  unknown: flag('many: everything in doubt'),
  rule: value('rule', 'many: those stalled by this rule', choice(STALL_RULE_IDS), {
    choices: STALL_RULE_IDS,
  }),
  cause: value('cause', 'many: those that failed of this, as list --group-by cause names it', someText),
  expect: value('n', 'many: refuse it unless so many are chosen', wholeNumber(1)),
  skipChanged: flag('many: leave out those that somebody else changed meanwhile, instead of deciding none'),
} as const

/** For the help of each command that takes them. */
export const MANY_DETAILS =
  'With --task, --tool, --unknown, --rule or --cause it decides on all in doubt that they choose: how many and which is shown first, and it is one commit, all or none. Without a terminal --yes wants --expect with their number.'

export interface Selectors {
  readonly task: string | undefined
  readonly tool: string | undefined
  readonly unknown: boolean
  readonly rule: StallRuleId | undefined
  readonly cause: string | undefined
  readonly expect: number | undefined
  readonly skipChanged: boolean
}

/** Does the command line choose by what operations have in common? */
export function isSelecting({ task, tool, unknown, rule, cause }: Selectors): boolean {
  return unknown || [task, tool, rule, cause].some(one => one !== undefined)
}

/**
 * One operation, or many by selectors, and never both; `--expect` and `--skip-changed` are for many.
 * @throws LedgerError usage; there is no implicit "all"
 */
export function requireOneSubject(op: string | undefined, given: Selectors): void {
  const { expect, skipChanged } = given
  if (op === undefined && !isSelecting(given))
    throw new LedgerError('usage', 'no operation was named', {
      hint: 'Name one, or choose many with --task, --tool, --unknown, --rule or --cause. There is no "all".',
    })
  if (op === undefined) return
  const odd = isSelecting(given)
    ? 'an operation and a choice of many exclude each other'
    : expect !== undefined || skipChanged
      ? '--expect and --skip-changed are for a choice of many'
      : undefined
  if (odd !== undefined) throw new LedgerError('usage', odd, { id: op })
}

/** Those in doubt that the selectors choose, riskiest first. @throws LedgerError not_found for a task that is not there */
export async function selected(
  ledger: Pick<LedgerForReading, 'list' | 'subject'>,
  { task, tool, rule, cause }: Selectors,
): Promise<readonly ListedOperation[]> {
  if (task !== undefined) await ledger.subject(task, 'task')
  const query: ListQuery = {
    show: rule === undefined ? 'unknown' : 'stalled',
    ...(task === undefined ? {} : { taskId: task }),
    ...(tool === undefined ? {} : { tool }),
    ...(rule === undefined ? {} : { rule }),
    ...(cause === undefined ? {} : { cause }),
  }
  const { operations } = await ledger.list(query)
  return operations.filter(({ in_doubt }) => in_doubt)
}
