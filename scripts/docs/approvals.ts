import { UNDOING_WORDS } from '../../src/core/compensation.js'
import { APPROVAL_RULES } from '../../src/core/transitions/approving.js'
import { table } from './with-block.js'

/** What must hold before somebody may approve. */
export function approvalRuleTable(): string {
  return table(
    ['rule', 'what must hold'],
    APPROVAL_RULES.map(({ id, title }) => [`\`${id}\``, title]),
  )
}

/** What undoing can come to, by the effect of what is undone. */
export function undoingTable(): string {
  return table(
    ['effect', 'undoing it'],
    Object.entries(UNDOING_WORDS).map(([effect, words]) => [effect, words]),
  )
}
