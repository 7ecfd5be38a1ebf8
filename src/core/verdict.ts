import { disagreement, recordGone } from './verdict/disagree.js'
import { boundElsewhere, candidates, duplicates, found } from './verdict/found.js'
import { remoteTask } from './verdict/remote.js'
import { type Finding, sightOf, type VerdictQuestion, type VerdictRule } from './verdict/rule.js'
import { askedElsewhere, notAnswered, provedAbsent, someCameToNothing } from './verdict/silence.js'
import { finalStatement } from './verdict/statement.js'

export type { Finding, VerdictQuestion, VerdictRule } from './verdict/rule.js'

/** Stamped on each verdict: by which rules it was found. Raised when a rule comes to another answer. */
export const RULES_VERSION = 1

/** In order: the first that says something decides. The last one always does. */
export const VERDICT_RULES: readonly VerdictRule[] = [
  disagreement,
  boundElsewhere,
  remoteTask,
  duplicates,
  found,
  candidates,
  askedElsewhere,
  notAnswered,
  recordGone,
  finalStatement,
  someCameToNothing,
  provedAbsent,
]

export type Verdict = Finding & { readonly rule: string; readonly rules_version: number }

/**
 * What the observations of a look, with those on file, say of an operation. Pure: the same observations give the same
 * verdict. Whether it may be written is for the table of transitions to say, in the commit.
 */
export function judge(question: VerdictQuestion): Verdict {
  const sight = sightOf(question)
  for (const { id, judge } of VERDICT_RULES) {
    const finding = judge(sight)
    if (finding !== null) return { ...finding, rule: id, rules_version: RULES_VERSION }
  }
  throw new Error('the last rule of a verdict always says something')
}
