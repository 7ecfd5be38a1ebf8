import type { Operation } from './operation.js'
import { ledgerCommand } from './shell-word.js'
import type { DecisionType } from './transitions/by-person.js'

const REASON = ['--reason', '…']

/** The command that takes a decision back, to paste and complete; null where there is none. */
export function undoOfDecision(
  type: DecisionType,
  before: Pick<Operation, 'operation_id' | 'status' | 'attempt'>,
): string | null {
  const { operation_id } = before
  switch (type) {
    case 'resolve_confirmed':
    case 'resolve_not_executed':
    case 'abandon':
      return ledgerCommand('reopen', REASON, operation_id)
    case 'reopen':
      return undoOfReopen(before)
    case 'allow_retry':
      return ledgerCommand('cancel', ['--withdraw', ...REASON], operation_id)
    case 'cancel':
      // only what was never sent is `cancelled`, which is taken back; elsewhere the cancel stays asked
      return before.status === 'prepared' && before.attempt === 0
        ? ledgerCommand('allow-retry', REASON, operation_id)
        : null
    case 'deny':
    case 'withdraw':
    case 'acknowledge':
      return null
  }
}

function undoOfReopen({ operation_id, status }: Pick<Operation, 'operation_id' | 'status'>): string | null {
  switch (status) {
    case 'confirmed':
    case 'not_executed': {
      const as = status === 'confirmed' ? 'confirmed' : 'not-executed'
      return ledgerCommand('resolve', ['--as', as, '--evidence', '…', ...REASON], operation_id)
    }
    case 'abandoned':
      return ledgerCommand('abandon', REASON, operation_id)
    default:
      return null
  }
}
