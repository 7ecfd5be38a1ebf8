import { fieldOf } from '../core/field.js'
import type { JsonObject, JsonValue } from '../core/json.js'

// Parts of what another program wrote, taken as they are: what has another type than expected counts as absent.

export function objectOf(value: unknown): JsonObject | null {
  return isObject(value) ? value : null
}

export function listOf(value: unknown): readonly JsonValue[] {
  return Array.isArray(value) ? value : []
}

export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

export function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

/** What stands under a name; null where nothing does. */
export function partOf(value: JsonValue | undefined, name: string): JsonValue {
  const part = fieldOf(value ?? null, name)
  return isJson(part) ? part : null
}

/** An id as text, however it was written. */
export function idOf(value: unknown): string | null {
  return typeof value === 'number' ? String(value) : textOf(value)
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

// Everything below a parsed JSON value is one, but what objects inherit.
function isJson(value: unknown): value is JsonValue {
  return value !== undefined && typeof value !== 'function'
}
