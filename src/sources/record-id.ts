import { sha256 } from '../core/digest.js'
import { MAX_ID_BYTES } from '../core/operation-id.js'

const LONGEST = MAX_ID_BYTES - 64

/**
 * `<source>:<their ids>`, the same on every reading: control characters are escaped, and what is too long keeps its
 * beginning and a digest of the whole.
 */
export function recordId(source: string, ...ids: readonly string[]): string {
  const whole = `${source}:${ids.join('/')}`
  const id = whole
    .toWellFormed()
    .replace(/\p{Cc}/gu, unit => `\\x${unit.charCodeAt(0).toString(16).padStart(2, '0')}`)
  if (Buffer.byteLength(id) <= LONGEST) return id
  return `${Buffer.from(id)
    .subarray(0, LONGEST - 40)
    .toString()
    .replace(/\uFFFD+$/, '')}…${shortDigest(whole)}`
}

/** Twelve hex digits that stand for a text. */
export function shortDigest(text: string): string {
  return sha256(text).slice('sha256:'.length, 'sha256:'.length + 12)
}
