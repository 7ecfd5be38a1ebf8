import type { JsonValue } from '../core/json.js'
import { type Fault, pick } from './fault.js'
import { type Answer, createKeys, type Mode } from './keys.js'
import type { Asked } from './route.js'
import type { RemoteObject, World } from './world.js'

export interface Writing {
  /** number of the call */
  readonly call: number
  readonly key: string | null
  readonly onlyIfAbsent: boolean
  readonly body: JsonValue
}

/** A write, done. `finish` is told what the service keeps as its answer; until then the key is in flight. */
export interface Written {
  readonly answer: Answer
  readonly finish: (kept: Answer) => void
}

/** What the service does once a request has reached it, by its mode. */
export interface Work {
  write(asked: Asked, writing: Writing): Written
  lookUp(asked: Asked, faults: readonly Fault[]): Answer
}

interface Place {
  readonly world: World
  readonly mode: Mode
  readonly clock: () => number
  /** `http://127.0.0.1:<port>` */
  readonly base: () => string
}

export function createWork({ world, mode, clock, base }: Place): Work {
  const keys = createKeys(mode.kind === 'keyed' ? mode.retention_ms : 0, clock)
  return {
    write(asked, writing) {
      switch (mode.kind) {
        case 'plain':
          return done(make(asked, writing))
        case 'conditional':
          return done(makeIfAbsent(asked, writing))
        case 'keyed':
          return makeUnderKey(asked, writing)
      }
    },
    lookUp(asked, faults) {
      const lag = Math.max(0, ...pick(faults, 'lag').map(({ ms }) => ms))
      const seen = world.objects(asked.collection, clock() - lag)
      if (asked.action === 'get') return read(seen, asked.name)
      const isAmbiguous = pick(faults, 'ambiguous').length > 0
      const found = isAmbiguous
        ? seen
        : seen.filter(object => asked.filters.every(wanted => has(object, wanted)))
      return pageOf(found, asked, isAmbiguous)
    },
  }

  function make({ collection }: Asked, { call, body, key }: Writing): Answer {
    return created(
      world.create({ collection, name: null, key: mode.kind === 'keyed' ? key : null, body, call }),
    )
  }

  function makeIfAbsent({ collection, name }: Asked, { call, body, onlyIfAbsent }: Writing): Answer {
    if (!onlyIfAbsent) return problem(428, 'if_none_match_missing')
    const isTaken = world.objects(collection, clock()).some(object => object.name === name)
    return isTaken
      ? problem(412, 'name_is_taken')
      : created(world.create({ collection, name, key: null, body, call }))
  }

  function makeUnderKey(asked: Asked, writing: Writing): Written {
    const { key, body } = writing
    if (key === null) return done(problem(400, 'idempotency_key_missing'))
    const scoped = `${asked.collection} ${key}`
    const use = keys.use(scoped, JSON.stringify(body))
    switch (use.kind) {
      case 'first':
        return { answer: make(asked, writing), finish: kept => keys.finish(scoped, kept) }
      case 'replay':
        return done({ ...use.answer, headers: { ...use.answer.headers, 'idempotent-replayed': 'true' } })
      case 'in_flight':
        return done(problem(409, 'key_is_in_flight'))
      case 'mismatch':
        return done(problem(422, 'key_has_other_parameters'))
    }
  }

  function created(object: RemoteObject): Answer {
    return { status: 201, headers: { location: urlOf(object) }, body: shown(object) }
  }

  function read(seen: readonly RemoteObject[], name: string | null): Answer {
    const object = seen.find(({ id, name: own }) => id === name || own === name)
    return object === undefined ? problem(404, 'not_found') : ok(shown(object))
  }

  function pageOf(found: readonly RemoteObject[], asked: Asked, isAmbiguous: boolean): Answer {
    const { page, perPage, collection, filters } = asked
    const items = found.slice((page - 1) * perPage, page * perPage).map(shown)
    const query = new URLSearchParams([
      ...filters.map(([field, value]): [string, string] => [field, value]),
      ['page', `${page + 1}`],
      ['per_page', `${perPage}`],
    ])
    const next = found.length > page * perPage ? `${base()}/${encodeURIComponent(collection)}?${query}` : null
    return ok({
      items: isAmbiguous ? items.map(item => ({ ...item, key: null, name: null })) : items,
      next,
      complete: !isAmbiguous,
    })
  }

  function shown({ id, collection, name, key, created_at, body }: RemoteObject) {
    const url = urlOf({ collection, id })
    return { id, url, name, key, created_at: new Date(created_at).toISOString(), body }
  }

  function urlOf({ collection, id }: Pick<RemoteObject, 'collection' | 'id'>): string {
    return `${base()}/${encodeURIComponent(collection)}/${encodeURIComponent(id)}`
  }
}

function has(object: RemoteObject, [field, value]: readonly [string, string]): boolean {
  if (field === 'key' || field === 'name') return object[field] === value
  const { body } = object
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return false
  return Object.entries(body).some(([name, held]) => name === field && String(held) === value)
}

function done(answer: Answer): Written {
  return { answer, finish: () => {} }
}

function ok(body: unknown): Answer {
  return { status: 200, headers: {}, body }
}

export function problem(status: number, code: string): Answer {
  return { status, headers: {}, body: { error: code } }
}
