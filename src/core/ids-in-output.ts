import type { JsonValue } from './json.js'
import type { ExternalId } from './operation.js'

/** Where the id of an object that a command made stands in what it printed. */
export interface IdRule {
  /** what the id is of: `ticket` */
  readonly kind: string
  /** a regular expression whose first group, or else whole match, is the id; every match counts */
  readonly pattern?: string
  /** the path of the id in an output that is JSON: `data.id` */
  readonly json?: string
}

/** Looked through from the start; what comes after is no place for an id. */
const LONGEST_SEARCHED = 65_536
const MOST_IDS = 100

/** The ids that a command's output names, each once, in the order of the rules. */
export function idsInOutput(
  rules: readonly IdRule[],
  text: string,
): readonly Pick<ExternalId, 'kind' | 'value'>[] {
  const whole = parsed(text)
  const found = rules.flatMap(({ kind, pattern, json }) => {
    const values = [
      ...(pattern === undefined ? [] : matchesOf(pattern, text.slice(0, LONGEST_SEARCHED))),
      ...(json === undefined ? [] : valuesAt(whole, json)),
    ]
    return values.map(value => ({ kind, value }))
  })
  const isFirst = (id: { kind: string; value: string }, n: number) =>
    found.findIndex(other => other.kind === id.kind && other.value === id.value) === n
  return found.filter(isFirst).slice(0, MOST_IDS)
}

function matchesOf(pattern: string, text: string): string[] {
  const found = text.matchAll(new RegExp(pattern, 'gmu'))
  return [...found].map(([whole, group]) => group ?? whole).filter(value => value !== '')
}

function valuesAt(whole: JsonValue | undefined, path: string): string[] {
  const found = path.split('.').reduce<JsonValue | undefined>(member, whole)
  return typeof found === 'string' || typeof found === 'number' ? [String(found)] : []
}

function member(value: JsonValue | undefined, name: string): JsonValue | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return Reflect.get(value, name)
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
