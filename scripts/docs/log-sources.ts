import { OTHER_RULES, WORD_RULES } from '../../src/sources/jsonl/status-words.js'
import { WARNINGS as JSONL_WARNINGS } from '../../src/sources/jsonl/warnings.js'
import { OUTCOME_RULES as OPENHANDS_RULES } from '../../src/sources/openhands/outcome-rules.js'
import { WARNINGS as OPENHANDS_WARNINGS } from '../../src/sources/openhands/warnings.js'
import { OUTCOME_RULES as TRANSCRIPT_RULES } from '../../src/sources/transcript/outcome-rules.js'
import { WARNINGS as TRANSCRIPT_WARNINGS } from '../../src/sources/transcript/warnings.js'
import { table } from './with-block.js'

interface Outcome {
  readonly id: string
  readonly title: string
  readonly reason: string
  readonly status: string
}

function outcomeTable(rules: readonly Outcome[]): string {
  return table(
    ['rule', 'the record says', 'status', 'because'],
    rules.map(({ id, title, status, reason }) => [`\`${id}\``, title, `\`${status}\``, reason]),
  )
}

interface Warning {
  readonly code: string
  readonly title: string
  readonly reason: string
}

function warningTable(warnings: readonly Warning[]): string {
  return table(
    ['code', 'what', 'what it means'],
    warnings.map(({ code, title, reason }) => [`\`${code}\``, title, reason]),
  )
}

export const openhandsRuleTable = () => outcomeTable(OPENHANDS_RULES)
export const openhandsWarningTable = () => warningTable(OPENHANDS_WARNINGS)
export const transcriptRuleTable = () => outcomeTable(TRANSCRIPT_RULES)
export const transcriptWarningTable = () => warningTable(TRANSCRIPT_WARNINGS)
export const jsonlWarningTable = () => warningTable(JSONL_WARNINGS)

/** The words for a status, and what decides in their place. */
export function jsonlRuleTable(): string {
  return table(
    ['rule', 'words', 'status', 'because'],
    [
      ...WORD_RULES.map(({ id, words, status, reason }) => [
        `\`${id}\``,
        words.join(', '),
        `\`${status}\``,
        reason,
      ]),
      ...OTHER_RULES.map(({ id, title, reason }) => [`\`${id}\``, title, '', reason]),
    ],
  )
}
