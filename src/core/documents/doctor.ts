import type { JsonObject } from '../json.js'

/** doctor@1: the environment of a ledger. */
export interface DoctorBody extends JsonObject {
  /** nothing failed; warnings may be there */
  readonly ok: boolean
  readonly checks: readonly DoctorCheck[]
}

export interface DoctorCheck extends JsonObject {
  readonly id: string
  readonly title: string
  readonly status: 'ok' | 'warn' | 'fail'
  readonly says: string
  readonly advice: string | null
}

export const DOCTOR_FIELDS = ['ok', 'checks'] as const satisfies readonly (keyof DoctorBody)[]
