import { AMBIGUOUS_RULES, NOT_APPLIED_RULES, UNLISTED } from '../../src/core/classify/rules.js'
import { table } from './with-block.js'

/** How a failure of a handler is read, in the order the rules are asked. */
export function failureRuleTable(): string {
  const rows = [
    ...NOT_APPLIED_RULES.map(rule => ['certainly not executed', rule] as const),
    ...[...AMBIGUOUS_RULES, UNLISTED].map(rule => ['in doubt', rule] as const),
  ].map(([means, { id, title, reason }]) => [`\`${id}\``, means, title, reason])
  return table(['rule', 'means', 'when', 'because'], rows)
}
