import type { ReportDocument } from '../core/documents/report.js'
import { isSettled } from '../core/operation.js'

/** Undoings that came to nothing, of what is done and stands. */
export function notUndone({ confirmed, compensations }: Pick<ReportDocument, 'confirmed' | 'compensations'>) {
  const standing = new Set(
    confirmed.flatMap(({ operation_id, undone_by }) => (undone_by === null ? [operation_id] : [])),
  )
  return compensations.filter(({ compensates, status }) => isSettled(status) && standing.has(compensates))
}
