import type { Call, CallKind } from '../call.js'
import { ACTIVITY_RULES } from './activity.js'
import { CHILD_RULES, LOCAL_ACTIVITY_RULES, NEXUS_RULES, SIGNAL_RULES } from './other.js'
import type { Around, OutcomeRule } from './rule.js'

export type { Around, OutcomeRule } from './rule.js'

/** The rules for each kind of call; the last of each list applies to all that is left. */
export const OUTCOME_RULES: Readonly<Record<CallKind, readonly OutcomeRule[]>> = {
  activity: ACTIVITY_RULES,
  local_activity: LOCAL_ACTIVITY_RULES,
  child: CHILD_RULES,
  signal: SIGNAL_RULES,
  cancel: SIGNAL_RULES,
  nexus: NEXUS_RULES,
}

export function outcomeOf(call: Call, around: Around): OutcomeRule {
  const rule = OUTCOME_RULES[call.kind].find(({ applies }) => applies(call, around))
  if (rule === undefined) throw new Error(`no rule for a call of the kind ${call.kind}`)
  return rule
}
