import type { Action } from './fault.js'
import type { Mode } from './keys.js'

/** A request, understood. */
export interface Asked {
  readonly action: Action
  readonly collection: string
  /** the last part of the path: an id to read, or the name to make; null for a whole collection */
  readonly name: string | null
  /** `key`, `name`, or a field of the body, each with the value wanted */
  readonly filters: readonly (readonly [field: string, value: string])[]
  readonly page: number
  readonly perPage: number
}

const PER_PAGE = { usual: 30, most: 100 } as const
const PAGING = ['page', 'per_page']

/** null: the service has no such path, or not in this mode. */
export function routeOf(method: string, url: URL, mode: Mode): Asked | null {
  const [collection, name, ...rest] = url.pathname.slice(1).split('/').map(decoded)
  if (collection === undefined || collection === '' || name === '' || rest.length > 0) return null
  const filters = [...url.searchParams].filter(([field]) => !PAGING.includes(field))
  const action = actionOf(method, name !== undefined, filters.length > 0, mode)
  return action === null
    ? null
    : { action, collection, name: name ?? null, filters, ...pagingOf(url.searchParams) }
}

function actionOf(method: string, isNamed: boolean, isFiltered: boolean, mode: Mode): Action | null {
  if (method === 'GET') return isNamed ? 'get' : isFiltered ? 'find' : 'list'
  if (mode.kind === 'conditional') return method === 'PUT' && isNamed ? 'create' : null
  return method === 'POST' && !isNamed ? 'create' : null
}

function pagingOf(query: URLSearchParams) {
  return {
    page: natural(query.get('page'), 1),
    perPage: Math.min(natural(query.get('per_page'), PER_PAGE.usual), PER_PAGE.most),
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function natural(text: string | null, otherwise: number): number {
  return text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : otherwise
}
