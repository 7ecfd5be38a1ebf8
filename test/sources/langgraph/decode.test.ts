import { createHash } from 'node:crypto'
import { Encoder, ExtData, encode } from '@msgpack/msgpack'
import { describe, expect, it } from 'vitest'
import { decode } from '../../../src/sources/langgraph/decode/index.js'
import { present } from '../../../src/sources/langgraph/present.js'

const json = (text: string) => present(decode({ type: 'json', bytes: Buffer.from(text) }))
const msgpack = (bytes: Uint8Array) => present(decode({ type: 'msgpack', bytes }))
const ext = (code: number, content: unknown) => new ExtData(code, encode(content))
const whyNot = (type: string, bytes: Uint8Array) => {
  const decoded = decode({ type, bytes })
  return decoded.isReadable ? 'it is readable' : decoded.why
}

describe('JSON of the JavaScript serializer', () => {
  it('keeps what JSON cannot hold as a description of itself', () => {
    const value = {
      nothing: { lc: 2, type: 'undefined' },
      set: { lc: 2, type: 'constructor', id: ['Set'], method: null, args: [[1, 2]], kwargs: {} },
      map: { lc: 2, type: 'constructor', id: ['Map'], args: [[['k', 1]]] },
      pattern: { lc: 2, type: 'constructor', id: ['RegExp'], args: ['a+', 'g'] },
      failure: { lc: 2, type: 'constructor', id: ['Error'], args: ['no'] },
      delta: { lc: 2, type: 'delta_snapshot', value: [1] },
      message: {
        lc: 1,
        type: 'constructor',
        id: ['langchain_core', 'messages', 'HumanMessage'],
        kwargs: { content: 'hi' },
      },
    }
    expect(json(JSON.stringify(value))).toEqual({
      nothing: { $type: 'undefined' },
      set: { $type: 'Set', $args: [[1, 2]] },
      map: { $type: 'Map', $args: [[['k', 1]]] },
      pattern: { $type: 'RegExp', $args: ['a+', 'g'] },
      failure: { $type: 'Error', $args: ['no'] },
      delta: { $type: 'delta_snapshot', $args: [[1]] },
      message: { $type: 'langchain_core.messages.HumanMessage', $fields: { content: 'hi' } },
    })
  })

  it('shows bytes by their length and digest', () => {
    const bytes = {
      lc: 2,
      type: 'constructor',
      id: ['Uint8Array'],
      method: 'from',
      args: [[1, 2, 255]],
      kwargs: {},
    }
    const digest = `sha256:${createHash('sha256')
      .update(Buffer.from([1, 2, 255]))
      .digest('hex')}`
    expect(json(JSON.stringify(bytes))).toEqual({ $bytes: 3, $digest: digest })
    expect(json('{"lc":2,"type":"constructor","id":["Uint8Array"],"args":[[1,256]]}')).toEqual({
      $type: 'Uint8Array',
      $args: [[1, 256]],
    })
  })

  it('keeps every digit of integers that a number cannot hold, and leaves digits inside text alone', () => {
    expect(
      json('[12345678901234567890,-9007199254740993,9007199254740991,"12345678901234567890",1.5e300]'),
    ).toEqual([
      '12345678901234567890',
      '-9007199254740993',
      9007199254740991,
      '12345678901234567890',
      1.5e300,
    ])
    expect(json('{"\\"1234567890123456789":1234567890123456789}')).toEqual({
      '"1234567890123456789': '1234567890123456789',
    })
  })

  it('takes __proto__ for a key like any other', () => {
    expect(JSON.stringify(json('{"__proto__":{"polluted":true},"a":1}'))).toBe(
      '{"__proto__":{"polluted":true},"a":1}',
    )
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })

  it('is unreadable when it is cut off, not text, or nested without end', () => {
    expect(whyNot('json', Buffer.from('{"a":'))).not.toBe('it is readable')
    expect(whyNot('json', Buffer.from([0x22, 0xff, 0x22]))).not.toBe('it is readable')
    expect(whyNot('json', Buffer.from('['.repeat(100_000) + ']'.repeat(100_000)))).toContain('nested')
  })
})

describe('MessagePack of the Python serializer', () => {
  // Bytes of the real library for Send("worker", {"i": 1}).
  const SEND = Buffer.from(
    'c7220193af6c616e6767726170682e7479706573a453656e6492a6776f726b657281a16901',
    'hex',
  )

  it('describes each extension and constructs none of them', () => {
    expect(msgpack(SEND)).toEqual({ $type: 'langgraph.types.Send', $args: ['worker', { i: 1 }] })
    const value = {
      set: ext(0, ['builtins', 'set', [1]]),
      date: ext(1, ['datetime', 'date', [2026, 11, 29]]),
      point: ext(2, ['app', 'Point', { x: 1 }]),
      when: ext(3, ['datetime', 'datetime', '2026-11-29T00:00:00', 'fromisoformat']),
      old: ext(4, ['app', 'Model', { a: 1 }]),
      message: ext(5, [
        'langchain_core.messages.human',
        'HumanMessage',
        { content: 'hi' },
        'model_validate_json',
      ]),
      array: ext(6, ['<f8', [1], 'C', new Uint8Array([0, 0])]),
      delta: ext(7, [1, 2]),
      other: ext(42, ['a']),
      nested: ext(0, ['builtins', 'set', [ext(0, ['decimal', 'Decimal', '1.10'])]]),
    }
    expect(msgpack(encode(value))).toEqual({
      set: { $type: 'builtins.set', $args: [[1]] },
      date: { $type: 'datetime.date', $args: [2026, 11, 29] },
      point: { $type: 'app.Point', $fields: { x: 1 } },
      when: { $type: 'datetime.datetime', $method: 'fromisoformat', $args: ['2026-11-29T00:00:00'] },
      old: { $type: 'app.Model', $fields: { a: 1 } },
      message: { $type: 'langchain_core.messages.human.HumanMessage', $fields: { content: 'hi' } },
      array: { $type: 'numpy.ndarray', $args: ['<f8', [1], 'C', expect.objectContaining({ $bytes: 2 })] },
      delta: { $type: 'delta_snapshot', $args: [[1, 2]] },
      other: { $type: 'extension 42', $args: ['a'] },
      nested: { $type: 'builtins.set', $args: [[{ $type: 'decimal.Decimal', $args: ['1.10'] }]] },
    })
  })

  it('keeps every digit of 64-bit integers', () => {
    const encoder = new Encoder({ useBigInt64: true })
    expect(
      msgpack(encoder.encode([18446744073709551615n, -9223372036854775808n, 9007199254740991n])),
    ).toEqual(['18446744073709551615', '-9223372036854775808', 9007199254740991])
  })

  it('cuts a key that is no text where it would grow with each level, and keeps two of them apart', () => {
    const levels = 20
    const nested = (value: number) => [...Array(levels).fill(0x81), value, ...Array(levels).fill(0xc0)]
    const two = Buffer.from([0x82, ...nested(1), 0x01, ...nested(2), 0x02])
    const decoded = decode({ type: 'msgpack', bytes: two })
    const entries = Object.entries(decoded.isReadable ? Object(decoded.value) : {})
    expect(entries.map(([, value]) => value)).toEqual([1, 2])
    for (const [key] of entries) expect(key.length).toBeLessThan(300)
  })

  it('keeps keys that are no text beside text that looks like them, and a key named __proto__', () => {
    // {"10": 1, "9": 2, 9: 3, nil: 4, true: 5, [1]: 6, "__proto__": 7}
    const map = Buffer.from('87a2313001a1390209' + '03c004c305910106a95f5f70726f746f5f5f07', 'hex')
    expect(JSON.stringify(msgpack(map))).toBe(
      '{"9":2,"10":1,"(not text) 9":3,"null":4,"true":5,"[1]":6,"__proto__":7}',
    )
  })

  it('is unreadable when it is cut off, goes on after its end, or lies about a length', () => {
    expect(whyNot('msgpack', SEND.subarray(0, 20))).not.toBe('it is readable')
    expect(whyNot('msgpack', Buffer.concat([SEND, Buffer.from([1])]))).not.toBe('it is readable')
    expect(whyNot('msgpack', Buffer.from('ddffffffff', 'hex'))).not.toBe('it is readable')
    expect(whyNot('msgpack', Buffer.from('c9ffffffff01', 'hex'))).not.toBe('it is readable')
    expect(whyNot('msgpack', Buffer.alloc(100_000, 0x91))).not.toBe('it is readable')
  })
})

describe('what cannot be decoded', () => {
  it.each([
    ['pickle', 'Python pickle'],
    ['msgpack+aes', 'encrypted'],
    ['yaml', 'not known'],
  ])('a value of type %s is shown with its size, digest and the reason', (type, why) => {
    const bytes = Buffer.from('secret')
    expect(present(decode({ type, bytes }))).toEqual({
      $unreadable: {
        type,
        bytes: 6,
        digest: `sha256:${createHash('sha256').update(bytes).digest('hex')}`,
        why: expect.stringContaining(why),
      },
    })
  })

  it('a value without a type is JSON, null has no bytes, and bytes are themselves', () => {
    expect(present(decode({ type: null, bytes: Buffer.from('{"a":1}') }))).toEqual({ a: 1 })
    expect(present(decode({ type: 'null', bytes: Buffer.alloc(0) }))).toBeNull()
    expect(present(decode({ type: 'bytearray', bytes: Buffer.alloc(3) }))).toMatchObject({ $bytes: 3 })
  })
})

describe('what is shown of a value', () => {
  it('is bounded, and says what was left out with size and digest', () => {
    const picture = `data:image/png;base64,${'A'.repeat(3_000_000)}`
    expect(json(JSON.stringify({ picture }))).toEqual({
      picture: {
        $omitted: { what: 'image/png', bytes: picture.length, digest: expect.stringMatching(/^sha256:/) },
      },
    })
    expect(json(JSON.stringify('x'.repeat(2001)))).toMatchObject({ $omitted: { what: 'text', bytes: 2001 } })
    expect(json(JSON.stringify('x'.repeat(2000)))).toBe('x'.repeat(2000))
    const many = JSON.stringify(json(JSON.stringify(Array.from({ length: 100_000 }, (_, i) => i))))
    expect(many.length).toBeLessThan(10_000)
    expect(many).toContain('"what":"items","count":99001')
    const deep = JSON.stringify(json('['.repeat(200) + ']'.repeat(200)))
    expect(deep).toContain('nested deeper than 32 levels')
  })

  it('tells of a text of more than a megabyte what it is, how long, and its digest, without holding it', () => {
    const long = `/9j/${'A'.repeat(1 << 20)}`
    const digest = `sha256:${createHash('sha256').update(long).digest('hex')}`
    const left = { $omitted: { what: 'image/jpeg', bytes: long.length, digest } }
    const text = JSON.stringify({ before: 'é', long, list: [long, 'a \\" b'], after: 0 })
    expect(json(text.replace('"after":0', '"after":12345678901234567890'))).toEqual({
      before: 'é',
      long: left,
      list: [left, 'a \\" b'],
      after: '12345678901234567890',
    })
    expect(json(JSON.stringify({ [long]: 1 }))).toEqual({
      [`${long.slice(0, 200)}… (${long.length} characters)`]: 1,
    })
    const escaped = `${long}\n`
    expect(json(JSON.stringify(escaped))).toMatchObject({ $omitted: { bytes: escaped.length } })
    const broken = Buffer.concat([Buffer.from('"'), Buffer.alloc(2 << 20, 0xff), Buffer.from('"')])
    expect(present(decode({ type: 'json', bytes: broken }))).toMatchObject({ $unreadable: { type: 'json' } })
  })

  it('is well-formed text and a number that JSON can hold', () => {
    expect(json('"\\ud800"')).toBe('\ufffd')
    expect(msgpack(encode([Number.NaN, Number.POSITIVE_INFINITY]))).toEqual(['NaN', 'Infinity'])
  })
})
