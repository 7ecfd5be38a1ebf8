import { externalIdOf } from '../external-id.js'
import { fieldOf, valueAt } from '../field.js'
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
  return places.flatMap(({ kind, path, url, scope }) => {
    const about = {
      ...(url === undefined ? {} : { url: String(valueAt(value, url) ?? '') }),
      ...(scope === undefined ? {} : { scope }),
    }
    const id = externalIdOf(kind, valueAt(value, path), about)
    return id === null ? [] : [id]
  })
}

/** What a 202 names to ask for: a place in its headers. */
export function remoteOf({ response }: ErrorFacts): ExternalId | null {
  for (const name of ['operation-location', 'location', 'content-location']) {
    const url = fieldOf(response?.headers, name)
    const id = externalIdOf('status', url, { url: String(url) })
    if (id !== null) return id
  }
  return null
}
