import { number, text } from '../cells.js'
import { outlineList } from '../columns.js'
import { type Param, query, type Sql } from '../engine.js'
import { outlineOf } from '../rows.js'
import type { OperationPage, OperationQuery } from '../store.js'
import { type Asked, branchesOf, orderOf } from './list-branches.js'
import { firstSeqSince } from './log.js'
import { Params } from './params.js'

/** Beyond so many more rows of all history the rest is not counted: "at least" is answered instead. */
export const MOST_COUNTED = 10_000

/**
 * Operations of a scope, riskiest (or oldest, or by id) first. Each branch reads one index of what is open in
 * the order asked for and stops at the limit; settled operations cost nothing unless all history is asked for.
 */
export function* operations(wanted: OperationQuery): Sql<OperationPage> {
  const isAboutAll = wanted.scope === 'all' && wanted.since !== undefined
  const position = wanted.after === undefined ? null : yield* positionOf(wanted.after, wanted)
  if (position?.length === 0) return NOTHING
  const asked = { ...wanted, position, sinceSeq: isAboutAll ? yield* firstSeqSince(wanted.since) : null }
  const params = new Params()
  const branches = branchesOf(asked, params)
  if (branches.length === 0) return NOTHING
  const order = orderOf(asked)
  const limit = asked.limit === null ? '' : `limit ${params.add(asked.limit)}`
  const keys = branches.map(
    (branch, n) => `select * from (${branch}\norder by ${order}\n${limit}) as branch_${n}`,
  )
  const rows = yield* query(
    `select ${outlineList('o')}
     from (${keys.join('\nunion all\n')}\norder by ${order}\n${limit}) as found
     join ledger_operation as o using (seq)
     order by ${order.replaceAll(/(\w+)/g, 'found.$1')}`,
    params.values,
  )
  const found = rows.map(outlineOf)
  if (asked.limit === null || found.length < asked.limit || asked.uncounted)
    return { operations: found, left_out: 0, left_out_is_least: false }
  return { operations: found, ...(yield* countLeftOut(asked, found.length)) }
}

const NOTHING: OperationPage = { operations: [], left_out: 0, left_out_is_least: false }

/**
 * Where an operation stands in the order; nothing where there is none. Read first: an index is sought by values, and by
 * what a subquery answers only in its first column, so that each page would walk through all pages before it.
 */
function* positionOf(operation_id: string, asked: Pick<OperationQuery, 'sort'>): Sql<readonly Param[]> {
  const keys = orderOf(asked)
  const [row] = yield* query(`select ${keys} from ledger_operation where operation_id = $1`, [operation_id])
  return row === undefined
    ? []
    : keys.split(', ').map(key => (key === 'operation_id' ? text(row, key) : number(row, key)))
}

function* countLeftOut(asked: Asked, shown: number): Sql<Omit<OperationPage, 'operations'>> {
  const params = new Params()
  const upTo = asked.count_up_to ?? (asked.scope === 'all' ? MOST_COUNTED : null)
  const most = upTo === null ? '' : `limit ${params.add(shown + upTo)}`
  const branches = branchesOf(asked, params)
  const [row] = yield* query(
    `select count(*) as n
     from (select seq from (${branches.join('\nunion all\n')}) as found ${most}) as counted`,
    params.values,
  )
  const left_out = Math.max(0, (row ? number(row, 'n') : shown) - shown)
  return { left_out, left_out_is_least: upTo !== null && left_out >= upTo }
}
