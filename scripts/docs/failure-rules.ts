import type { CallEnd, FailureRule } from '../../src/core/classify/rule.js'
import { RULE_GROUPS, RULES_AROUND } from '../../src/core/classify/rules.js'
import { RETRY_WORDS, WAIT_HINTS } from '../../src/core/classify/wait-hints.js'
import { table } from './with-block.js'

const MEANS: Readonly<Record<CallEnd, string>> = {
  applied: 'done',
  not_applied: 'certainly not executed',
  accepted: 'taken in',
  ambiguous: 'in doubt',
}

/** The rules of one subject, in the order they are asked. */
export function failureRuleTable(group: keyof typeof RULE_GROUPS | 'around'): () => string {
  const rules: readonly FailureRule[] = group === 'around' ? RULES_AROUND : RULE_GROUPS[group]
  return () =>
    table(
      ['rule', 'known by', 'means', 'when', 'because', 'source'],
      rules.map(({ id, signals, end, retryable, title, reason, source }) => [
        `\`${id}\``,
        signals.join(', '),
        retryable === true ? `${MEANS[end]}; may be sent again` : MEANS[end],
        title,
        reason,
        source,
      ]),
    )
}

/** What a service says about waiting. */
export function waitHintTable(): string {
  return table(
    ['header', 'means', 'source'],
    [
      ...WAIT_HINTS.map(({ header, means, source }) => [`\`${header}\``, means, source]),
      [
        '`grpc-retry-pushback-ms`',
        'exact milliseconds; a negative or unreadable one: do not retry',
        'grpc/proposal A6',
      ],
      ...Object.entries(RETRY_WORDS).map(([name, source]) => [
        `\`${name}\``,
        '`true` or `false`: whether a refused request may be sent again',
        source,
      ]),
    ],
  )
}
