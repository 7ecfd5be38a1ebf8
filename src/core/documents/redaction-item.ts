import { isoTime } from '../iso-time.js'
import type { JsonValue } from '../json.js'
import type { EventView } from './log.js'
import type { RedactionItem } from './show.js'

/** A redaction as the ledger's own chain tells of it; nothing of any other event. */
export function redactionItem({ type, at, actor, body }: EventView): RedactionItem[] {
  if (type !== 'redact' || !isRecord(body) || !Array.isArray(body.parts)) return []
  const parts = body.parts.filter(isRecord).map(({ part, n }) => partName(String(part), Number(n)))
  return [{ at: isoTime(at), by: actor, reason: String(body.reason), parts }]
}

export function partName(part: string, n: number): string {
  return n === 0 ? part : `${part} ${n}`
}

function isRecord(value: JsonValue | undefined): value is { readonly [name: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
