import { externalIdOf } from '../external-id.js'
import { fieldOf } from '../field.js'
import type { ExternalId } from '../operation.js'

// Another copy of this package may have made it: the mark is found by all of them.
const MARK = Symbol.for('agent-ledger/accepted')

/** What a handler gives when the service took the request in and its outcome comes later. */
export interface Accepted {
  readonly [MARK]: true
  /** what to ask the service about */
  readonly remote: ExternalId
  /** how long its work may take before it counts as lost, milliseconds; null: as the contract says */
  readonly patience_ms: number | null
}

/**
 * For a handler to return: the service works on it (a 202, a job, a remote task), and `remote` names what to ask for.
 * The operation stays `in_flight`, owned by `remote`, until its outcome is told or `patienceMs` has passed.
 */
export function accepted({
  remote,
  patienceMs,
}: {
  readonly remote: ExternalId
  readonly patienceMs?: number
}): Accepted {
  return Object.freeze({ [MARK]: true as const, remote, patience_ms: patienceMs ?? null })
}

export function isAccepted(value: unknown): value is Accepted {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, MARK)
}

/** What it says, as far as it can be kept: the service has taken the work in, whatever the handler made of it. */
export function readAccepted({ remote, patience_ms }: Accepted): {
  readonly remote: ExternalId | null
  readonly patience_ms: number | null
} {
  return {
    remote: externalIdOf(fieldOf(remote, 'kind'), fieldOf(remote, 'value'), remote),
    patience_ms: Number.isSafeInteger(patience_ms) && Number(patience_ms) >= 0 ? patience_ms : null,
  }
}
