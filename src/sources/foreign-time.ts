// What other programs write as a time: ISO 8601 with any number of digits, with or without a zone.
const ISO = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?)(?:[.,](\d{1,9}))?\s*(Z|[+-]\d{2}:?\d{2})?$/i
const LATEST = 8.64e15

/** Milliseconds since 1970 UTC. A time without a zone is read as UTC: `hasZone` says so. Null for what is no time. */
export function foreignTime(value: unknown): { readonly at: number; readonly hasZone: boolean } | null {
  if (typeof value === 'number') return timeOfNumber(value)
  const [, day, time, fraction = '', zone] = (typeof value === 'string' && ISO.exec(value.trim())) || []
  if (day === undefined || time === undefined) return null
  const full = time.length === 5 ? `${time}:00` : time
  const at = Date.parse(`${day}T${full}.${fraction.slice(0, 3).padEnd(3, '0')}${zone ?? 'Z'}`)
  return Number.isNaN(at) ? null : { at, hasZone: zone !== undefined }
}

// Seconds, milliseconds, microseconds or nanoseconds since 1970, told apart by their size: all mean a time after 1973.
function timeOfNumber(value: number): { readonly at: number; readonly hasZone: true } | null {
  if (!Number.isFinite(value) || value < 1e8) return null
  const at = Math.trunc(
    value < 1e11 ? value * 1e3 : value < 1e14 ? value : value < 1e17 ? value / 1e3 : value / 1e6,
  )
  return at <= LATEST ? { at, hasZone: true } : null
}
