import type { Evidence, NewEvidence } from '../../core/evidence.js'
import type { JsonObject, JsonValue } from '../../core/json.js'
import type { Seen } from '../../core/observation.js'
import { seenSchema } from '../../core/observation-schema.js'
import type { Verdict } from '../../core/verdict.js'

/** One piece of evidence a reading; the verdict stands with each, so that every piece says what it led to. */
export function evidenceOf(latest: readonly Seen[], verdict: Verdict): readonly NewEvidence[] {
  const { verdict: outcome, rule, rules_version, reason } = verdict
  const waits_for = verdict.verdict === 'inconclusive' ? verdict.waits_for : null
  return latest.map(seen => ({
    kind: 'probe',
    origin: 'looked_up',
    attempt: null,
    body: plain({
      // First what it led to: that is what whoever looks at the evidence reads.
      verdict: { verdict: outcome, rule, rules_version, reason, waits_for },
      observation: withoutResult(seen),
    }),
  }))
}

/** The readings on file, oldest first. What is no reading of ours is left out: it cannot be counted. */
export function seenIn(evidence: readonly Evidence[]): readonly Seen[] {
  return evidence.flatMap(({ kind, origin, body }) => {
    if (kind !== 'probe' || origin !== 'looked_up') return []
    const observation: unknown = isObject(body) ? body.observation : undefined
    const read = seenSchema.safeParse(observation)
    return read.success ? [read.data] : []
  })
}

// The value a resumed run gets stands in the row, once and whole; here it could be large many times over.
function withoutResult(seen: Seen): Seen {
  if (seen.completeness === 'failed') return seen
  const { result: _, ...rest } = seen
  return rest
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** As the ledger keeps it; an interface of JSON values is not seen to be one. */
function plain(value: object): JsonValue {
  return JSON.parse(JSON.stringify(value))
}
