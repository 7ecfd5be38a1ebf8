import type { Evidence } from './evidence.js'
import type { JsonObject, JsonValue } from './json.js'
import type { OperationOutline } from './operation.js'

/**
 * What the latest look left to a person, in its words: something that looks alike, answers that disagree. Null where it
 * left nothing, or something was sent since. `evidence` oldest first.
 */
export function leftToPerson(
  evidence: readonly Evidence[],
  { attempt }: Pick<OperationOutline, 'attempt'>,
): string | null {
  const last = evidence.findLast(({ kind, origin }) => kind === 'probe' && origin === 'looked_up')
  const verdict = member(last?.body, 'verdict')
  const seen = member(member(last?.body, 'observation'), 'seen_attempts')
  if (seen !== attempt || member(verdict, 'waits_for') !== 'person') return null
  const reason = member(verdict, 'reason')
  return typeof reason === 'string' ? reason : null
}

function member(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
