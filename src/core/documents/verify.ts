import type { JsonObject } from '../json.js'

/** verify@1: what `verify` found. */
export interface VerifyBody extends JsonObject {
  readonly ok: boolean
  readonly ledger_id: string
  readonly checked: {
    readonly operations: number
    readonly tasks: number
    readonly events: number
    readonly evidence: number
  }
  readonly findings: readonly VerifyFinding[]
  /** of archived operations only ids, keys and hashes are here, and they were checked */
  readonly archived: { readonly operations: number; readonly events: number }
  readonly seals: VerifySeals
  /** bodies that were blanked on record: no fault of the ledger */
  readonly redacted: readonly VerifyRedaction[]
  /** phases of open tasks whose input or artifact is not as it was: no fault of the ledger */
  readonly phases: readonly VerifyPhase[]
  /** more was found than is listed */
  readonly is_cut: boolean
}

export interface VerifySeals extends JsonObject {
  /** events under the last seal */
  readonly sealed: number
  readonly sealed_at: string | null
  /** how many anchors were given; null: none were */
  readonly anchors: number | null
  /** events under the largest anchor that fits */
  readonly anchored: number
  /** false: no key was given, so the file of anchors itself must be trusted */
  readonly signatures_checked: boolean
}

export interface VerifyRedaction extends JsonObject {
  readonly operation_id: string
  readonly parts: readonly string[]
  readonly at: string
  readonly by: string
  readonly reason: string
}

export interface VerifyFinding extends JsonObject {
  readonly rule: string
  readonly title: string
  readonly subject: string
  readonly id: string
  /** the number of the event or evidence concerned */
  readonly n: number | null
  readonly message: string
}

export interface VerifyPhase extends JsonObject {
  readonly task_id: string
  readonly phase: string
  readonly state: string
  readonly why: readonly string[]
}

export const VERIFY_FIELDS = [
  'ok',
  'ledger_id',
  'checked',
  'findings',
  'archived',
  'seals',
  'redacted',
  'phases',
  'is_cut',
] as const satisfies readonly (keyof VerifyBody)[]
