import {
  groupByCause,
  type ListDocument,
  type ListedOperation,
  type ListedTask,
  listedOperation,
} from '../../core/documents/list.js'
import type { OperationStatus } from '../../core/operation.js'
import type { StallRuleId } from '../../core/stall/rule.js'
import { ofKnownTask } from './find-id.js'
import { firstOf, type LeftOut, rowsOf, type Troubled, troubleOf, type Wanted } from './rows.js'
import type { LookingSession } from './session.js'
import { listedTasks } from './stalled-tasks.js'
import { type Look, lookNow } from './view.js'

/** Which operations to list. Without a filter of its own: what needs a person, riskiest first. */
export interface ListQuery {
  /**
   * `attention`: what needs a person, what is stalled too · `unknown`: in doubt · `open`: not settled · `stalled` ·
   * `all`: history too
   */
  readonly show?: 'attention' | 'unknown' | 'open' | 'stalled' | 'all'
  /** of `stalled`: only by this rule */
  readonly rule?: StallRuleId
  readonly statuses?: readonly OperationStatus[]
  readonly taskId?: string
  readonly tool?: string
  /** a value, or kind=value */
  readonly externalId?: string
  /** rule of the last error, tool and host, as lists print it */
  readonly cause?: string
  /** settled by a person, whatever became of it since; looks through all of history */
  readonly byHand?: boolean
  /** changed at or after, milliseconds since 1970 UTC */
  readonly since?: number
  /** written down at or before, milliseconds since 1970 UTC */
  readonly before?: number
  readonly sort?: 'risk' | 'age' | 'id'
  readonly groupBy?: 'cause'
  /** default: none */
  readonly limit?: number
  /** what a limit leaves out is counted so far at most; default: all of what is open, 10,000 of history */
  readonly countUpTo?: number
}

/** The rows of a list one by one, and what is known once they were read. */
export interface Listing {
  readonly rows: AsyncIterable<ListedOperation>
  readonly leftOut: () => LeftOut
  /** tasks that stand still or go round; empty where stalled ones were not asked for */
  readonly stalledTasks: () => Promise<readonly ListedTask[]>
  readonly summary: () => Summary
}

/** Of all that the list holds, what a limit left out included. */
export interface Summary {
  readonly count: number
  readonly oldest_age_ms: number
  /** the most frequent first; empty where not every row was seen */
  readonly tools: readonly (readonly [tool: string, count: number])[]
}

/** Streams in constant memory: for lists of any length. Its rows reject with not_found for a task that is not there. */
export function listing(session: LookingSession, asked: ListQuery): Listing {
  let leftOut: LeftOut = { count: 0, isLeast: false }
  let isCut = false
  const seen = { count: 0, oldest_age_ms: 0, tools: new Map<string, number>() }
  const see = ({ tool, age_ms }: ListedOperation) => {
    seen.count++
    seen.oldest_age_ms = Math.max(seen.oldest_age_ms, age_ms)
    seen.tools.set(tool, (seen.tools.get(tool) ?? 0) + 1)
  }
  async function* rows(): AsyncGenerator<ListedOperation> {
    const query = await ofKnownTask(session.store, asked)
    const look = await lookNow(session)
    const { limit } = query
    if (limit !== undefined && scopeOf(query) !== 'attention' && query.cause === undefined) {
      const first = firstOf(session.store, { ...wantedOf(query), limit }, look)
      for (;;) {
        const next = await first.next()
        if (next.done) {
          leftOut = next.value
          isCut = leftOut.count > 0
          return
        }
        const row = listedOperation(next.value, look)
        see(row)
        yield row
      }
    }
    for await (const row of matching(session, query, look)) {
      if (limit === undefined || seen.count < limit) yield row
      else leftOut = { count: leftOut.count + 1, isLeast: false }
      see(row)
    }
  }
  return {
    rows: rows(),
    leftOut: () => leftOut,
    stalledTasks: () => stalledTasksOf(session, asked),
    summary: () => ({
      count: seen.count + (isCut ? leftOut.count : 0),
      oldest_age_ms: seen.oldest_age_ms,
      tools: isCut ? [] : [...seen.tools].sort((a, b) => b[1] - a[1]),
    }),
  }
}

/** The whole list as its document. @throws LedgerError not_found for a task that is not there */
export async function list(session: LookingSession, query: ListQuery): Promise<ListDocument> {
  const { rows, leftOut, stalledTasks } = listing(session, query)
  const operations: ListedOperation[] = []
  for await (const row of rows) operations.push(row)
  const groups = query.groupBy === 'cause' ? { groups: groupByCause(operations) } : {}
  const { count, isLeast } = leftOut()
  const tasks = asksForTasks(query) ? { stalled_tasks: await stalledTasks() } : {}
  return { operations, ...groups, ...tasks, left_out: count, ...(isLeast ? { left_out_is_least: true } : {}) }
}

/** Without a filter that only operations have. */
export function asksForTasks(query: ListQuery): boolean {
  const { show = 'attention', statuses, tool, externalId, cause, byHand, since, before, groupBy } = query
  const filters = [statuses, tool, externalId, cause, byHand, since, before, groupBy]
  return (show === 'stalled' || show === 'attention') && filters.every(one => one === undefined)
}

async function stalledTasksOf(session: LookingSession, asked: ListQuery): Promise<readonly ListedTask[]> {
  if (!asksForTasks(asked)) return []
  const { rule, taskId } = await ofKnownTask(session.store, asked)
  return listedTasks(session.store, await lookNow(session), {
    ...(rule === undefined ? {} : { rule }),
    ...(taskId === undefined ? {} : { taskId }),
  })
}

async function* matching(
  { store }: LookingSession,
  query: ListQuery,
  look: Look,
): AsyncGenerator<ListedOperation> {
  const wanted = wantedOf(query)
  if (wanted.scope !== 'attention') {
    for await (const view of rowsOf(store, wanted, look)) {
      const row = listedOperation(view, look)
      if (isOfCause(row, query)) yield row
    }
    return
  }
  for await (const { view, scope } of troubleOf(store, wanted, look)) {
    const row = listedOperation(view, look)
    if (isShown(row, scope, query) && isOfCause(row, query)) yield row
  }
}

// A repeat of which both are settled is told where it is asked for: nothing would ever take it out of the queue.
function isShown(
  { stalled_by }: ListedOperation,
  scope: Troubled['scope'],
  { show, rule }: ListQuery,
): boolean {
  if (show === 'stalled') return stalled_by.some(stall => rule === undefined || stall.rule === rule)
  return scope === 'attention' || (scope === 'moving' && stalled_by.length > 0)
}

function isOfCause(row: ListedOperation, { cause }: ListQuery): boolean {
  return cause === undefined || row.cause === cause
}

function wantedOf(query: ListQuery): Wanted {
  const { statuses, taskId, tool, externalId, byHand, since, before, countUpTo, sort = 'risk' } = query
  return {
    scope: scopeOf(query),
    sort,
    ...(statuses === undefined ? {} : { statuses }),
    ...(taskId === undefined ? {} : { task_id: taskId }),
    ...(tool === undefined ? {} : { tool }),
    ...(externalId === undefined ? {} : { external_id: externalId }),
    ...(byHand ? { by_hand: true as const } : {}),
    ...(since === undefined ? {} : { since }),
    ...(before === undefined ? {} : { before }),
    ...(countUpTo === undefined ? {} : { count_up_to: countUpTo }),
  }
}

/** A status, and a thing somebody knows the name of, are sought in all of history. */
function scopeOf({ show = 'attention', statuses, externalId, byHand }: ListQuery): Wanted['scope'] {
  if (show === 'unknown') return 'in_doubt'
  if (show === 'open') return 'open'
  if (show === 'all') return 'all'
  if (show === 'attention' && (statuses !== undefined || externalId !== undefined || byHand)) return 'all'
  return 'attention'
}
