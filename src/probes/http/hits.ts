import type { JsonValue } from '../../core/json.js'
import type { Match, Observed } from '../../core/observation.js'
import { parseForeignJson } from '../../core/parse-json.js'
import type { HttpProbe } from '../../core/probe.js'
import { fillUrl } from '../fill.js'
import { resultAt, sortObjects } from '../objects.js'
import type { Brought, Question } from '../probe.js'
import { type Ask, requestOne } from './asking.js'
import { failed, isGot } from './get.js'
import { objectsIn, type Pages } from './pages.js'
import { NOTHING, notSeen, type Told } from './told.js'

/** hits of a search that are read again one by one */
const MOST_HITS = 20

interface Search {
  readonly ask: Ask
  readonly read: Extract<Pages, { objects: unknown }>
  readonly told: Told
  readonly parent: 'readable' | 'unreadable' | 'not_asked'
  readonly scope: string | null
}

/**
 * A search names objects, and each is read again by its id: what is then ours by its key or id counts like an entry of
 * a list. What the record does not have contradicts the index.
 */
export async function readHits(
  { probe, facts }: Question<HttpProbe>,
  { ask, read, told, parent, scope }: Search,
): Promise<Observed & Pick<Brought, 'grade'>> {
  const { match, id, point } = probe
  if (match === undefined || id === undefined || point === undefined)
    return notSeen(failed('cannot_ask', 'a search wants match, id and point'))
  const sorting = { reading: { match, id }, facts, isOwnName: false, scope }
  // Where the objects stand in the answer of the search says nothing of the answer to one id.
  const { items: _, ...single } = probe
  const hits = sortObjects(read.objects, sorting)
  if (hits.problem !== null) return notSeen(failed('not_understood', hits.problem))
  const matches: Match[] = []
  const disagreements = [...told.disagreements]
  let first: JsonValue | undefined
  for (const hit of hits.matches.slice(0, MOST_HITS)) {
    const { value, kind } = hit.external_id
    const url = fillUrl(point, { ...facts, found: value })
    if ('problem' in url) return notSeen(failed('cannot_ask', url.problem))
    const answer = await requestOne(url.text, ask)
    if (!isGot(answer)) return notSeen(answer)
    if (answer.status === 404 || answer.status === 410) {
      disagreements.push(`the search names ${kind} ${value}, and its record is not there`)
      continue
    }
    const body = answer.status === 200 ? parseForeignJson(answer.body) : undefined
    const objects =
      body === undefined
        ? failed('not_understood', `${answer.status} for ${kind} ${value}`)
        : objectsIn(body, { ...single, grade: 'B' })
    if ('code' in objects) return notSeen(objects)
    const again = sortObjects(objects.list, sorting)
    matches.push(...again.matches)
    first ??= again.first
  }
  const isCut = read.cut !== null || hits.matches.length > MOST_HITS
  const answer = {
    ...NOTHING,
    ...told,
    parent,
    disagreements,
    matches,
    ...resultAt(first, probe.result),
    // It found what it found; what it did not find is still only a search's word.
    ...(matches.length > 0 ? { grade: 'C' as const } : {}),
  }
  return isCut
    ? { ...answer, completeness: 'partial', why: read.cut ?? `more than ${MOST_HITS} hits` }
    : { ...answer, completeness: 'complete' }
}
