import { externalIdOf } from '../external-id.js'
import { valueAt } from '../field.js'
import type { Contract, ExternalId } from '../operation.js'
import type { ErrorFacts } from './facts.js'

type Places = Pick<Contract, 'ids'>

/** The ids that the contract finds in a result. What is no id there is left out. */
export function idsInResult({ ids = [] }: Places, result: unknown): readonly ExternalId[] {
  return idsAt(
    ids.filter(place => place.in !== 'error'),
    result,
  )
}

/** The ids that the contract finds in an error: in the body of its answer, else on the error itself. */
export function idsInError({ ids = [] }: Places, thrown: unknown, facts: ErrorFacts): readonly ExternalId[] {
  const places = ids.filter(place => place.in === 'error')
  if (places.length === 0) return []
  const body = answerBody(facts)
  return idsAt(places, body ?? thrown)
}

function answerBody({ response, cause }: ErrorFacts): unknown {
  return response?.body ?? (cause === null ? null : answerBody(cause))
}

function idsAt(places: NonNullable<Contract['ids']>, value: unknown): readonly ExternalId[] {
  return places.flatMap(({ kind, json, url, scope }) => {
    const about = {
      ...(url === undefined ? {} : { url: String(valueAt(value, url) ?? '') }),
      ...(scope === undefined ? {} : { scope }),
    }
    const id = externalIdOf(kind, valueAt(value, json), about)
    return id === null ? [] : [id]
  })
}

/** Headers in which a 202 names the place to ask. */
export const PLACE_HEADERS = ['operation-location', 'location', 'content-location'] as const

/** What a 202 names to ask for: a place in its headers. */
export function remoteOf({ response }: ErrorFacts): ExternalId | null {
  for (const name of PLACE_HEADERS) {
    const place = response?.headers[name]
    const about = place !== undefined && URL.canParse(place) ? { url: place } : {}
    const id = externalIdOf('status', place, about)
    if (id !== null) return id
  }
  return null
}
