import type { JsonValue } from './json.js'

/** What a verdict can rest on. */
export const EVIDENCE_KINDS = [
  'receipt',
  'error',
  'probe',
  'attestation',
  'checkpoint',
  'late_result',
  'lease',
  'call_never_made',
  'record',
] as const
export type EvidenceKind = (typeof EVIDENCE_KINDS)[number]

/** How it came to us: seen by the executor, asked for by a probe, said by a person, or taken from other records. */
export const EVIDENCE_ORIGINS = ['observed', 'looked_up', 'attested', 'imported'] as const
export type EvidenceOrigin = (typeof EVIDENCE_ORIGINS)[number]

/** Evidence before it is stored. `body` is masked by whoever makes it. */
export interface NewEvidence {
  readonly kind: EvidenceKind
  readonly origin: EvidenceOrigin
  readonly attempt: number | null
  readonly body: JsonValue
}

/** One row of `ledger_evidence`: append-only, chained by hash within its operation. */
export interface Evidence extends NewEvidence {
  readonly operation_id: string
  /** 1, 2, 3, … within the operation */
  readonly n: number
  readonly at: number
  readonly actor: string
  /** `sha256:<hex>`; the chain is described in docs/schema.md */
  readonly hash: string
}
