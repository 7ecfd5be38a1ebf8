import type { JsonValue } from '../core/json.js'

/** One object that the service holds. */
export interface RemoteObject {
  readonly id: string
  readonly collection: string
  /** given by the client (conditional mode) */
  readonly name: string | null
  /** the idempotency key it was made under (keyed mode) */
  readonly key: string | null
  /** milliseconds since 1970 UTC */
  readonly created_at: number
  readonly body: JsonValue
}

/** What truly happened outside: one entry for each object made, duplicates included. */
export interface Effect {
  /** 1, 2, 3, … */
  readonly n: number
  /** number of the call that did it */
  readonly call: number
  readonly at: number
  readonly collection: string
  readonly id: string
  readonly name: string | null
  readonly key: string | null
  readonly body: JsonValue
}

export interface NewObject {
  readonly collection: string
  readonly name: string | null
  readonly key: string | null
  readonly body: JsonValue
  readonly call: number
}

/** The true state of the outside world; it knows no network and no faults. */
export interface World {
  create(object: NewObject): RemoteObject
  /** in the order they were made, none younger than `before` */
  objects(collection: string, before: number): RemoteObject[]
  effects(): Effect[]
}

export function createWorld(clock: () => number): World {
  const objects: RemoteObject[] = []
  const effects: Effect[] = []
  return {
    create({ call, ...given }) {
      const made = objects.filter(({ collection }) => collection === given.collection).length
      const object = { ...given, id: idOf(given.collection, made + 1), created_at: clock() }
      const { id, collection, name, key, body } = object
      objects.push(object)
      effects.push({ n: effects.length + 1, call, at: object.created_at, collection, id, name, key, body })
      return object
    },
    objects: (collection, before) =>
      objects.filter(object => object.collection === collection && object.created_at <= before),
    effects: () => [...effects],
  }
}

/** `tickets`, 3 → `TICKET-3`. */
function idOf(collection: string, n: number): string {
  return `${collection.replace(/s$/, '').toUpperCase()}-${n}`
}
