import { hash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { decisionCode, isDecisionCode } from '../../src/core/decision-code.js'

describe('the code of a dangerous decision', () => {
  it('has six characters that nobody takes for each other', () => {
    for (let version = 0; version < 500; version++)
      expect(decisionCode('ticket-1', version)).toMatch(/^[0-9A-HJKMNP-TV-Z]{6}$/)
  })

  it('is the first thirty bits of the SHA-256 that Node makes', () => {
    for (const [id, version] of [
      ['op-1', 1],
      ['größe/☃', 30],
      ['x'.repeat(200), 7],
    ] as const) {
      const bits = BigInt(`0x${hash('sha256', `decision-code:${version}:${id}`)}`) >> 226n
      const letters = '0123456789abcdefghjkmnpqrstvwxyz'
      const code = [25n, 20n, 15n, 10n, 5n, 0n].map(at => letters[Number((bits >> at) & 31n)])
      expect(decisionCode(id, version)).toBe(code.join('').toUpperCase())
    }
  })

  it('is another one for another id and for another version', () => {
    const codes = new Set<string>()
    for (let i = 0; i < 20; i++)
      for (let version = 1; version < 20; version++) codes.add(decisionCode(`op-${i}`, version))
    expect(codes.size).toBe(20 * 19)
    expect(decisionCode('op-1', 1)).toBe(decisionCode('op-1', 1))
  })

  it('is accepted in small letters and with O and I for their digits, and nothing else is', () => {
    expect(isDecisionCode(' k0x1ab ', 'K0X1AB')).toBe(true)
    expect(isDecisionCode('KOXIAB', 'K0X1AB')).toBe(true)
    for (const typed of ['', 'y', 'yes', 'K0X1A', 'K0X1AC'])
      expect(isDecisionCode(typed, 'K0X1AB')).toBe(false)
  })
})
