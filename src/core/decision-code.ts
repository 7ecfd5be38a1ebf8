import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'

// Crockford's base 32: no I, L, O and U, so that what is read is what is typed.
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/**
 * The six characters a person types to confirm a dangerous decision: they differ from subject to subject and change with
 * each version, so neither habit nor a line pasted from yesterday confirms by accident.
 */
export function decisionCode(subjectId: string, version: number): string {
  // Not by node:crypto: `show` makes no other digest, and loading that would take longer than all it reads.
  const [a = 0, b = 0, c = 0, d = 0] = sha256(utf8ToBytes(`decision-code:${version}:${subjectId}`))
  const bits = ((a << 24) | (b << 16) | (c << 8) | d) >>> 2
  return Array.from({ length: 6 }, (_, i) => LETTERS[(bits >>> (25 - 5 * i)) & 31]).join('')
}

/** Is this what was shown? Small letters count, and O and I for the digits they look like. */
export function isDecisionCode(typed: string, code: string): boolean {
  return plain(typed) === plain(code)
}

function plain(code: string): string {
  return code.trim().toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1')
}
