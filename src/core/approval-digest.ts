import type { Approval } from './approval.js'
import { digestOf } from './digest.js'
import type { JsonObject, JsonValue } from './json.js'
import { changesOf } from './json-diff.js'
import type { Operation } from './operation.js'

type Approved = Pick<
  Operation,
  'operation_id' | 'tool' | 'target' | 'input' | 'effect' | 'repeat' | 'contract_digest'
>

/** All that an approval is for: what a person is shown, and what its digest is made over. */
export function approvedOf(operation: Approved): JsonObject {
  const { operation_id, tool, target, input, effect, repeat, contract_digest } = operation
  return {
    operation_id,
    tool,
    target,
    input,
    effect,
    repeat: repeat === null ? null : { ...repeat },
    contract_digest,
  }
}

/**
 * What an approval is bound to: exactly this operation with this input, target and contract. Anything
 * else that is sent was not approved.
 */
export function approvalDigest(operation: Approved): string {
  return digestOf(approvedOf(operation))
}

/** Where what was approved and what is there now differ. */
export interface ApprovalDifference {
  /** `input.message`, `target` */
  readonly path: string
  /** null where there was nothing */
  readonly approved: JsonValue
  readonly now: JsonValue
}

/** An approval beside what it is held against now. */
export interface JudgedApproval {
  readonly approval: Approval
  /** of the operation as it is now */
  readonly digest_now: string
  /** empty where the digests agree, or differ in masked values alone, or nothing is on record of what was shown */
  readonly differences: readonly ApprovalDifference[]
}

/**
 * Compares what was approved, as its event keeps it, with what is there now; both masked alike. Empty where they differ
 * in masked values alone.
 */
export function approvalDifferences(approved: JsonObject, now: JsonObject): readonly ApprovalDifference[] {
  return changesOf(approved, now).map(({ path, before, after }) => ({
    path,
    approved: before ?? null,
    now: after ?? null,
  }))
}

/** `input.message was "reviewed" and is "changed"`. */
export function differenceWords({ path, approved, now }: ApprovalDifference): string {
  return `${path} was ${JSON.stringify(approved)} and is ${JSON.stringify(now)}`
}
