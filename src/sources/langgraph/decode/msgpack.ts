import { Decoder, ExtensionCodec } from '@msgpack/msgpack'
import { shortDigest } from '../../record-id.js'
import { isList, isMarked, isObject, marked, objectOf, type Value } from '../values.js'
import { MAX_DEPTH } from './json.js'

/**
 * MessagePack as Python's JsonPlusSerializer writes it (langgraph-checkpoint 2.1 to 4.3). Its extension types name a
 * class and what to call it with; here they only become a description. 64-bit integers become strings with every digit
 * where a number cannot hold them. Throws on anything else than one whole value.
 */
export function decodeMsgpack(bytes: Uint8Array): Value {
  return decodeAt(bytes, 0)
}

function decodeAt(bytes: Uint8Array, depth: number): Value {
  if (depth > MAX_DEPTH) throw new RangeError(`it is nested deeper than ${MAX_DEPTH} levels`)
  // A length that exceeds the bytes at hand is a lie; without the limits it would be believed until the end is reached.
  const limit = bytes.length
  const decoder = new Decoder<undefined>({
    extensionCodec,
    useBigInt64: true,
    maxStrLength: limit,
    maxBinLength: limit,
    maxArrayLength: limit,
    maxMapLength: limit,
    maxExtLength: limit,
    keyDecoder: textKeys,
    mapKeyConverter: key => (typeof key === 'string' ? key : OTHER + keyText(key)),
  })
  return tidy(decoder.decode(bytes), depth)
}

/** The extension as it lies there: decoded only when the whole value is known to be sound. */
class Extension {
  constructor(
    readonly code: number,
    readonly payload: Uint8Array,
  ) {}
}

const extensionCodec = new ExtensionCodec()
// 0 to 7 are in use (jsonplus.py, EXT_*); -1 is MessagePack's own time stamp, which Python never writes.
for (let code = -128; code <= 127; code++) {
  extensionCodec.register({
    type: code,
    encode: () => null,
    decode: payload => new Extension(code, payload.slice()),
  })
}

// The library builds plain objects and refuses a key `__proto__`. A letter before every key lets it be one, and tells
// text from the numbers, booleans and tuples that Python maps may have as keys.
const TEXT = 't'
const OTHER = 'o'

const textKeys = {
  canBeCached: () => true,
  decode: (bytes: Uint8Array, offset: number, length: number) =>
    TEXT + new TextDecoder().decode(bytes.subarray(offset, offset + length)),
}

/** A key may hold maps with such keys, and each level of quotes doubles: what is longer is told apart by its digest. */
const LONGEST_KEY = 200

function keyText(key: unknown): string {
  const value = tidy(key, 0)
  const text = typeof value === 'object' && value !== null ? JSON.stringify(describe(value)) : String(value)
  return text.length <= LONGEST_KEY ? text : `${text.slice(0, LONGEST_KEY)}… ${shortDigest(text)}`
}

function describe(value: Value): unknown {
  if (isMarked(value)) return { [value.type]: value.args.map(describe) }
  return isList(value) ? value.map(describe) : value
}

function tidy(decoded: unknown, depth: number): Value {
  if (depth > MAX_DEPTH) throw new RangeError(`it is nested deeper than ${MAX_DEPTH} levels`)
  if (typeof decoded === 'bigint') {
    const number = Number(decoded)
    return Number.isSafeInteger(number) ? number : decoded.toString()
  }
  if (decoded === null || typeof decoded === 'boolean' || typeof decoded === 'number') return decoded
  if (typeof decoded === 'string') return decoded
  if (decoded instanceof Uint8Array) return decoded
  if (decoded instanceof Extension) return decodeExtension(decoded, depth + 1)
  if (Array.isArray(decoded)) return decoded.map(item => tidy(item, depth + 1))
  return tidyMap(Object.entries(Object(decoded)), depth)
}

function tidyMap(entries: readonly [string, unknown][], depth: number): Value {
  const texts = new Set(entries.map(([key]) => key).filter(key => key.startsWith(TEXT)))
  return objectOf(
    entries.map(([key, item]) => {
      const name = key.slice(1)
      const isTaken = key.startsWith(OTHER) && texts.has(TEXT + name)
      return [isTaken ? `(not text) ${name}` : name, tidy(item, depth + 1)] as const
    }),
  )
}

function decodeExtension({ code, payload }: Extension, depth: number): Value {
  const content = decodeAt(payload, depth)
  if (code === 7) return marked('delta_snapshot', { args: [content] })
  if (!isList(content)) return marked(`extension ${code}`, { args: [content] })
  const [first, second, third, fourth] = content
  const name = `${String(first)}.${String(second)}`
  const method = typeof fourth === 'string' ? fourth : null
  switch (code) {
    case 0:
      return marked(name, { args: [third ?? null] })
    case 1:
      return marked(name, { args: isList(third) ? third : [] })
    case 2:
    case 4:
      return marked(name, { fields: isObject(third) ? third : null })
    case 3:
      return marked(name, { args: [third ?? null], method })
    case 5:
      return marked(name, { fields: isObject(third) ? third : null })
    case 6:
      return marked('numpy.ndarray', { args: content })
    default:
      return marked(`extension ${code}`, { args: content })
  }
}
