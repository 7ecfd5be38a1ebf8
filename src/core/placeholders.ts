import type { JsonObject, JsonValue } from './json.js'
import type { ExternalId, Operation } from './operation.js'

/** What a template's placeholders may name; a root that is not among them is no placeholder but text. */
export interface Facts {
  readonly operation_id: string
  readonly target: string | null
  readonly idempotency_key: string
  readonly input: JsonValue
  readonly result: JsonValue
  /** by kind, where there is exactly one of it: which of several is meant nobody can tell */
  readonly external_id: JsonObject
  /** of a probe: when the first attempt was announced, ISO-8601 UTC */
  readonly first_sent?: string | null
  /** of a probe: from when on a list is read, an hour before that, without fractions; and in seconds since 1970 UTC */
  readonly since?: string | null
  readonly since_unix?: string | null
  /** of a probe that reads a hit again: the id it found */
  readonly found?: string | null
}

/** An operation, or its outline, which is read without what may be large. */
type Recorded = Pick<Operation, 'operation_id' | 'target' | 'idempotency_key'> &
  Partial<Pick<Operation, 'input' | 'result'>>

/** What is on record of an operation, for its templates. */
export function factsOf(operation: Recorded, ids: readonly ExternalId[]): Facts {
  const { operation_id, target, idempotency_key, input = null, result = null } = operation
  const single = ids.filter(({ kind }) => ids.filter(other => other.kind === kind).length === 1)
  const external_id = Object.fromEntries(single.map(({ kind, value }) => [kind, value]))
  return { operation_id, target, idempotency_key, input, result, external_id }
}

export interface Filled {
  readonly value: JsonValue
  /** placeholders for which nothing is on record, as they stand in the template */
  readonly missing: readonly string[]
}

const PLACEHOLDER =
  /\{((?:operation_id|target|idempotency_key)|(?:input|result|external_id)(?:\.[^{}.]+)*)\}/g
const IN_TEXT = new RegExp(PLACEHOLDER.source.replace('(', '(\\+?)('), 'g')
const STRICT = new RegExp(
  PLACEHOLDER.source
    .replace('(', '(\\+?)(')
    .replace('idempotency_key', 'idempotency_key|first_sent|since_unix|since|found'),
  'g',
)

/**
 * A JSON template with its `{placeholders}` replaced. A text that is one placeholder and nothing else becomes the value
 * itself, whatever its type; inside a text the value is written out.
 */
export function fill(template: JsonValue, facts: Facts): Filled {
  const missing: string[] = []
  return { value: filled(template, facts, missing), missing: [...new Set(missing)] }
}

/**
 * A text with what `write` makes of each value in the place of its placeholder. Where nothing is on record, or `write`
 * answers null, the placeholder stays for whoever reads it. `{+input.repo}` is written as a path.
 */
export function fillText(
  text: string,
  facts: Facts,
  write: (value: string, how: { readonly isPath: boolean }) => string | null,
): string {
  return text.replace(IN_TEXT, (placeholder, plus: string, path: string) => {
    const value = valueAt(path, facts)
    if (value === undefined || value === null) return placeholder
    const written = typeof value === 'string' ? value : JSON.stringify(value)
    return write(written, { isPath: plus !== '' }) ?? placeholder
  })
}

/**
 * A text whose every placeholder must be filled in; `{+input.repo}` is written as a path. What nothing is on record
 * for, or `write` refuses with null, is named in `missing` as it stands.
 */
export function fillStrictly(
  text: string,
  facts: Facts,
  write: (value: string, how: { readonly isPath: boolean }) => string | null,
): { readonly text: string; readonly missing: readonly string[] } {
  const missing: string[] = []
  const replaced = text.replace(STRICT, (placeholder, plus: string, path: string) => {
    const value = valueAt(path, facts)
    const text = typeof value === 'string' ? value : JSON.stringify(value ?? null)
    const written =
      value === undefined || value === null || value === '' ? null : write(text, { isPath: plus !== '' })
    if (written !== null) return written
    missing.push(placeholder)
    return ''
  })
  return { text: replaced, missing: [...new Set(missing)] }
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
    const value = valueAt(path, facts)
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

function valueAt(path: string, facts: Facts): JsonValue | undefined {
  return path.split('.').reduce<JsonValue | undefined>(member, { ...facts })
}

function member(value: JsonValue | undefined, name: string): JsonValue | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}
