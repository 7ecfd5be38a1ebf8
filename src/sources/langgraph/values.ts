/**
 * A decoded value. JSON has no Set, no date and no bytes, and a class of the agent must never be constructed here: what
 * is more than JSON stays a `Marked` description of itself.
 */
export type Value = null | boolean | number | string | Uint8Array | readonly Value[] | ValueObject | Marked

/** Made without a prototype, so that a key `__proto__` is a key like any other. */
export interface ValueObject {
  readonly [key: string]: Value
}

const MARK: unique symbol = Symbol('marked')

/** What a serializer recorded of an object that JSON cannot hold: the constructor's name and what it was called with. */
export interface Marked {
  readonly [MARK]: true
  /** `Set`, `datetime.datetime`, `langgraph.types.Send` */
  readonly type: string
  readonly args: readonly Value[]
  readonly fields: ValueObject | null
  readonly method: string | null
}

export function marked(
  type: string,
  parts: {
    readonly args?: readonly Value[]
    readonly fields?: ValueObject | null
    readonly method?: string | null
  },
): Marked {
  return {
    [MARK]: true,
    type,
    args: parts.args ?? [],
    fields: parts.fields ?? null,
    method: parts.method ?? null,
  }
}

export function isMarked(value: Value | undefined): value is Marked {
  return typeof value === 'object' && value !== null && MARK in value
}

/** JavaScript's `undefined` as the serializer writes it: a channel that holds it is empty. */
export function isUndefined(value: Value | undefined): boolean {
  return isMarked(value) && value.type === 'undefined'
}

export function isList(value: Value | undefined): value is readonly Value[] {
  return Array.isArray(value)
}

export function isObject(value: Value | undefined): value is ValueObject {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Uint8Array) &&
    !(MARK in value)
  )
}

export function field(value: Value | undefined, key: string): Value | undefined {
  return isObject(value) ? value[key] : undefined
}

/** The entries of a list, a set (Python `set`, `frozenset`, `deque`; JavaScript `Set`) or nothing. */
export function items(value: Value | undefined): readonly Value[] {
  if (isList(value)) return value
  if (isMarked(value) && isList(value.args[0])) return value.args[0]
  return []
}

/** An object without a prototype, from entries in their order. */
export function objectOf(entries: Iterable<readonly [string, Value]>): ValueObject {
  const object: Record<string, Value> = Object.create(null)
  for (const [key, value] of entries) object[key] = value
  return object
}
