import { LedgerError } from '../core/errors.js'
import type { Chosen } from '../store/prune.js'
import type { Redacted, Redacting } from '../store/sql-store/redact.js'
import type { LedgerPruned, PruneOptions } from './pruning.js'
import type { LedgerSealed, SealOptions } from './sealing.js'
import { byOf, type Session } from './session.js'
import { unknownOperation } from './unknown-id.js'

/** What an operator does with what is over. All of it is on record. */
export interface Keeping {
  /**
   * blanks bodies of a settled operation for ever; their digests stay, with who did it and why
   * @throws LedgerError invalid_input without a reason, not_found, refused while it is open, ledger_damaged
   */
  redact(operationId: string, options: RedactOptions): Promise<Redacted>
  /** seals all events so far, for an anchor elsewhere. @throws LedgerError as sealLedger in ledger/sealing.ts */
  seal(options: SealOptions): Promise<LedgerSealed>
  /** what `prune` would archive, and what stays by which rule */
  prunable(options: Pick<PruneOptions, 'settledBefore'>): Promise<Chosen>
  /** archives what is over and removes it. @throws LedgerError as prune in ledger/pruning.ts */
  prune(options: PruneOptions): Promise<LedgerPruned>
}

export interface RedactOptions {
  readonly reason: string
  /** left out: all that can be blanked */
  readonly parts?: Redacting['parts']
  /** looks, and writes nothing */
  readonly dryRun?: boolean
}

/** Seldom, and never at an agent's start: what does it is loaded when it is asked for. */
export function keeping(session: Session): Keeping {
  return {
    redact: (operationId, options) => redact(session, operationId, options),
    seal: async options => (await import('./sealing.js')).sealLedger(session, options),
    prunable: async options => (await import('./pruning.js')).prunable(session, options),
    prune: async options => (await import('./pruning.js')).prune(session, options),
  }
}

async function redact(
  session: Session,
  operation_id: string,
  { reason, parts = null, dryRun = false }: RedactOptions,
): Promise<Redacted> {
  const { store } = session
  if (reason.trim() === '')
    throw new LedgerError('invalid_input', 'a redaction needs a reason', {
      id: operation_id,
      hint: 'Say why the text has to go: it stays on record, so keep what is secret out of it.',
    })
  if ((await store.operation(operation_id)) === null) throw await unknownOperation(store, operation_id)
  return dryRun
    ? store.redactable({ operation_id, parts })
    : store.redact({ operation_id, reason, parts }, byOf(session))
}
