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
  /** phases of open tasks whose input or artifact is not as it was: no fault of the ledger */
  readonly phases: readonly VerifyPhase[]
  /** more was found than is listed */
  readonly is_cut: boolean
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
  'phases',
  'is_cut',
] as const satisfies readonly (keyof VerifyBody)[]
