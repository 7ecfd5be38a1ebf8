import { ADVICE_RULES } from '../../src/core/advice.js'
import { REPLAY_RISK_RULES } from '../../src/core/replay-risk.js'
import { CALL_RULES } from '../../src/sources/langgraph/records/rules.js'
import { STATUS_RULES } from '../../src/sources/langgraph/records/task.js'
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

/** What a tool call of a LangGraph thread becomes, the first rule that applies. */
export function langgraphCallTable(): string {
  return table(
    ['rule', 'when', 'status', 'why'],
    CALL_RULES.map(({ id, title, status, reason }) => [`\`${id}\``, title, `\`${status}\``, reason]),
  )
}

/** What a LangGraph thread becomes as a task, the first rule that applies. */
export function langgraphStatusTable(): string {
  return table(
    ['rule', 'when', 'status', 'why'],
    STATUS_RULES.map(({ id, title, status, reason }) => [`\`${id}\``, title, `\`${status}\``, reason]),
  )
}
