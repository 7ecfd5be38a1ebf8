import { OPERATION_STATUSES, type OperationStatus } from '../../core/operation.js'
import type { Param } from '../engine.js'
import type { OperationQuery } from '../store.js'
import { isApproved } from './approvals.js'
import { literals, type Params } from './params.js'

/*
 * A scope is a union of branches that do not overlap; each reads one index, named so that a missing one is an
 * error and not a slow answer. PostgreSQL has no INDEXED BY and no json_each: its engine writes those otherwise.
 */

/** One `select` a branch: the keys of the order and the seq of each operation that belongs to the list. */
export function branchesOf(asked: Asked, params: Params): string[] {
  const filters = [...filtersOf(asked, params), ...afterOf(asked, params)]
  const all =
    asked.external_id !== undefined
      ? [byExternalId(asked.external_id, params)]
      : asked.scope === 'all'
        ? historyBranches(asked, params)
        : asked.scope === 'repeated'
          ? repeatedBranches(asked, params)
          : openBranches(asked, params)
  return all.flatMap(({ from, where, statuses }) => {
    const wanted = statuses.filter(status => asked.statuses?.includes(status) ?? true)
    if (wanted.length === 0) return []
    const status = wanted.length < statuses.length ? [`status in (${literals(wanted)})`] : []
    return [selectOf({ from, where: [...where, ...status, ...filters] })]
  })
}

// Row values: SQLite (https://www.sqlite.org/rowvalue.html) and PostgreSQL both seek by them in an index.
const KEYS: Readonly<Record<OperationQuery['sort'], string>> = {
  risk: 'risk_rank, risk_amount, created_at, seq',
  age: 'created_at, seq',
  id: 'operation_id',
}

/** The order of a list, for its pages too: `order by`. */
export function orderOf({ sort }: Pick<OperationQuery, 'sort'>): string {
  return KEYS[sort]
}

function afterOf({ position, sort }: Asked, params: Params): string[] {
  if (position === null) return []
  return [`(${KEYS[sort]}) > (${position.map(value => params.add(value)).join(', ')})`]
}

/** The query, with the first event at or after its `since` looked up. */
export interface Asked extends OperationQuery {
  /** the keys of the last operation of the page before, in the order asked for; null for the first page */
  readonly position: readonly Param[] | null
  readonly sinceSeq: number | null
}

interface Branch {
  /** after `from`, with its index */
  readonly from: string
  readonly where: readonly string[]
  /** the statuses that rows of this branch can have */
  readonly statuses: readonly OperationStatus[]
}

function selectOf({ from, where }: Pick<Branch, 'from' | 'where'>): string {
  return `
select risk_rank, risk_amount, created_at, operation_id, seq
from ${from}
where ${where.length === 0 ? 'true' : where.join('\n  and ')}`
}

const OPEN: readonly OperationStatus[] = ['prepared', 'in_flight', 'unknown']
const SETTLED: readonly OperationStatus[] = ['confirmed', 'not_executed', 'cancelled', 'abandoned']

function openBranches(asked: OperationQuery, params: Params): Branch[] {
  const branches = openBranchesOf(asked, params)
  return asked.task_id === undefined ? branches : ofOneTask(branches, asked.task_id, params)
}

function openBranchesOf(asked: OperationQuery, params: Params): Branch[] {
  switch (asked.scope) {
    case 'open':
      return [...PREPARED_OR_UNKNOWN_IN_DOUBT, inFlight([]), preparedWaiting([])]
    case 'moving':
      return movingBranches(asked, params)
    case 'in_doubt':
      return [...PREPARED_OR_UNKNOWN_IN_DOUBT, inFlight([isOrphaned(asked, params)])]
    default:
      return [
        ...PREPARED_OR_UNKNOWN_IN_DOUBT,
        inFlight([isOrphaned(asked, params)]),
        ...askingForAPerson(asked, params),
      ]
  }
}

const PREPARED_OR_UNKNOWN_IN_DOUBT: readonly Branch[] = [
  branch('operation_unknown', ["status = 'unknown'"], ['unknown']),
  branch('operation_prepared_in_doubt', ["status = 'prepared'", 'may_have_applied = 1'], ['prepared']),
]

function inFlight(where: readonly string[]): Branch {
  return branch('operation_in_flight', ["status = 'in_flight'", ...where], ['in_flight'])
}

function preparedWaiting(where: readonly string[]): Branch {
  const waits = ["status = 'prepared'", 'may_have_applied = 0']
  return branch('operation_prepared_waiting', [...waits, ...where], ['prepared'])
}

const isHere = 'incarnation >= (select incarnation from ledger_meta where one = 1)'
const ASKS_APPROVAL = ['awaits_approval = 1', 'may_have_applied = 0']

/** Approved and not sent yet: it waits for its run, not for a person. */
function approvedAt({ now }: Pick<OperationQuery, 'now'>, params: Params): string {
  return isApproved(params.add(now.at))
}

/** What attention leaves of what is open. A lease that was never taken makes the condition null, not false. */
function movingBranches(asked: OperationQuery, params: Params): Branch[] {
  const { now, quiet_since } = asked
  const quiet = quiet_since === undefined ? [] : [mayStandStill({ now, quiet_since }, params)]
  return [
    inFlight([`not coalesce(${isOrphaned(asked, params)}, false)`, ...quiet]),
    preparedWaiting(['awaits_approval = 0', isHere, ...quiet]),
    branch(
      'operation_awaits_approval',
      [...ASKS_APPROVAL, approvedAt(asked, params), isHere, ...quiet],
      ['prepared'],
    ),
  ]
}

/**
 * Without a fresh event, or with a time, a limit or a repeat of its own: all that a rule of core/stall can find. What
 * another system wrote down changed when that says, and not when it was taken in.
 */
function mayStandStill(
  { now, quiet_since }: Required<Pick<OperationQuery, 'now' | 'quiet_since'>>,
  params: Params,
): string {
  const at = params.add(now.at)
  return `(
    updated_at <= ${params.add(quiet_since)}
    or deadline_at <= ${at}
    or next_attempt_at <= ${at}
    or (status = 'in_flight' and timeout_ms is not null)
    or attempt > 1
    or same_as is not null
    or provenance = 'imported'
    or json_extract(contract, '$.stall') is not null
    or json_extract(contract, '$.keeps_ms') is not null
    or task_id in (
      select task_id from ledger_task indexed by task_open where closed_at is null and deadline_at <= ${at}
    )
  )`
}

/** Not in doubt, yet nothing goes on without a person: the flags of settled ones, approvals, what a copy holds back. */
function askingForAPerson(asked: OperationQuery, params: Params): Branch[] {
  const waits = ["status = 'prepared'", 'may_have_applied = 0']
  return [
    branch('operation_flagged', ['is_flagged = 1', `status in (${literals(SETTLED)})`], SETTLED),
    branch(
      'operation_awaits_approval',
      [...ASKS_APPROVAL, `not (${approvedAt(asked, params)} and ${isHere})`],
      ['prepared'],
    ),
    branch(
      'operation_incarnation',
      [...waits, 'awaits_approval = 0', 'incarnation < (select incarnation from ledger_meta where one = 1)'],
      ['prepared'],
    ),
  ]
}

function branch(index: string, where: readonly string[], statuses: readonly OperationStatus[]): Branch {
  return { from: `ledger_operation indexed by ${index}`, where, statuses }
}

/** A task's open operations stand together in one index; only flagged ones may be settled. */
function ofOneTask(branches: readonly Branch[], task_id: string, params: Params): Branch[] {
  const isTask = `task_id = ${params.add(task_id)}`
  const isFlagged = ({ statuses }: Branch) => statuses === SETTLED
  const open = branches.filter(each => !isFlagged(each))
  const conditions = open.map(({ where }) => `(${where.join(' and ')})`).join('\n    or ')
  return [
    {
      from: 'ledger_operation indexed by operation_open',
      where: [isTask, `status in (${literals(OPEN)})`, `(${conditions})`],
      statuses: OPEN,
    },
    ...branches.filter(isFlagged).map(each => ({ ...each, where: [...each.where, isTask] })),
  ]
}

function repeatedBranches({ task_id }: OperationQuery, params: Params): Branch[] {
  const ofTask = task_id === undefined ? [] : [`task_id = ${params.add(task_id)}`]
  const where = ['same_as is not null', 'is_flagged = 0', `status in (${literals(SETTLED)})`, ...ofTask]
  return [branch('operation_repeated', where, SETTLED)]
}

function historyBranches(asked: Asked, params: Params): Branch[] {
  if (asked.task_id !== undefined)
    return [
      {
        from: 'ledger_operation indexed by operation_of_task',
        where: [`task_id = ${params.add(asked.task_id)}`],
        statuses: OPERATION_STATUSES,
      },
    ]
  if (asked.sinceSeq !== null) return [changedSince(asked.sinceSeq, params)]
  if (asked.statuses !== undefined) return asked.statuses.flatMap(status => BY_STATUS[status])
  return [{ from: `ledger_operation${HISTORY_INDEX[asked.sort]}`, where: [], statuses: OPERATION_STATUSES }]
}

/** What was updated since has an event since: history is not searched for it. */
function changedSince(seq: number, params: Params): Branch {
  const events = `select subject_id from ledger_event where seq >= ${params.add(seq)} and subject = 'operation'`
  return { from: 'ledger_operation', where: [`operation_id in (${events})`], statuses: OPERATION_STATUSES }
}

/** The order of age is that of seq: creation times never run below the last commit. */
const HISTORY_INDEX: Readonly<Record<OperationQuery['sort'], string>> = {
  risk: ' indexed by operation_risk',
  age: '',
  id: '',
}

const BY_STATUS: Readonly<Record<OperationStatus, readonly Branch[]>> = {
  unknown: [branch('operation_unknown', ["status = 'unknown'"], ['unknown'])],
  in_flight: [branch('operation_in_flight', ["status = 'in_flight'"], ['in_flight'])],
  prepared: [
    branch('operation_prepared_in_doubt', ["status = 'prepared'", 'may_have_applied = 1'], ['prepared']),
    branch('operation_prepared_waiting', ["status = 'prepared'", 'may_have_applied = 0'], ['prepared']),
  ],
  confirmed: [branch('operation_risk', ["status = 'confirmed'"], ['confirmed'])],
  not_executed: [settledOtherwise('not_executed')],
  cancelled: [settledOtherwise('cancelled')],
  abandoned: [settledOtherwise('abandoned')],
}

function settledOtherwise(status: OperationStatus): Branch {
  // the partial index is used only where its own condition stands in the query word for word
  const isOther = "status in ('not_executed', 'cancelled', 'abandoned')"
  return branch('operation_settled_otherwise', [isOther, `status = '${status}'`], [status])
}

/** `value`, or `kind=value`; a value may itself hold a `=`. */
function byExternalId(external_id: string, params: Params): Branch {
  const whole = `value = ${params.add(external_id)}`
  const cut = external_id.indexOf('=')
  const named =
    cut < 0
      ? ''
      : ` or (value = ${params.add(external_id.slice(cut + 1))} and kind = ${params.add(external_id.slice(0, cut))})`
  return {
    from: 'ledger_operation',
    where: [`operation_id in (select operation_id from ledger_external_ref where ${whole}${named})`],
    statuses: OPERATION_STATUSES,
  }
}

function filtersOf(asked: OperationQuery, params: Params): string[] {
  const { external_id, task_id, tool, by_hand, since, before, scope } = asked
  return [
    ...(external_id !== undefined && scope !== 'all' ? [`(${scopeCondition(asked, params)})`] : []),
    ...(external_id !== undefined && task_id !== undefined ? [`task_id = ${params.add(task_id)}`] : []),
    ...(by_hand ? ['by_hand is not null'] : []),
    ...(tool === undefined ? [] : [`tool = ${params.add(tool)}`]),
    ...(since === undefined ? [] : [`updated_at >= ${params.add(since)}`]),
    ...(before === undefined ? [] : [`created_at <= ${params.add(before)}`]),
  ]
}

/** The branches of a scope as one condition, for the few rows that carry an external id. */
function scopeCondition(asked: OperationQuery, params: Params): string {
  const anyTask = { ...asked, task_id: undefined }
  const branches =
    asked.scope === 'repeated' ? repeatedBranches(anyTask, params) : openBranches(anyTask, params)
  return branches.map(({ where }) => `(${where.join(' and ')})`).join(' or ')
}

/** `isOrphaned` of core/in-doubt.ts in SQL: the lease lapsed by both clocks, or its owner is gone. */
export function isOrphaned(
  { now, goneOwners }: Pick<OperationQuery, 'now' | 'goneOwners'>,
  params: Params,
): string {
  const boot = params.add(now.boot_id)
  return `(
    (
      lease_expires_at <= ${params.add(now.at)}
      and (
        lease_boot_id is null
        or lease_boot_id <> ${boot}
        or lease_boot_ms is null
        or lease_boot_ms <= ${params.add(now.boot_ms)}
      )
    )
    or lease_owner in (select value from json_each(${params.add(JSON.stringify(goneOwners))}))
  )`
}
