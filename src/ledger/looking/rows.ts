import type { OperationView } from '../../core/documents/sight.js'
import type { OperationOutline } from '../../core/operation.js'
import { byRisk } from '../../core/risk.js'
import { quietSince } from '../../core/stall/limits.js'
import type { OperationQuery, StoreReader } from '../../store/store.js'
import { type Look, viewsOf } from './view.js'

/** What a list asks for; the rest of a store's query follows from the look. */
export type Wanted = Pick<OperationQuery, 'scope' | 'sort'> &
  Partial<
    Pick<
      OperationQuery,
      | 'statuses'
      | 'task_id'
      | 'tool'
      | 'external_id'
      | 'by_hand'
      | 'since'
      | 'before'
      | 'quiet_since'
      | 'count_up_to'
    >
  >

/**
 * Rows read at once: enough that a query costs little a row, few enough that memory stays flat. More than the 500 that the
 * screen shows at first, which learns from one row more whether others follow.
 */
const PAGE = 512

/** Every row of a scope in the order asked for, page by page: whatever their number, memory holds one page. */
export async function* rowsOf(store: StoreReader, wanted: Wanted, look: Look): AsyncGenerator<OperationView> {
  for await (const operations of pagesOf(store, wanted, look))
    yield* await viewsOf(store, operations, look.look.now.at)
}

/** The same without what stands beside the rows. */
export async function* outlinesOf(
  store: StoreReader,
  wanted: Wanted,
  look: Look,
): AsyncGenerator<OperationOutline> {
  for await (const operations of pagesOf(store, wanted, look)) yield* operations
}

async function* pagesOf(
  store: StoreReader,
  wanted: Wanted,
  look: Look,
): AsyncGenerator<readonly OperationOutline[]> {
  let after: string | undefined
  for (;;) {
    const { operations } = await store.operations({
      ...queryOf(wanted, look),
      limit: PAGE,
      uncounted: true,
      ...(after === undefined ? {} : { after }),
    })
    yield operations
    after = operations.at(-1)?.operation_id
    if (operations.length < PAGE) return
  }
}

/** The first rows of a scope, page by page too: a limit may be a large number. Returns what it leaves out. */
export async function* firstOf(
  store: StoreReader,
  { limit, ...wanted }: Wanted & { readonly limit: number },
  look: Look,
): AsyncGenerator<OperationView, LeftOut> {
  let after: string | undefined
  for (let left = limit; ; ) {
    const size = Math.min(PAGE, left)
    const { operations, left_out, left_out_is_least } = await store.operations({
      ...queryOf(wanted, look),
      limit: size,
      ...(size < left ? { uncounted: true } : {}),
      ...(after === undefined ? {} : { after }),
    })
    yield* await viewsOf(store, operations, look.look.now.at)
    left -= operations.length
    after = operations.at(-1)?.operation_id
    if (left === 0 || operations.length < size) return { count: left_out, isLeast: left_out_is_least }
  }
}

export interface LeftOut {
  readonly count: number
  /** counting stopped there: at least so many */
  readonly isLeast: boolean
}

/** A row, and the scope it came from. */
export interface Troubled {
  readonly view: OperationView
  readonly scope: (typeof TROUBLED)[number]
}

const TROUBLED = ['attention', 'moving', 'repeated'] as const

/** What needs a person, what may stand still, and settled repeats: scopes that do not overlap, merged into one order. */
export function troubleOf(
  store: StoreReader,
  wanted: Omit<Wanted, 'scope'>,
  look: Look,
): AsyncGenerator<Troubled> {
  const quiet_since = quietSince(look.stall, look.look.now.at)
  const sources = TROUBLED.map(scope => {
    const quiet = scope === 'moving' ? { quiet_since } : {}
    return tagged(rowsOf(store, { ...wanted, ...quiet, scope }, look), scope)
  })
  return merged(sources, ORDERS[wanted.sort])
}

async function* tagged(
  views: AsyncGenerator<OperationView>,
  scope: Troubled['scope'],
): AsyncGenerator<Troubled> {
  for await (const view of views) yield { view, scope }
}

function queryOf(wanted: Wanted, look: Look): Omit<OperationQuery, 'limit'> {
  return { ...wanted, now: look.look.now, goneOwners: look.goneOwners }
}

type Order = (a: OperationOutline, b: OperationOutline) => number

// The orders of the store. Rows that are equal in them may come in any order, as long as it is always the same.
const ORDERS: Readonly<Record<OperationQuery['sort'], Order>> = {
  risk: byRisk,
  age: (a, b) => a.created_at - b.created_at,
  id: (a, b) => (a.operation_id < b.operation_id ? -1 : 1),
}

async function* merged(sources: readonly AsyncGenerator<Troubled>[], order: Order): AsyncGenerator<Troubled> {
  const open: { source: AsyncGenerator<Troubled>; head: Troubled }[] = []
  const advance = async (source: AsyncGenerator<Troubled>) => {
    const next = await source.next()
    return next.done ? undefined : { source, head: next.value }
  }
  for (const source of sources) {
    const one = await advance(source)
    if (one !== undefined) open.push(one)
  }
  for (;;) {
    const [first] = [...open].sort((a, b) => order(a.head.view.operation, b.head.view.operation))
    if (first === undefined) return
    yield first.head
    const next = await advance(first.source)
    open.splice(open.indexOf(first), 1, ...(next === undefined ? [] : [next]))
  }
}
