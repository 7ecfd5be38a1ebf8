import { quoted } from '../postgres/dialect.js'

/** Where the new tables grow beside the ledger until they take the place of the old ones. */
export function shadowOf(schema: string): string {
  return `${schema}_split`
}

/** The tables that are split, parents first, each with the columns that name a row of it. */
export const SPLIT: Readonly<Record<string, readonly string[]>> = {
  ledger_operation: ['operation_id'],
  ledger_attempt: ['operation_id', 'n'],
  ledger_evidence: ['operation_id', 'n'],
  ledger_external_ref: ['operation_id', 'kind', 'value', 'scope'],
  ledger_event: ['subject', 'subject_id', 'n'],
}

/** What stands beside them once they are split. */
export const BESIDE = ['ledger_key', 'ledger_decision'] as const

/** The trigger by which the new tables follow the old ones. */
export function followerName(table: string): string {
  return `${table}_follow`
}

export function inShadow(schema: string, table: string): string {
  return `${quoted(shadowOf(schema))}.${table}`
}
