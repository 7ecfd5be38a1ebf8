import type { JsonObject, JsonValue } from './json.js'

/** What a template's placeholders may name; a root that is not among them is no placeholder but text. */
export interface Facts {
  readonly operation_id: string
  readonly target: string | null
  readonly idempotency_key: string
  readonly input: JsonValue
  readonly result: JsonValue
  /** by kind, where there is exactly one of it: which of several is meant nobody can tell */
  readonly external_id: JsonObject
}

export interface Filled {
  readonly value: JsonValue
  /** placeholders for which nothing is on record, as they stand in the template */
  readonly missing: readonly string[]
}

const PLACEHOLDER =
  /\{((?:operation_id|target|idempotency_key)|(?:input|result|external_id)(?:\.[^{}.]+)*)\}/g

/**
 * A JSON template with its `{placeholders}` replaced. A text that is one placeholder and nothing else becomes the value
 * itself, whatever its type; inside a text the value is written out.
 */
export function fill(template: JsonValue, facts: Facts): Filled {
  const missing: string[] = []
  return { value: filled(template, facts, missing), missing: [...new Set(missing)] }
}

function filled(template: JsonValue, facts: Facts, missing: string[]): JsonValue {
  if (typeof template === 'string') return filledText(template, facts, missing)
  if (typeof template !== 'object' || template === null) return template
  if (isList(template)) return template.map(item => filled(item, facts, missing))
  return Object.fromEntries(
    Object.entries(template).map(([name, item]) => [name, filled(item, facts, missing)]),
  )
}

function filledText(text: string, facts: Facts, missing: string[]): JsonValue {
  const named = (path: string): JsonValue => {
    const value = path.split('.').reduce<JsonValue | undefined>(member, { ...facts })
    if (value !== undefined && value !== null) return value
    missing.push(`{${path}}`)
    return null
  }
  const [whole, path] = new RegExp(`^${PLACEHOLDER.source}$`).exec(text) ?? []
  if (whole !== undefined && path !== undefined) return named(path)
  return text.replace(PLACEHOLDER, (_, one: string) => {
    const value = named(one)
    return typeof value === 'string' ? value : JSON.stringify(value)
  })
}

function member(value: JsonValue | undefined, name: string): JsonValue | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}
