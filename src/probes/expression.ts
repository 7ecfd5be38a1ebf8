import jmespath from 'jmespath'
import type { JsonValue } from '../core/json.js'

/** What a JMESPath finds in a value; undefined where it finds nothing or does not fit what is there. */
export function find(value: JsonValue, expression: string): JsonValue | undefined {
  const found = search(value, expression)
  return 'problem' in found ? undefined : found.value
}

/** The same, where not fitting must not pass for nothing. */
export function search(
  value: JsonValue,
  expression: string,
): { readonly value: JsonValue | undefined } | { readonly problem: string } {
  try {
    const found: unknown = jmespath.search(value, expression)
    return { value: asJson(found) }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}

/** True, or a value that is there: JMESPath's own idea of truth, but for the number 0. */
export function isTrue(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === false || value === '') return false
  if (Array.isArray(value)) return value.length > 0
  return typeof value !== 'object' || Object.keys(value).length > 0
}

/** As people and other records write it; undefined for what is no single value. */
export function textOf(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

// A path can lead to what an object inherits (constructor): that is no data.
function asJson(found: unknown): JsonValue | undefined {
  const text = found === undefined || found === null ? undefined : JSON.stringify(found)
  return text === undefined ? undefined : JSON.parse(text)
}
