import { ADVICE_RULES } from '../../src/core/advice.js'
import { REPLAY_RISK_RULES } from '../../src/core/replay-risk.js'
import { WARNINGS } from '../../src/sources/langgraph/warnings.js'
import { table } from './with-block.js'

/** Each warning of a LangGraph store and why it is one. */
export function langgraphWarningTable(): string {
  return table(
    ['code', 'what', 'why it matters'],
    WARNINGS.map(({ code, title, reason }) => [`\`${code}\``, title, reason]),
  )
}

/** The rules that call an operation a replay risk, in their order. */
export function replayRiskTable(): string {
  return table(
    ['rule', 'an operation is a risk when it is'],
    REPLAY_RISK_RULES.map(({ id, title }) => [`\`${id}\``, title]),
  )
}

/** The rules behind the advice, in their order. */
export function adviceTable(): string {
  return table(
    ['rule', 'when', 'action'],
    ADVICE_RULES.map(({ id, title, action }) => [`\`${id}\``, title, `\`${action}\``]),
  )
}
