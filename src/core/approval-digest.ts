import { digestOf } from './digest.js'
import type { Operation } from './operation.js'

type Approved = Pick<
  Operation,
  'operation_id' | 'tool' | 'target' | 'input' | 'effect' | 'repeat' | 'contract_digest'
>

/**
 * What an approval is bound to: exactly this operation with this input, target and contract. Anything
 * else that is sent was not approved.
 */
export function approvalDigest(operation: Approved): string {
  const { operation_id, tool, target, input, effect, repeat, contract_digest } = operation
  return digestOf({ operation_id, tool, target, input, effect, repeat, contract_digest })
}
