import type { JsonObject, JsonValue } from './json.js'

export interface Difference {
  /** where in the value, `items[2].price`; empty for the value itself */
  readonly path: string
  readonly kind: 'changed' | 'added' | 'removed'
}

/** One place with what stands there in either value; undefined where nothing does. */
export interface Change {
  readonly path: string
  readonly before: JsonValue | undefined
  readonly after: JsonValue | undefined
}

/** Places where the second value differs from the first, in the order of their paths. Values are not shown. */
export function differencesOf(before: JsonValue, after: JsonValue): Difference[] {
  return changesOf(before, after).map(change => ({
    path: change.path,
    kind: change.before === undefined ? 'added' : change.after === undefined ? 'removed' : 'changed',
  }))
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

/** The same with the values. */
export function changesOf(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  path = '',
): readonly Change[] {
  if (before === after) return []
  if (before === undefined || after === undefined) return [{ path, before, after }]
  if (isList(before) && isList(after)) return changesOfLists(before, after, path)
  if (isObject(before) && isObject(after)) return changesOfObjects(before, after, path)
  return [{ path, before, after }]
}

function changesOfLists(before: readonly JsonValue[], after: readonly JsonValue[], path: string): Change[] {
  const places = [...Array(Math.max(before.length, after.length)).keys()]
  return places.flatMap(i => changesOf(before[i], after[i], `${path}[${i}]`))
}

function changesOfObjects(before: JsonObject, after: JsonObject, path: string): Change[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
  return names.flatMap(name =>
    changesOf(own(before, name), own(after, name), `${path}${step(name, path === '')}`),
  )
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
