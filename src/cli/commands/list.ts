import {
  groupByCause,
  LIST_FIELDS,
  type ListedOperation,
  type ListedTask,
} from '../../core/documents/list.js'
import { asJson } from '../../core/documents/parts.js'
import { formatAge } from '../../core/duration.js'
import { LedgerError } from '../../core/errors.js'
import type { JsonObject } from '../../core/json.js'
import { type Safe, safe, words } from '../../core/safe-text.js'
import { STALL_RULE_IDS } from '../../core/stall/rule.js'
import { asksForTasks, type ListQuery } from '../../ledger/looking/list.js'
import type { LedgerForReading } from '../../ledger/open-for-reading.js'
import { command, type Given } from '../command.js'
import type { Deps } from '../deps.js'
import { fromOptions, withReading } from '../from.js'
import { pastMoment } from '../moments.js'
import { printDocument } from '../output/document.js'
import { printableJson } from '../output/json.js'
import { leftOutWords } from '../output/left-out.js'
import { printRows } from '../output/rows.js'
import { choice, duration, flag, someText, time, value, wholeNumber } from '../parameters.js'
import { STATUS_WORDS, statuses } from '../statuses.js'
import { GROUP_COLUMNS, OPERATION_COLUMNS, TASK_COLUMNS } from './list/columns.js'

export const list = command({
  name: 'list',
  chapter: 'Look',
  summary: 'operations; by default those that need a person, riskiest first',
  details: [
    'Without a filter: what is in doubt, what is stalled, and what waits for a person. --status, --external-id and --by-hand look through all of history, --all lists it.',
    'On a terminal the first 100 are shown unless --limit says otherwise; a pipe gets all of them.',
  ],
  args: {},
  options: {
    ...fromOptions,
    unknown: flag('in doubt: it may have taken effect, and nobody alive can tell'),
    stalled: flag('not settled and not moving, with the rule that says so'),
    rule: value('rule', 'of --stalled: by this rule only', choice(STALL_RULE_IDS), {
      choices: STALL_RULE_IDS,
    }),
    status: value('a,b', 'in one of these statuses', statuses, { choices: STATUS_WORDS }),
    task: value('task', 'of this task', someText, { completes: 'task' }),
    tool: value('tool', 'of this tool', someText),
    externalId: value('value|kind=value', 'that made or touched this object', someText),
    byHand: flag('settled by a person, whatever became of it since'),
    cause: value('cause', 'that failed of this, as --group-by cause names it', someText),
    since: value('time', 'changed since', time),
    olderThan: value('duration', 'written down longer ago', duration),
    groupBy: value('what', 'count them by what they failed of', choice(['cause']), { choices: ['cause'] }),
    sort: value('order', 'the order', choice(['risk', 'age', 'id']), {
      choices: ['risk', 'age', 'id'],
      fallback: 'risk',
    }),
    limit: value('n', 'at most so many', wholeNumber(1), { fallback: '100 on a terminal, else none' }),
    all: flag('history too, settled ones included'),
    exitCode: flag(
      'exit 10 when one listed is in doubt, 11 when one is stalled, 12 when only others are listed',
    ),
  },
  examples: [
    { line: 'agent-ledger list --unknown', does: 'what may have taken effect' },
    {
      line: 'agent-ledger list --stalled --rule heartbeat_lost',
      does: 'whose executor gives no sign of life',
    },
    { line: 'agent-ledger list --external-id ch_123', does: 'which operation made this object' },
    { line: 'agent-ledger list --by-hand', does: 'what people settled, and who' },
    { line: 'agent-ledger list --all --jsonl', does: 'all of history, streamed' },
    { line: 'agent-ledger list --unknown --group-by cause', does: 'what they failed of' },
    {
      line: 'agent-ledger list --from history.json',
      does: 'the same of another system’s records, without importing them',
    },
  ],
  documents: ['list@1'],
  fields: LIST_FIELDS,
})

/** Rows a terminal shows when nobody says how many. */
const TERMINAL_ROWS = 100

export async function run(given: Given<typeof list>, deps: Deps): Promise<number> {
  const query = queryOf(given, deps)
  return withReading(given, deps, async ledger => {
    const code =
      given.groupBy === undefined ? await rows(ledger, query, deps) : await groups(ledger, query, deps)
    return given.exitCode ? code : 0
  })
}

function queryOf(given: Given<typeof list>, { io, now, global }: Deps): ListQuery {
  const isStalled = given.stalled || given.rule !== undefined
  const asked = [given.unknown && '--unknown', isStalled && '--stalled', given.all && '--all'].filter(Boolean)
  if (asked.length > 1)
    throw new LedgerError('usage', `${asked.join(' and ')} are different lists`, {
      hint: 'Ask for one of them. Without any, list shows what is in doubt and what is stalled.',
    })
  const isTable = io.stdout.isTerminal && !global.json && !global.jsonl && given.groupBy === undefined
  const limit = given.limit ?? (isTable ? TERMINAL_ROWS : undefined)
  return {
    show: given.unknown ? 'unknown' : isStalled ? 'stalled' : given.all ? 'all' : 'attention',
    ...(given.rule === undefined ? {} : { rule: given.rule }),
    ...(given.status === undefined ? {} : { statuses: given.status }),
    ...(given.task === undefined ? {} : { taskId: given.task }),
    ...(given.tool === undefined ? {} : { tool: given.tool }),
    ...(given.externalId === undefined ? {} : { externalId: given.externalId }),
    ...(given.byHand ? { byHand: true } : {}),
    ...(given.cause === undefined ? {} : { cause: given.cause }),
    ...(given.since === undefined ? {} : { since: pastMoment(given.since, now) }),
    ...(given.olderThan === undefined ? {} : { before: now - given.olderThan }),
    ...(given.sort === undefined ? {} : { sort: given.sort }),
    ...(limit === undefined ? {} : { limit }),
  }
}

async function rows(ledger: LedgerForReading, query: ListQuery, deps: Deps): Promise<number> {
  const listing = ledger.listing(query)
  const seen = { inDoubt: false, stalled: false, any: false }
  const source = listing.rows[Symbol.asyncIterator]()
  const first = await source.next()
  const tasks = await listing.stalledTasks()
  const isNothing = first.done && tasks.length === 0
  const empty = isNothing ? await emptyWords(ledger, query) : words`no operation is listed`
  await printRows(
    {
      schema: 'list@1',
      ledger: ledger.location,
      name: 'operations',
      rows: watched(first, source, seen),
      fields: LIST_FIELDS,
      columns: OPERATION_COLUMNS,
      empty,
      rest: () => ({ ...tasksOf(tasks, query), ...restOf(listing.leftOut()) }),
      remarks: () => remarksOf(listing.summary(), listing.leftOut(), deps),
    },
    deps,
  )
  await printTasks(tasks, deps)
  return codeOf({ ...seen, any: seen.any || tasks.length > 0, stalled: seen.stalled || tasks.length > 0 })
}

function tasksOf(tasks: readonly ListedTask[], query: ListQuery): JsonObject {
  return asksForTasks(query) ? asJson({ stalled_tasks: tasks }) : {}
}

/** Tasks have other columns than operations: they follow below, and in a stream as lines of another shape. */
async function printTasks(tasks: readonly ListedTask[], deps: Deps): Promise<void> {
  const { json, jsonl, fields } = deps.global
  if (tasks.length === 0 || (json && !jsonl)) return
  if (fields !== undefined) {
    await deps.say(
      words`${tasks.length} ${tasks.length === 1 ? words`task is` : words`tasks are`} stalled: --fields leaves them out`,
    )
    return
  }
  if (jsonl) {
    const lineOf = (task: ListedTask) => printableJson(deps.redactor.json(asJson({ stalled_task: task })))
    for (const task of tasks) if (!(await deps.io.stdout.write(`${lineOf(task)}\n`))) return
    return
  }
  await deps.print(words``)
  await printRows(
    {
      schema: 'list@1',
      ledger: '',
      name: 'stalled_tasks',
      rows: tasks,
      fields: [],
      columns: TASK_COLUMNS,
      empty: words``,
    },
    deps,
  )
}

async function* watched(
  first: IteratorResult<ListedOperation, undefined>,
  source: AsyncIterator<ListedOperation, undefined>,
  seen: { inDoubt: boolean; stalled: boolean; any: boolean },
): AsyncGenerator<ListedOperation> {
  for (let next = first; !next.done; next = await source.next()) {
    seen.any = true
    seen.inDoubt ||= next.value.in_doubt
    seen.stalled ||= next.value.stalled_by.length > 0
    yield next.value
  }
}

function codeOf({ any, inDoubt, stalled }: { any: boolean; inDoubt: boolean; stalled: boolean }): number {
  if (!any) return 0
  if (inDoubt) return 10
  return stalled ? 11 : 12
}

async function groups(ledger: LedgerForReading, query: ListQuery, deps: Deps): Promise<number> {
  const { operations, left_out } = await ledger.list(query)
  const found = groupByCause(operations)
  const { json, jsonl } = deps.global
  if (json && !jsonl) {
    const body = asJson({ operations, groups: found, left_out })
    const shape = { fields: ['operations', 'groups', 'left_out'], text: () => words`` }
    await printDocument({ schema: 'list@1', ledger: ledger.location, body, ...shape }, deps)
  } else {
    await printRows(
      {
        schema: 'list@1',
        ledger: ledger.location,
        name: 'groups',
        rows: found,
        fields: ['cause', 'count', 'oldest_age_ms', 'operations'],
        columns: GROUP_COLUMNS,
        empty: words`nothing is listed`,
      },
      deps,
    )
  }
  return codeOf({
    any: operations.length > 0,
    inDoubt: operations.some(({ in_doubt }) => in_doubt),
    stalled: operations.some(({ stalled_by }) => stalled_by.length > 0),
  })
}

/** An empty list of doubts may mean that somebody is still at work: then it says until when. */
async function emptyWords(ledger: LedgerForReading, { show, ...filters }: ListQuery): Promise<Safe> {
  const { sort, limit, ...chosen } = filters
  const { statuses, externalId, byHand } = chosen
  const isHistory = statuses !== undefined || externalId !== undefined || byHand === true
  if (show === 'attention' ? isHistory : show !== 'unknown') return words`nothing is listed`
  const what = Object.keys(chosen).length === 0 ? words`nothing` : words`nothing of what was asked for`
  const nothing = show === 'unknown' ? words`${what} is in doubt` : words`${what} needs a person`
  const { count, next_lease_ends_in_ms } = await ledger.underWay()
  if (count === 0) return nothing
  if (next_lease_ends_in_ms === null)
    return words`${nothing}; ${count} in flight, of a writer that takes no leases`
  const which = count === 1 ? words`its lease` : words`the next lease`
  return words`${nothing}; ${count} in flight, ${which} ends in ${safe(formatAge(next_lease_ends_in_ms))}`
}

function restOf({ count, isLeast }: { readonly count: number; readonly isLeast: boolean }): JsonObject {
  return { left_out: count, ...(isLeast ? { left_out_is_least: true } : {}) }
}

interface Summary {
  readonly count: number
  readonly oldest_age_ms: number
  readonly tools: readonly (readonly [string, number])[]
}

/** Tools named in the line under a list that was cut. */
const NAMED_TOOLS = 3

function remarksOf(
  { count, oldest_age_ms, tools }: Summary,
  left: { count: number; isLeast: boolean },
  deps: Deps,
): Safe[] {
  if (left.count === 0) return []
  const least = left.isLeast ? words`at least ` : words``
  const more = leftOutWords(words`${least}${left.count}`, count, deps)
  if (tools.length < 2) return [more]
  const most = tools.slice(0, NAMED_TOOLS).map(([tool, n]) => words`${safe(tool)} ${n}`)
  const oldest = safe(formatAge(oldest_age_ms))
  return [words`${count} in all, the oldest ${oldest} old; most by ${safe(most.join(', '))}`, more]
}
