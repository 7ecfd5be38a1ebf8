import { createHash } from 'node:crypto'
import type { Encoded } from '../rows.js'
import type { Value } from '../values.js'
import { decodeJson } from './json.js'
import { decodeMsgpack } from './msgpack.js'

export type Decoded = { readonly isReadable: true; readonly value: Value } | Unreadable

/** A value that cannot be shown, with what there is to tell it from another. */
export interface Unreadable {
  readonly isReadable: false
  readonly type: string
  readonly bytes: number
  /** `sha256:<hex>` of the stored bytes */
  readonly digest: string
  readonly why: string
}

/**
 * Decodes by the serializer's name for the value (JsonPlusSerializer of both languages). Nothing in it is executed,
 * looked up or constructed. `null` is how a JavaScript saver writes `json` in old rows.
 */
export function decode({ type, bytes, left }: Encoded): Decoded {
  if (left !== undefined) return { isReadable: false, type: type ?? 'json', ...left }
  try {
    return { isReadable: true, value: decodeBytes(type ?? 'json', bytes) }
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    return { isReadable: false, type: type ?? 'json', bytes: bytes.length, digest: digestOf(bytes), why }
  }
}

/** `sha256:<hex>`. */
export function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}

function decodeBytes(type: string, bytes: Uint8Array): Value {
  switch (type) {
    case 'json':
      return decodeJson(bytes)
    case 'msgpack':
      return decodeMsgpack(bytes)
    case 'null':
      return null
    case 'bytes':
    case 'bytearray':
      return bytes
    case 'pickle':
      throw new TypeError('it is a Python pickle, which only the code that made it can read')
    default:
      throw new TypeError(
        type.includes('+')
          ? `it is encrypted (${type})`
          : `its serializer ${JSON.stringify(type)} is not known`,
      )
  }
}
