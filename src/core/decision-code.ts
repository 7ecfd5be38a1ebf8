import { sha256 } from './digest.js'

// Crockford's base 32: no I, L, O and U, so that what is read is what is typed.
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/**
 * The six characters a person types to confirm a dangerous decision: they differ from subject to subject and change with
 * each version, so neither habit nor a line pasted from yesterday confirms by accident.
 */
export function decisionCode(subjectId: string, version: number): string {
  const hex = sha256(`decision-code:${version}:${subjectId}`).slice('sha256:'.length)
  const bits = Number.parseInt(hex.slice(0, 8), 16) >>> 2
  return Array.from({ length: 6 }, (_, i) => LETTERS[(bits >>> (25 - 5 * i)) & 31]).join('')
}

/** Is this what was shown? Small letters count, and O and I for the digits they look like. */
export function isDecisionCode(typed: string, code: string): boolean {
  return plain(typed) === plain(code)
}

function plain(code: string): string {
  return code.trim().toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1')
}
