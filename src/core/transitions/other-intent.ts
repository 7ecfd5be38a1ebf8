import { deriveIdempotencyKey } from '../digest.js'
import { type Difference, differencesOf } from '../json-diff.js'
import type { Intent, Operation } from '../operation.js'

/** The same operation id stands for another intent. */
export interface OtherIntent {
  /** set where nothing but the key differs: it is made once, so another one would be a second request */
  readonly rule: 'key_changed_while_unknown' | 'key_changed' | null
  readonly stored_digest: string
  readonly given_digest: string
  /** `input.title`, `tool`, `target`, `idempotency_key` */
  readonly differences: readonly Difference[]
}

/** Compares what an id stands for with what is asked under it; null when it is the same. */
export function otherIntent(stored: Operation, given: Intent): OtherIntent | null {
  const differences: Difference[] = [
    ...(stored.tool === given.tool ? [] : [changed('tool')]),
    ...(stored.target === given.target ? [] : [changed('target')]),
    ...(stored.input_digest === given.input_digest ? [] : differencesIn(stored, given)),
  ]
  const isOther = isOtherKey(stored, given)
  if (differences.length === 0 && !isOther) return null
  return {
    rule: differences.length === 0 ? keyRule(stored) : null,
    stored_digest: stored.input_digest,
    given_digest: given.input_digest,
    differences: isOther ? [...differences, changed('idempotency_key')] : differences,
  }
}

/** A key that the caller names themselves. What is settled for good answers with its record, whatever is named now. */
function isOtherKey(stored: Operation, given: Intent): boolean {
  if (stored.status === 'confirmed' || stored.status === 'cancelled' || stored.status === 'abandoned')
    return false
  const isNamed = given.idempotency_key !== deriveIdempotencyKey(given.operation_id)
  return isNamed && given.idempotency_key !== stored.idempotency_key
}

function keyRule({ status, may_have_applied }: Operation): OtherIntent['rule'] {
  const isInDoubt = may_have_applied || status === 'unknown' || status === 'in_flight'
  return isInDoubt ? 'key_changed_while_unknown' : 'key_changed'
}

function differencesIn(stored: Operation, given: Intent): Difference[] {
  const found = differencesOf(stored.input, given.input).map(({ path, kind }) => ({
    path: inputPath(path),
    kind,
  }))
  // A redacted input can no longer be compared; the digests still differ.
  return found.length > 0 ? found : [changed('input')]
}

/** The path of a place in the input, `input.title`. */
export function inputPath(path: string): string {
  return path === '' ? 'input' : `input${path.startsWith('[') ? '' : '.'}${path}`
}

function changed(path: string): Difference {
  return { path, kind: 'changed' }
}
