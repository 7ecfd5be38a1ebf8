import { formatDuration } from '../../duration.js'
import type { OperationOutline } from '../../operation.js'
import type { Finding, OperationSubject, StallRule } from '../rule.js'

/**
 * A fact that stays when both are settled, because neither row alone shows it. The gap between the two effects beside
 * the time-out tells which layer repeated: a gap just above the time-out is a retry by whoever waited for the first.
 */
export const duplicateWrites: StallRule<OperationSubject> = {
  id: 'duplicate_writes',
  title: 'the same tool and input under another id in one task',
  reason: 'a layer above the ledger probably repeated a write under a new key',
  check: ({ operation, twin }) => {
    if (twin === null || operation.effect === 'read') return null
    // whoever asked for it said why it was wanted once more
    if (operation.flags.again !== undefined) return null
    if (!hasOrMayHaveEffect(twin) || !mayYetHaveEffect(operation)) return null
    return duplicateOf(operation, twin)
  },
}

function duplicateOf(operation: OperationOutline, twin: OperationOutline): Finding {
  const [first, second] = [timeOf(twin), timeOf(operation)]
  const gapMs = Math.abs(second - first)
  const keysDiffer =
    operation.idempotency_key !== twin.idempotency_key || operation.key_scope !== twin.key_scope
  const timeout = operation.timeout_ms ?? twin.timeout_ms
  const beside = timeout === null ? 'no time-out is declared' : `the time-out is ${formatDuration(timeout)}`
  const will = operation.status === 'prepared' ? 'would do again what' : 'same tool and input as'
  return {
    since: operation.created_at,
    limit: null,
    reason: `${will} ${twin.operation_id}, ${formatDuration(gapMs)} apart (${beside}), ${keysDiffer ? 'other key' : 'same key'}`,
    facts: {
      operations: [twin.operation_id, operation.operation_id],
      gap_ms: gapMs,
      timeout_ms: timeout,
      keys_differ: keysDiffer,
    },
  }
}

/** When it took effect as far as is known, else when it was first sent, else when it was written down. */
function timeOf({ status, settled_at, key_first_used_at, created_at }: OperationOutline): number {
  return (status === 'confirmed' ? settled_at : null) ?? key_first_used_at ?? created_at
}

function hasOrMayHaveEffect({ status, may_have_applied }: OperationOutline): boolean {
  return status === 'confirmed' || status === 'unknown' || status === 'in_flight' || may_have_applied
}

function mayYetHaveEffect(operation: OperationOutline): boolean {
  return operation.status === 'prepared' || hasOrMayHaveEffect(operation)
}
