import type { JsonValue } from '../json.js'
import type { Match } from '../observation.js'
import type { ExternalId } from '../operation.js'
import { type AnsweredSeen, type Finding, inconclusive, type Sight, type VerdictRule } from './rule.js'

/** A match and the reading it comes from. */
interface Hit {
  readonly match: Match
  readonly seen: AnsweredSeen
}

/** Carries it the key or id of the operation, or one on file? Or its content, where our own name was read? */
function isOwn({ match, seen }: Hit, { knownIds }: Sight): boolean {
  if (match.differs !== undefined || seen.grade === 'D') return false
  if (match.matched_by === 'key' || match.matched_by === 'operation_id') return true
  if (match.matched_by === 'digest' && seen.grade === 'B') return true
  const { kind, value, scope } = match.external_id
  return knownIds.some(
    id =>
      id.kind === kind &&
      id.value === value &&
      (id.scope === undefined || scope === undefined || id.scope === scope),
  )
}

/** Hits that are another operation's already: a look-alike of theirs is nothing to us. */
export function isForeign({ match }: Hit, { boundTo }: Sight): boolean {
  return boundTo(match.external_id) !== null
}

export function isMarked({ match }: Hit): boolean {
  return match.matched_by === 'key' || match.matched_by === 'operation_id'
}

export function hitsOf(answers: readonly AnsweredSeen[]): Hit[] {
  return answers.flatMap(seen => seen.matches.map(match => ({ match, seen })))
}

/** What of this look is the operation's own and nobody else's. */
export function ownHits(sight: Sight): Hit[] {
  return hitsOf(sight.answers).filter(hit => isOwn(hit, sight) && !isForeign(hit, sight))
}

export const boundElsewhere: VerdictRule = {
  id: 'bound_elsewhere',
  title: 'what carries its id is on record as the object of another operation',
  reason:
    'One object cannot be the effect of two operations: one record is wrong, and which one no service can say.',
  judge: sight => {
    const taken = hitsOf(sight.answers).filter(hit => isMarked(hit) && isForeign(hit, sight))
    const [first] = taken
    if (first === undefined) return null
    const other = sight.boundTo(first.match.external_id)
    return inconclusive(`${idText(first.match.external_id)} carries its id and is on record as ${other}`, {
      candidates: taken.map(({ match }) => match),
    })
  },
}

export const found: VerdictRule = {
  id: 'found',
  title: 'one object carries its key, its id, or its content under its own name',
  reason:
    'The key and the id are made for this operation alone. A digest is no one’s own: it counts where our own name was read, in lists it makes a candidate. A hit of a search is read again by its id first.',
  judge: sight => {
    const own = ownHits(sight)
    const ids = distinct(own.map(({ match }) => match.external_id))
    const [id] = ids
    if (id === undefined || ids.length > 1) return null
    const best = own.find(hit => isMarked(hit)) ?? own[0]
    const by = best?.match.matched_by === 'digest' ? 'content under its own name' : 'key or id'
    const beside = namesakes(sight, id)
    const others = beside.length === 0 ? '' : `; another object has the same name: ${beside.join(', ')}`
    return confirmed(sight, ids, `${idText(id)} was found by its ${by}${others}`)
  },
}

/** Where its own name was read and more than one stood under it: whoever reads by that name may get the other. */
function namesakes(sight: Sight, own: ExternalId): string[] {
  const hits = hitsOf(sight.answers).filter(hit => hit.seen.grade === 'B' && !isForeign(hit, sight))
  const ids = distinct(hits.map(({ match }) => match.external_id))
  return ids.map(idText).filter(text => text !== idText(own))
}

export const duplicates: VerdictRule = {
  id: 'duplicates',
  title: 'several objects carry its key or its id',
  reason:
    'It took effect more than once. That it did is certain, which one was meant nobody can say: all are kept, none is chosen, and a person looks.',
  judge: sight => {
    const ids = distinct(ownHits(sight).map(({ match }) => match.external_id))
    if (ids.length < 2) return null
    return confirmed(sight, ids, `${ids.length} found for 1 intended: ${ids.map(idText).join(', ')}`)
  },
}

export const candidates: VerdictRule = {
  id: 'candidates',
  title: 'what was found only looks alike, was found by a search, or is something else under its name',
  reason:
    'Equal titles, amounts and contents happen, and an index can be behind or ahead of what it lists: a person compares.',
  judge: sight => {
    const hits = hitsOf(sight.answers).filter(hit => !isForeign(hit, sight))
    const list = distinctMatches(hits.map(({ match }) => match))
    const [first] = list
    if (first === undefined) return null
    const other = list.find(({ differs }) => differs !== undefined)
    if (other !== undefined)
      return inconclusive(
        `someone else's content stands under its name: ${idText(other.external_id)}: ${other.differs}`,
        { candidates: list },
      )
    // Where it was read otherwise than by a search, what carries a mark and is as it was asked for was found above.
    const named = hits.find(isMarked)
    if (named !== undefined)
      return inconclusive(
        `a search names ${idText(named.match.external_id)}: it counts once it is read by its id`,
        { candidates: list },
      )
    const what =
      list.length === 1
        ? `${idText(first.external_id)} looks like it, and carries no mark of this operation`
        : `${list.length} objects look like it, and none carries a mark of this operation`
    return inconclusive(`${what}: a person compares`, { candidates: list })
  },
}

function confirmed(sight: Sight, ids: readonly ExternalId[], reason: string): Finding {
  const result = resultOf(ownHits(sight).map(({ seen }) => seen))
  return {
    verdict: 'confirmed',
    reason,
    external_ids: ids,
    duplicates: ids.length > 1,
    // Which of several is the one a resumed run should get, nobody can say.
    ...(result === undefined || ids.length > 1 ? {} : { result }),
  }
}

export function resultOf(answers: readonly AnsweredSeen[]): JsonValue | undefined {
  return answers.find(({ result }) => result !== undefined)?.result
}

/** The same object can stand on two pages of one list. */
export function distinct(ids: readonly ExternalId[]): ExternalId[] {
  return ids.filter((id, i) => ids.findIndex(other => isSame(other, id)) === i)
}

function distinctMatches(matches: readonly Match[]): Match[] {
  return matches.filter(
    ({ external_id }, i) => matches.findIndex(other => isSame(other.external_id, external_id)) === i,
  )
}

function isSame(a: ExternalId, b: ExternalId): boolean {
  return a.kind === b.kind && a.value === b.value && (a.scope ?? '') === (b.scope ?? '')
}

export function idText({ kind, value }: ExternalId): string {
  return `${kind} ${value}`
}
