import type { JsonValue } from '../json.js'
import { createTextMask, maskOf, type TextMask } from './text.js'

/** Masks what is secret in whatever leaves the ledger. Digests are made before, over the unmasked value. */
export interface Redactor {
  /** the text with each secret replaced by `[masked <kind>]`; masking twice changes nothing */
  readonly text: (text: string) => string
  /** a copy of the value with its structure kept and its secrets masked; never throws, on cycles neither */
  readonly value: (value: JsonValue) => JsonValue
  /** one line of JSON, masked; as fast as JSON.stringify where nothing looks like a secret */
  readonly json: (value: JsonValue) => string
}

/** @param names further names of secret values, from the configuration's `redact:` */
export function createRedactor(names: readonly string[] = []): Redactor {
  const texts = createTextMask(names)
  const value = (one: JsonValue) => maskValue(one, { texts, known: new Map() }, 0)
  return {
    text: texts.mask,
    value,
    json: one => {
      const text = JSON.stringify(one)
      return texts.isSuspect(text) ? JSON.stringify(value(one)) : text
    },
  }
}

interface Walk {
  readonly texts: TextMask
  /** what was made of each object, so that shared ones are walked once and a cycle ends */
  readonly known: Map<object, JsonValue>
}

// JSON.stringify itself fails some thousand levels down; nobody reads so far.
const DEEPEST = 500
/** objects whose shape is kept under one secret name */
const MOST_BLANKED = 500

function maskValue(value: JsonValue, walk: Walk, depth: number): JsonValue {
  if (typeof value === 'string') return walk.texts.mask(value)
  if (typeof value !== 'object' || value === null) return value
  const known = walk.known.get(value)
  if (known !== undefined) return known
  if (depth > DEEPEST) return '[nested too deeply to show]'
  walk.known.set(value, '[contains itself]')
  const masked = isList(value) ? maskList(value, walk, depth) : maskObject(value, walk, depth)
  walk.known.set(value, masked)
  return masked
}

// ["--password", "x"] and ["Authorization", "x"]: command lines and raw headers name a secret in the item before it.
function maskList(list: readonly JsonValue[], walk: Walk, depth: number): JsonValue {
  return list.map((item, i) => {
    const before = list[i - 1]
    const name = typeof before === 'string' ? nameBefore(before, walk) : undefined
    return name !== undefined && typeof item === 'string' ? maskOf(name) : maskValue(item, walk, depth + 1)
  })
}

function nameBefore(item: string, { texts }: Walk): string | undefined {
  const name = texts.names.find(item)
  return name !== undefined && (name.isHeader === true || /^--?[\w-]+$/.test(item)) ? name.name : undefined
}

function maskObject(object: { readonly [name: string]: JsonValue }, walk: Walk, depth: number): JsonValue {
  const pairName = typeof object.name === 'string' ? walk.texts.names.find(object.name) : undefined
  const entries = Object.entries(object).map(([key, value]) => {
    // {"name": "Authorization", "value": "x"}: a header as some tools record it.
    const name = key === 'value' && pairName !== undefined ? pairName : walk.texts.names.find(key)
    return [
      walk.texts.mask(key),
      name === undefined ? maskValue(value, walk, depth + 1) : blank(value, name.name, new Set()),
    ]
  })
  return Object.fromEntries(entries)
}

// Under a secret's name every text and number goes; the shape stays, so that one sees what was there.
function blank(value: JsonValue, name: string, seen: Set<object>): JsonValue {
  if (value === null || typeof value === 'boolean' || value === '') return value
  if (typeof value !== 'object' || seen.has(value) || seen.size > MOST_BLANKED) return maskOf(name)
  seen.add(value)
  if (isList(value)) return value.map(item => blank(item, name, seen))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, blank(item, name, seen)]))
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}
