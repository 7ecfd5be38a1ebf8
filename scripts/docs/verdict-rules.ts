import { VERDICT_RULES } from '../../src/core/verdict.js'
import { table } from './with-block.js'

/** The rules of the verdict, in the order they are asked. */
export function verdictRuleTable(): string {
  return table(
    ['rule', 'when', 'because'],
    VERDICT_RULES.map(({ id, title, reason }) => [`\`${id}\``, title, reason]),
  )
}
