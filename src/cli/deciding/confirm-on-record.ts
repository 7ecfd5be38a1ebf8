import { isLedgerError } from '../../core/errors.js'
import type { JsonObject } from '../../core/json.js'
import type { Safe } from '../../core/safe-text.js'
import type { SubjectRef } from '../../ledger/subject.js'
import { confirm } from '../confirm.js'
import type { Opened } from './opened.js'

interface Question {
  readonly label: Safe
  /** null: several, or what the facts name */
  readonly about: SubjectRef | null
  readonly decision: string
  /** what stands on record of it besides */
  readonly facts?: JsonObject
  /** to be typed where the decision is dangerous */
  readonly code?: Safe
}

/** Asks, and keeps on record that a person was asked and said no. */
export async function confirmOnRecord(
  { ledger, deps }: Opened,
  { label, about, decision, facts = {}, code }: Question,
): Promise<void> {
  try {
    await confirm({ decision: label, ...(code === undefined ? {} : { code }) }, deps)
  } catch (error) {
    if (isLedgerError(error) && error.code === 'declined') await ledger.decline(about, { decision, ...facts })
    throw error
  }
}
