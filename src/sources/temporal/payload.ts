import type { JsonObject, JsonValue } from '../../core/json.js'
import { parseForeignJson } from '../../core/parse-json.js'
import { boundedJson, unreadableBytes } from '../bounded-json.js'
import { countOf, field, isFields, listOf, textOf } from './fields.js'

/**
 * What stands in a field of payloads: `{payloads: […]}`, a list of plain values (the shorthand of the command line), or one
 * value. One payload is its value, several are a list, none is null. Bounded; what cannot be read is `{$unreadable}` with
 * size and digest, each payload for itself.
 */
export function payloadsOf(of: JsonValue | undefined, name: string): JsonValue {
  const value = field(of, name)
  if (value === undefined) return null
  const list = isFields(value) && isList(value.payloads) ? value.payloads : isList(value) ? value : [value]
  const shown = list.map(shownPayload)
  return shown.length === 1 ? (shown[0] ?? null) : shown.length === 0 ? null : shown
}

/** A single payload, or the plain value that stands for it. */
export function shownPayload(payload: JsonValue): JsonValue {
  const read = payloadJson(payload)
  return 'value' in read ? boundedJson(read.value) : read.shown
}

/** The whole value of a payload where it is JSON; else what to show for it. */
export function payloadJson(
  payload: JsonValue,
): { readonly value: JsonValue } | { readonly shown: JsonValue } {
  if (!isPayload(payload)) return { value: payload }
  const external = listOf(payload, 'externalPayloads')
  if (external.length > 0) return { shown: storedElsewhere(external) }
  const encoding = encodingOf(payload)
  const bytes = bytesOf(payload)
  if (encoding === 'binary/null') return { value: null }
  if (encoding === 'json/plain' || encoding === 'json/protobuf') {
    const value = parseForeignJson(bytes.toString('utf8'))
    return value === undefined ? { shown: unreadableBytes(encoding, bytes, 'it is no JSON') } : { value }
  }
  if (encoding === 'binary/plain') return { shown: unreadableBytes(encoding, bytes, 'bytes, not text') }
  const why = encoding.includes('encrypted') ? 'encrypted' : 'only the codec of the workers can read it'
  return { shown: unreadableBytes(encoding, bytes, why) }
}

export function isUnreadable(shown: JsonValue): boolean {
  const list = isList(shown) ? shown : [shown]
  return list.some(item => isFields(item) && Object.hasOwn(item, '$unreadable'))
}

// A plain value may be an object with such names too; a payload has its encoding among its metadata.
function isPayload(value: JsonValue): value is JsonObject {
  if (!isFields(value)) return false
  return textOf(field(value, 'metadata'), 'encoding') !== null || listOf(value, 'externalPayloads').length > 0
}

function encodingOf(payload: JsonObject): string {
  const written = textOf(field(payload, 'metadata'), 'encoding') ?? ''
  if (written.includes('/')) return written.slice(0, 100)
  return Buffer.from(written, 'base64').toString('utf8').toWellFormed().slice(0, 100)
}

function bytesOf(payload: JsonObject): Buffer {
  const data = field(payload, 'data')
  return typeof data === 'string' ? Buffer.from(data, 'base64') : Buffer.alloc(0)
}

function storedElsewhere(external: readonly JsonValue[]): JsonValue {
  const bytes = external.reduce<number>((sum, item) => sum + (countOf(item, 'sizeBytes') ?? 0), 0)
  return { $omitted: { what: 'a body stored elsewhere', bytes } }
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value)
}
