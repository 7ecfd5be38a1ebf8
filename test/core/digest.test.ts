import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  canonicalize,
  contractDigest,
  deriveIdempotencyKey,
  digestOf,
  inputDigest,
  sha256,
} from '../../src/core/digest.js'
import { LedgerError } from '../../src/core/errors.js'
import type { JsonObject } from '../../src/core/json.js'

describe('canonical JSON (RFC 8785)', () => {
  it('writes the sample of section 3.2.2', () => {
    const sample = {
      // biome-ignore lint/correctness/noPrecisionLoss: the RFC's own sample has more digits than a double holds
      numbers: [333333333.33333329, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: '€$\u000f\nA\'B"\\\\"/',
      literals: [null, true, false],
    }
    expect(canonicalize(sample)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    )
  })

  it('sorts names by UTF-16 code units, as section 3.2.3', () => {
    const sample = {
      '€': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '😀': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      ö: 'Latin Small Letter O With Diaeresis',
    }
    expect(Object.keys(JSON.parse(canonicalize(sample)) as object)).toHaveLength(7)
    expect([...canonicalize(sample).matchAll(/:"([^"]*)"/g)].map(([, name]) => name)).toEqual([
      'Carriage Return',
      'One',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ])
  })

  it.each([
    [0, '0'],
    [-0, '0'],
    [5e-324, '5e-324'],
    [-1.7976931348623157e308, '-1.7976931348623157e+308'],
    [9007199254740992, '9007199254740992'],
    [1e21, '1e+21'],
    [999999999999999900000, '999999999999999900000'],
    [1e-6, '0.000001'],
    [9.999999999999997e-7, '9.999999999999997e-7'],
  ])('writes %d as appendix B does', (number, text) => {
    expect(canonicalize(number)).toBe(text)
  })

  it('gives one text for equal values, whatever the order of their names', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), value => {
        const reversed = Object.fromEntries(Object.entries(value).reverse())
        expect(canonicalize(reversed)).toBe(canonicalize(value))
      }),
    )
  })

  it.each<[string, unknown]>([
    ['NaN', Number.NaN],
    ['infinity', Number.POSITIVE_INFINITY],
    ['a lone surrogate', '\ud800'],
    ['a lone surrogate in a name', { '\udfff': 1 }],
    ['a cycle', cyclic()],
    ['undefined', undefined],
    ['a function', () => 1],
    ['a big integer', 1n],
  ])('refuses %s: it has no JSON form', (_what, value) => {
    const refusal = caught(() => canonicalize(value))
    expect(refusal).toBeInstanceOf(LedgerError)
    expect(refusal).toMatchObject({ code: 'invalid_input' })
  })

  it('takes the spelling of an escape for what it is: text', () => {
    expect(canonicalize('\\ud800')).toBe('"\\\\ud800"')
    expect(canonicalize('\\😀')).toBe('"\\\\😀"')
    expect(() => canonicalize('\\\ud800')).toThrow('lone surrogate')
  })

  it('keeps the cause and says what to give instead', () => {
    const refusal = caught(() => canonicalize(Number.NaN))
    expect(refusal).toMatchObject({ cause: expect.any(Error), hint: expect.stringContaining('plain JSON') })
  })
})

describe('a digest', () => {
  it('is the SHA-256 of the canonical text in UTF-8', () => {
    const text = '{"a":"€"}'
    const hex = createHash('sha256').update(Buffer.from(text, 'utf8')).digest('hex')
    expect(digestOf({ a: '€' })).toBe(`sha256:${hex}`)
    expect(sha256(text)).toBe(`sha256:${hex}`)
    expect(sha256('')).toBe('sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  })

  it('of a contract changes with each of its parts', () => {
    const digests = [
      contractDigest('read', null, {}),
      contractDigest(null, null, {}),
      contractDigest('read', { kind: 'none' }, {}),
      contractDigest('read', null, { settle_ms: 1 }),
    ]
    expect(new Set(digests).size).toBe(4)
  })
})

describe("an operation's input digest", () => {
  const input: JsonObject = {
    title: 'Disk full',
    meta: { at: 1, by: 'ana' },
    items: [{ id: 1, seen: 2 }, { id: 3 }],
  }

  it('leaves out what the contract declares volatile, at any depth and inside lists', () => {
    const later: JsonObject = {
      ...input,
      meta: { at: 99, by: 'ana' },
      items: [{ id: 1, seen: 7 }, { id: 3 }],
    }
    const ignore = ['meta.at', 'items.seen']
    expect(inputDigest(later, ignore)).toBe(inputDigest(input, ignore))
    expect(inputDigest(later)).not.toBe(inputDigest(input))
    expect(inputDigest(input, ignore)).toBe(
      digestOf({ title: 'Disk full', meta: { by: 'ana' }, items: [{ id: 1 }, { id: 3 }] }),
    )
  })

  it('leaves nothing else out: a path that names no field, or runs into a plain value, ignores nothing', () => {
    for (const path of ['at', 'meta.other', 'title.at', 'meta.at.deeper', ''])
      expect(inputDigest(input, [path]), path).toBe(digestOf(input))
  })

  it('takes a plain value, null and a list of lists as they are', () => {
    expect(inputDigest(null, ['a'])).toBe(digestOf(null))
    expect(inputDigest('text', ['a'])).toBe(digestOf('text'))
    expect(inputDigest([[{ a: 1, b: 2 }]], ['a'])).toBe(digestOf([[{ b: 2 }]]))
  })
})

describe('an idempotency key', () => {
  it('is derived from the operation id alone, fits any header and tells nothing of the id', () => {
    const key = deriveIdempotencyKey('ticket-1')
    expect(key).toMatch(/^al-[0-9a-z]{25}$/)
    expect(deriveIdempotencyKey('ticket-1')).toBe(key)
    expect(deriveIdempotencyKey('ticket-2')).not.toBe(key)
    const half = sha256('idempotency-key:ticket-1').slice(7, 39)
    expect(key).toBe(`al-${BigInt(`0x${half}`).toString(36).padStart(25, '0')}`)
  })
})

function cyclic(): object {
  const value: { self?: object } = {}
  value.self = value
  return value
}

function caught(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}
