import { type IdPlace, patternOf } from './classify/service-rule.js'
import { externalIdOf } from './external-id.js'
import { valueAt } from './field.js'
import type { ExternalId } from './operation.js'
import { parseForeignJson } from './parse-json.js'

/** Looked through from the start; what comes after is no place for an id. */
const LONGEST_SEARCHED = 65_536
const MOST_IDS = 100

/** The ids that a command's output names, each once, in the order of the places. */
export function idsInOutput(places: readonly IdPlace[], text: string): readonly ExternalId[] {
  const whole = parseForeignJson(text)
  const found = places
    .filter(place => place.in !== 'error')
    .flatMap(({ kind, path, pattern, scope }) => {
      const values = [
        ...(pattern === undefined ? [] : matchesOf(pattern, text.slice(0, LONGEST_SEARCHED))),
        ...(path === undefined ? [] : [valueAt(whole, path)]),
      ]
      const ids = values.map(value => externalIdOf(kind, value, scope === undefined ? {} : { scope }))
      return ids.filter(id => id !== null)
    })
  const isFirst = ({ kind, value }: ExternalId, n: number) =>
    found.findIndex(other => other.kind === kind && other.value === value) === n
  return found.filter(isFirst).slice(0, MOST_IDS)
}

function matchesOf(pattern: string, text: string): string[] {
  const found = text.matchAll(patternOf(pattern) ?? /(?!)/g)
  return [...found].map(([whole, group]) => group ?? whole)
}
