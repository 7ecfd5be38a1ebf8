import { externalIdOf } from '../core/external-id.js'
import type { JsonValue } from '../core/json.js'
import type { Match, MatchedBy } from '../core/observation.js'
import type { ExternalId } from '../core/operation.js'
import type { IdOf, MarkerPlace, MatchBy, ObjectReading } from '../core/probe.js'
import { find, isTrue, textOf } from './expression.js'
import { fillPlain } from './fill.js'
import type { ProbeFacts } from './probe.js'

/** What objects say of the operation. */
export interface Sorted {
  readonly matches: readonly Match[]
  /** the first of ours, for the result */
  readonly first: JsonValue | undefined
  /** objects that are ours and name no id, in words; then nothing may be concluded */
  readonly problem: string | null
}

export interface Sorting {
  readonly reading: Pick<ObjectReading, 'match' | 'id'>
  readonly facts: ProbeFacts
  /** the objects were asked for by our own name: what is not ours there is something else in our place */
  readonly isOwnName: boolean
  readonly scope: string | null
}

/** Sorts objects into those of the operation, those that may be, and the rest. */
export function sortObjects(objects: readonly JsonValue[], sorting: Sorting): Sorted {
  const { reading, facts, isOwnName, scope } = sorting
  const matches: Match[] = []
  let first: JsonValue | undefined
  for (const object of objects) {
    const how = howMatched(object, reading.match, facts)
    if (how === null && !isOwnName) continue
    const external_id = idOf(object, reading.id, scope)
    if (external_id === null)
      return { matches: [], first: undefined, problem: `an object names no id at ${reading.id.value}` }
    const digest = digestOf(object, reading.match)
    if (how !== null) first ??= object
    matches.push({
      external_id,
      matched_by: how ?? 'attributes',
      digest,
      ...(how === null ? { differs: differenceOf(reading.match, digest, facts) } : {}),
    })
  }
  return { matches, first, problem: null }
}

function howMatched(object: JsonValue, match: MatchBy, facts: ProbeFacts): MatchedBy | null {
  const { key, operation_id, digest, attributes, by, named_by } = match
  if (named_by !== undefined) return named_by
  const isByOther = by !== undefined && !isEqual(object, by.path, by.equals, facts)
  if (key !== undefined && stands(object, key, facts.idempotency_key, facts))
    return isByOther ? 'attributes' : 'key'
  if (operation_id !== undefined && stands(object, operation_id, facts.operation_id, facts))
    return isByOther ? 'attributes' : 'operation_id'
  if (digest !== undefined && isEqual(object, digest.path, digest.equals, facts)) return 'digest'
  const wanted = Object.entries(attributes ?? {})
  if (wanted.length === 0 || !wanted.every(([path, value]) => isEqual(object, path, value, facts)))
    return null
  return 'attributes'
}

function stands(object: JsonValue, place: MarkerPlace, own: string, facts: ProbeFacts): boolean {
  const value = find(object, place.path)
  if (place.marker === undefined) return textOf(value) === own
  const marker = fillPlain(place.marker, facts)
  if ('problem' in marker) return false
  return [value ?? null].flat().some(text => typeof text === 'string' && holds(text, marker.text))
}

// `op-1` must not be found in `op-12`: what stands beside the marker may not go on with it.
const GOES_ON = /[\p{L}\p{N}_\-./:]/u

function holds(text: string, marker: string): boolean {
  for (let at = text.indexOf(marker); at >= 0; at = text.indexOf(marker, at + 1)) {
    const before = [...text.slice(0, at)].at(-1) ?? ''
    const [after = ''] = text.slice(at + marker.length)
    const [head = ''] = marker
    const tail = [...marker].at(-1) ?? ''
    const isCut = (GOES_ON.test(head) && GOES_ON.test(before)) || (GOES_ON.test(tail) && GOES_ON.test(after))
    if (!isCut) return true
  }
  return false
}

function isEqual(object: JsonValue, path: string, template: string, facts: ProbeFacts): boolean {
  const wanted = fillPlain(template, facts)
  return 'text' in wanted && textOf(find(object, path)) === wanted.text
}

function digestOf(object: JsonValue, { digest }: MatchBy): string | null {
  return digest === undefined ? null : (textOf(find(object, digest.path)) ?? null)
}

function differenceOf({ digest }: MatchBy, found: string | null, facts: ProbeFacts): string {
  const wanted = digest === undefined ? undefined : fillPlain(digest.equals, facts)
  return wanted !== undefined && 'text' in wanted && found !== null
    ? `its content is ${found}, ours is ${wanted.text}`
    : 'it carries neither its key nor its id'
}

function idOf(object: JsonValue, { kind, value, url }: IdOf, scope: string | null): ExternalId | null {
  const link = url === undefined ? undefined : textOf(find(object, url))
  const found = find(object, value)
  return externalIdOf(kind, textOf(found), {
    ...(link === undefined ? {} : { url: link }),
    ...(scope === null ? {} : { scope }),
  })
}

/** What a resumed run gets: the value at `result` in what was found. */
export function resultAt(object: JsonValue | undefined, path: string | undefined): { result?: JsonValue } {
  if (object === undefined || path === undefined) return {}
  const value = find(object, path)
  return value === undefined || !isTrue(value) ? {} : { result: value }
}
