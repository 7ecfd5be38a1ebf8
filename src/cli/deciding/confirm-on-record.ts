import { isLedgerError } from '../../core/errors.js'
import type { Safe } from '../../core/safe-text.js'
import type { SubjectRef } from '../../ledger/subject.js'
import { confirm } from '../confirm.js'
import type { Opened } from './opened.js'

interface Question {
  readonly label: Safe
  readonly about: SubjectRef
  readonly decision: string
  /** to be typed where the decision is dangerous */
  readonly code?: Safe
}

/** Asks, and keeps on record that a person was asked and said no. */
export async function confirmOnRecord(
  { ledger, deps }: Opened,
  { label, about, decision, code }: Question,
): Promise<void> {
  try {
    await confirm({ decision: label, ...(code === undefined ? {} : { code }) }, deps)
  } catch (error) {
    if (isLedgerError(error) && error.code === 'declined') await ledger.decline(about, { decision })
    throw error
  }
}
