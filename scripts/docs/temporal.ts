import { OUTCOME_RULES } from '../../src/sources/temporal/rules/index.js'
import { TEMPORAL_WARNINGS } from '../../src/sources/temporal/warnings.js'
import { table } from './with-block.js'

const KINDS = [
  ['activity', 'activities'],
  ['local_activity', 'local activities'],
  ['child', 'child workflows'],
  ['signal', 'signals and cancel requests to other workflows'],
  ['nexus', 'Nexus operations'],
] as const

/** What each record of a history means, by kind of call and in the order in which the rules are asked. */
export function temporalRuleTable(): string {
  return KINDS.map(
    ([kind, name]) =>
      `**${name}**\n\n${table(
        ['rule', 'the history says', 'status', 'because'],
        OUTCOME_RULES[kind].map(({ id, title, status, reason }) => [
          `\`${id.replace('temporal.', '')}\``,
          title,
          `\`${status}\``,
          reason,
        ]),
      )}`,
  ).join('\n\n')
}

/** Each warning of a history and why it is one. */
export function temporalWarningTable(): string {
  return table(
    ['code', 'what', 'why it matters'],
    TEMPORAL_WARNINGS.map(({ code, title, reason }) => [`\`${code}\``, title, reason]),
  )
}
