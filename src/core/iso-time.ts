import { parseDuration } from './duration.js'

/** A moment as a person names it: an exact time, or a span counted from now. */
export type TimeGiven =
  | { readonly kind: 'at'; readonly at: number }
  | { readonly kind: 'span'; readonly spanMs: number }

// A date alone is midnight UTC; a time needs its offset, since the zone of whoever reads it later is unknown.
const ISO = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2}))?$/

/** Integer milliseconds since 1970 UTC, or undefined when the text is no ISO-8601 time with an offset. */
export function parseIsoTime(text: string): number | undefined {
  if (!ISO.test(text)) return undefined
  const at = Date.parse(text)
  return Number.isNaN(at) || !dayExists(text) ? undefined : at
}

/** An ISO-8601 time, or a duration (`2h`) that the caller counts back or forward from now. */
export function parseTimeGiven(text: string): TimeGiven | undefined {
  const at = parseIsoTime(text)
  if (at !== undefined) return { kind: 'at', at }
  const spanMs = parseDuration(text)
  return spanMs === undefined ? undefined : { kind: 'span', spanMs }
}

/** ISO-8601 UTC with milliseconds, as every JSON document writes it. A time no calendar holds is a fault of the caller. */
export function isoTime(at: number): string {
  return new Date(at).toISOString()
}

// Date.parse turns 2026-02-30 into 2 March; a person who typed it did not mean that.
function dayExists(text: string): boolean {
  const [year, month, day] = text.slice(0, 10).split('-').map(Number)
  if (year === undefined || month === undefined || day === undefined) return false
  return day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate()
}
