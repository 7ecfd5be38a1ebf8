import type { JsonObject, JsonValue } from './json.js'

export interface Difference {
  /** where in the value, `items[2].price`; empty for the value itself */
  readonly path: string
  readonly kind: 'changed' | 'added' | 'removed'
}

/** Places where the second value differs from the first, in the order of their paths. Values are not shown. */
export function differencesOf(before: JsonValue, after: JsonValue, path = ''): Difference[] {
  if (before === after) return []
  if (isList(before) && isList(after)) return differencesOfLists(before, after, path)
  if (isObject(before) && isObject(after)) return differencesOfObjects(before, after, path)
  return [{ path, kind: 'changed' }]
}

/** Every value inside a value, by the path that `differencesOf` gives it. */
export function valuesByPath(value: JsonValue, path = ''): ReadonlyMap<string, JsonValue> {
  const members = isList(value)
    ? value.map((item, i) => [`[${i}]`, item] as const)
    : isObject(value)
      ? Object.entries(value).map(([name, item]) => [step(name, path === ''), item] as const)
      : []
  const below = members.flatMap(([place, item]) => [...valuesByPath(item, `${path}${place}`)])
  return new Map([[path, value], ...below])
}

function differencesOfLists(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  path: string,
): Difference[] {
  const places = [...Array(Math.max(before.length, after.length)).keys()]
  return places.flatMap(i => differencesOfMembers(before[i], after[i], `${path}[${i}]`))
}

function differencesOfObjects(before: JsonObject, after: JsonObject, path: string): Difference[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
  return names.flatMap(name =>
    differencesOfMembers(own(before, name), own(after, name), `${path}${step(name, path === '')}`),
  )
}

function differencesOfMembers(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  path: string,
): Difference[] {
  if (before !== undefined && after !== undefined) return differencesOf(before, after, path)
  if (before === undefined && after === undefined) return []
  return [{ path, kind: before === undefined ? 'added' : 'removed' }]
}

function step(name: string, isFirst: boolean): string {
  if (!/^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(name)) return `[${JSON.stringify(name)}]`
  return isFirst ? name : `.${name}`
}

function own(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
