import { KEEP_RULES } from '../../src/core/retention.js'
import { table } from './with-block.js'

/** Every rule that keeps an operation from being archived, in the order in which they are asked. */
export function keepRuleTable(): string {
  return table(
    ['rule', 'kept where', 'because'],
    KEEP_RULES.map(({ id, title, reason }) => [`\`${id}\``, title, reason]),
  )
}
