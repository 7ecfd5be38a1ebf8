import { asJson } from '../core/documents/parts.js'
import type { ReportDocument } from '../core/documents/report.js'
import { isoTime } from '../core/iso-time.js'
import type { JsonObject } from '../core/json.js'

export interface ReportHead {
  /** what a person types to name the ledger */
  readonly ledger: string
  /** milliseconds since 1970 UTC */
  readonly now: number
}

/** `report@1`, whole: its head and its body. */
export function reportJson(report: ReportDocument, { ledger, now }: ReportHead): JsonObject {
  return { schema: 'agent-ledger/report@1', ledger, as_of: isoTime(now), ...asJson(report) }
}
