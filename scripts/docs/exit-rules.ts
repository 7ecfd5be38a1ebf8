import { EXIT_RULES } from '../../src/core/exit-verdict.js'
import { table } from './with-block.js'

const ENDS = { applied: 'confirmed', not_applied: 'not executed', ambiguous: 'in doubt' } as const

/** How `exec` reads the end of a command. */
export function exitRuleTable(): string {
  const rows = EXIT_RULES.map(({ id, end, title, reason }) => [`\`${id}\``, ENDS[end], title, reason])
  return table(['rule', 'means', 'when', 'because'], rows)
}
