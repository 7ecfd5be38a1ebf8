import { isObject, marked, objectOf, type Value, type ValueObject } from '../values.js'
import { type JsonText, jsonText } from './json-text.js'

/** Deeper nesting than any state has; it keeps a crafted value from exhausting the stack. */
export const MAX_DEPTH = 500

/**
 * JSON as `@langchain/langgraph-checkpoint` writes it, and the older Python saver too: objects that JSON cannot hold are
 * records `{lc: 2, type, …}`, objects of LangChain `{lc: 1, type: "constructor", id, kwargs}`. Integers that a JavaScript
 * number cannot hold become strings with every digit; of a text too long to hold only its size, digest and kind are kept.
 * Throws on anything else than JSON.
 */
export function decodeJson(bytes: Uint8Array): Value {
  const { text, meantBy } = jsonText(bytes)
  return revive(JSON.parse(keepDigits(text)), { depth: 0, meantBy })
}

// Outside of strings only. One regular expression for strings and numbers would exhaust its stack on a string of many
// million characters, which a picture in a message is.
function keepDigits(text: string): string {
  if (!/\d{16}/.test(text)) return text
  const parts: string[] = []
  let at = 0
  while (at < text.length) {
    const open = text.indexOf('"', at)
    const outside = text.slice(at, open === -1 ? undefined : open)
    parts.push(outside.replace(/-?\d{16,}(?![\d.eE])/g, quoteUnsafe))
    if (open === -1) break
    at = endOfString(text, open)
    parts.push(text.slice(open, at))
  }
  return parts.join('')
}

function quoteUnsafe(digits: string): string {
  return Number.isSafeInteger(Number(digits)) ? digits : `"${digits}"`
}

function endOfString(text: string, open: number): number {
  for (let close = text.indexOf('"', open + 1); close !== -1; close = text.indexOf('"', close + 1)) {
    let first = close
    while (text[first - 1] === '\\') first--
    if ((close - first) % 2 === 0) return close + 1
  }
  return text.length
}

interface At extends Pick<JsonText, 'meantBy'> {
  readonly depth: number
}

function revive(parsed: unknown, { depth, meantBy }: At): Value {
  if (depth > MAX_DEPTH) throw new RangeError(`it is nested deeper than ${MAX_DEPTH} levels`)
  if (parsed === null || typeof parsed === 'boolean' || typeof parsed === 'number') return parsed
  if (typeof parsed === 'string') return meantBy(parsed)
  const inside = { depth: depth + 1, meantBy }
  if (Array.isArray(parsed)) return parsed.map(item => revive(item, inside))
  return reviveRecord(
    objectOf(Object.entries(Object(parsed)).map(([key, item]) => [key, revive(item, inside)])),
  )
}

function reviveRecord(object: ValueObject): Value {
  if (object.lc === 2) return reviveOwn(object)
  if (object.lc === 1 && object.type === 'constructor')
    return marked(nameOf(object.id), { fields: isObject(object.kwargs) ? object.kwargs : null })
  return object
}

function reviveOwn(object: ValueObject): Value {
  if (object.type === 'undefined') return marked('undefined', {})
  if (object.type === 'delta_snapshot') return marked('delta_snapshot', { args: [object.value ?? null] })
  if (object.type !== 'constructor') return object
  const args = Array.isArray(object.args) ? object.args : []
  const name = nameOf(object.id)
  const bytes: unknown = args[0]
  if (name === 'Uint8Array' && Array.isArray(bytes) && bytes.every(isByte)) return Uint8Array.from(bytes)
  return marked(name, {
    args,
    fields: isObject(object.kwargs) && Object.keys(object.kwargs).length > 0 ? object.kwargs : null,
    method: typeof object.method === 'string' ? object.method : null,
  })
}

function nameOf(id: Value | undefined): string {
  return Array.isArray(id) ? id.filter(part => typeof part === 'string').join('.') : 'unnamed'
}

function isByte(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 255
}
