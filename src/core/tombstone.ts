import type { JsonValue } from './json.js'

/** What stands in place of a body that was blanked: nothing of it but its digest and its length in bytes. */
export interface Tombstone {
  readonly redacted: { readonly digest: string; readonly bytes: number }
}

export function isTombstone(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null || !('redacted' in value)) return false
  const { redacted } = value
  return (
    typeof redacted === 'object' &&
    redacted !== null &&
    'digest' in redacted &&
    /^sha256:[0-9a-f]{64}$/.test(String(redacted.digest)) &&
    'bytes' in redacted
  )
}
