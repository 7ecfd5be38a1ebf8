import { mayHaveApplied } from '../attempt.js'
import type { ImportedOperation } from '../imported.js'
import { isInDoubt, type Look } from '../in-doubt.js'
import { NO_LEASE } from '../lease.js'
import type { RecordedOperation } from '../replay-risk.js'
import { cleanId, cleanTime } from './clean.js'
import { sendingsOf } from './their-attempts.js'

/** What replay risk needs of an operation that another system wrote down, as its row would say it once it is imported. */
export function recordedOperation(record: ImportedOperation, look: Look): RecordedOperation {
  const { status, attempts } = sendingsOf(record, look.now.at)
  const operation_id = cleanId(record.operation_id)
  const live = status === 'in_flight' ? attempts.at(-1) : undefined
  const rows = attempts.map(attempt => ({ operation_id, ...attempt }))
  const may_have_applied = mayHaveApplied(rows, live?.n ?? null)
  const lease =
    live === undefined
      ? NO_LEASE
      : { ...NO_LEASE, lease_owner: live.owner, lease_expires_at: cleanTime(record.lease_expires_at) }
  return {
    operation_id,
    status,
    may_have_applied,
    in_doubt: isInDoubt({ status, may_have_applied, ...lease }, look),
    checkpoint: record.checkpoint,
    provenance: 'imported',
  }
}
