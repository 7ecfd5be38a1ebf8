import type { JsonValue } from '../../../core/json.js'
import { digestOf } from '../decode/index.js'
import { isList, isMarked, type Value } from '../values.js'

/**
 * A decoded value as JSON, for digests: a text too long to hold is there by its own digest. What JSON cannot hold is a description of itself, as
 * `present` has it.
 */
export function jsonOf(value: Value): JsonValue {
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (typeof value === 'string') return value.toWellFormed()
  if (value instanceof Uint8Array) return { $bytes: value.length, $digest: digestOf(value) }
  if (isList(value)) return value.map(jsonOf)
  if (isMarked(value)) {
    const { type, args, fields } = value
    return {
      $type: type,
      ...(args.length === 0 ? {} : { $args: args.map(jsonOf) }),
      ...(fields === null ? {} : { $fields: jsonOf(fields) }),
    }
  }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key.toWellFormed(), jsonOf(item)]))
}

/** The content of a message as text: as it stands, or as JSON. */
export function textOf(value: Value): string {
  return typeof value === 'string' ? value.toWellFormed() : JSON.stringify(jsonOf(value))
}
