import { type Approval, approvalFor } from '../../core/approval.js'
import { approvalDigest } from '../../core/approval-digest.js'
import type { Undoing } from '../../core/compensation.js'
import type { ExternalId, Intent, Operation } from '../../core/operation.js'
import { destinationOf } from '../../core/retry.js'
import type { Task } from '../../core/task.js'
import type { Stamp } from '../../core/time.js'
import type { Context, EventType } from '../../core/transitions/requests.js'
import { text, textOrNull } from '../cells.js'
import { bytesOfDigest } from '../chain.js'
import { lock, query, type Sql } from '../engine.js'
import { approvalsOfOperation } from './approvals.js'
import type { Time } from './clock.js'
import { compensationsOf } from './compensations.js'
import { externalIdsOfOperation } from './external-ids.js'
import { readStored, type Stored } from './operations.js'
import { quotaUsedUntil } from './quotas.js'

export interface Asking {
  readonly actor: string
  readonly isOwnerGone: (owner: string) => boolean
  /** the ledger's incarnation now */
  readonly incarnation: number
}

/** What the guards may look at beside the operation, its task and the time. */
export interface Beside
  extends Pick<
    Context,
    | 'actor'
    | 'owner_gone'
    | 'target_touched'
    | 'approval_digest'
    | 'compensated'
    | 'quota_used_until'
    | 'undone_by'
    | 'known_external_ids'
    | 'new_incarnation'
  > {
  readonly approvalAt: (now: Stamp) => Approval | null
}

/** What the guards may look at. Pure: the time is that of the commit, and waiting for what is beside comes before it. */
export function contextOf(beside: Beside, time: Time, task: Task): Context {
  return {
    now: time.stamp,
    actor: beside.actor,
    evidence: [],
    task,
    clock_doubt: time.isDoubtful,
    same_write: null,
    owner_gone: beside.owner_gone,
    target_touched: beside.target_touched,
    approval: beside.approvalAt(time.stamp),
    approval_digest: beside.approval_digest,
    compensated: beside.compensated,
    quota_used_until: beside.quota_used_until,
    undone_by: beside.undone_by,
    known_external_ids: beside.known_external_ids,
    new_incarnation: beside.new_incarnation,
  }
}

const NOTHING_BESIDE: Omit<Beside, 'actor'> = {
  owner_gone: false,
  target_touched: null,
  approvalAt: () => null,
  approval_digest: null,
  compensated: null,
  quota_used_until: null,
  undone_by: [],
  known_external_ids: [],
  new_incarnation: false,
}

/** Read in the commit that will write, and only what can matter. */
export function* readBeside(asking: Asking, stored: Stored | null): Sql<Beside> {
  const { actor } = asking
  if (stored === null) return { ...NOTHING_BESIDE, actor }
  const { operation } = stored
  if (operation.contract.retry?.quota !== undefined)
    yield* lock({ kind: 'quota', name: destinationOf(operation) })
  if (operation.target !== null && dependsOnTarget(operation))
    yield* lock({ kind: 'target', name: operation.target })
  const approvals = stored.has_approvals ? yield* approvalsOfOperation(operation.operation_id) : []
  const digest = approvals.length === 0 ? null : approvalDigest(operation)
  return {
    actor,
    owner_gone: operation.lease_owner !== null && asking.isOwnerGone(operation.lease_owner),
    target_touched: dependsOnTarget(operation) ? yield* isTargetTouched(operation) : null,
    approvalAt: now => (digest === null ? null : approvalFor(approvals, { operation, digest, now })),
    approval_digest: digest,
    compensated:
      operation.compensates === null ? null : yield* readCompensated(operation.compensates, operation),
    quota_used_until:
      operation.contract.retry?.quota === undefined ? null : yield* quotaUsedUntil(destinationOf(operation)),
    undone_by:
      operation.status === 'confirmed'
        ? (yield* compensationsOf(operation.operation_id))
            .filter(wasSent)
            .map(({ operation_id }) => operation_id)
        : [],
    known_external_ids: stored.has_external_ids ? yield* externalIdsOfOperation(operation.operation_id) : [],
    new_incarnation: stored.incarnation < asking.incarnation,
  }
}

/** What is otherwise for this step of a plan: what it brings itself, and what those before it have changed. */
export interface OfStep extends Pick<Context, 'evidence' | 'same_write' | 'compensated'> {
  readonly operation: Operation | null
  readonly external_ids: readonly ExternalId[]
  /** it was made ready to be sent in this incarnation of the ledger */
  readonly isReady: boolean
}

// Not spread: one hidden class for all contexts, as `contextOf` makes them.
export function contextOfStep(context: Context, step: OfStep): Context {
  return {
    now: context.now,
    actor: context.actor,
    evidence: step.evidence,
    task: context.task,
    clock_doubt: context.clock_doubt,
    same_write: step.same_write,
    owner_gone: context.owner_gone && step.operation?.status === 'in_flight',
    target_touched: context.target_touched,
    approval: context.approval,
    approval_digest: context.approval_digest,
    compensated: step.compensated,
    quota_used_until: context.quota_used_until,
    undone_by: context.undone_by,
    known_external_ids: step.external_ids,
    new_incarnation: context.new_incarnation && !step.isReady,
  }
}

/** Moves after which nothing of an earlier incarnation of the ledger can have been sent unseen. */
export const MAKES_READY: ReadonlySet<EventType> = new Set([
  'prepare',
  'allow_retry',
  'rerun',
  'schedule_retry',
])

/** What stands in the way of an intent, or beside it: looked up in one statement. */
export function* readNeighbours(intent: Intent): Sql<Neighbours> {
  const { operation_id, task_id, tool, input_digest, key_scope, idempotency_key } = intent
  yield* lock({ kind: 'write', name: JSON.stringify([task_id, tool, input_digest]) })
  const [row] = yield* query(NEIGHBOURS, [
    key_scope,
    idempotency_key,
    operation_id,
    bytesOfDigest(input_digest),
    task_id,
    tool,
  ])
  return {
    key_owner: row ? textOrNull(row, 'key_owner') : null,
    same_write: row ? textOrNull(row, 'same_write') : null,
    is_archived: row ? textOrNull(row, 'archived') !== null : false,
    compensated: intent.compensates === null ? null : yield* readCompensated(intent.compensates, intent),
  }
}

export interface Neighbours extends Pick<Context, 'same_write' | 'compensated'> {
  /** another operation with this key in this scope */
  readonly key_owner: string | null
  /** its id, its key or its input is that of one that was archived */
  readonly is_archived: boolean
}

// `seq + 0`: the number itself tempts PostgreSQL to walk along all rows in its order, where many are alike.
const NEIGHBOURS = `
select
  (
    select operation_id
    from ledger_operation
    where key_scope = $1 and idempotency_key = $2 and operation_id <> $3
  ) as key_owner,
  (
    select operation_id
    from ledger_operation indexed by operation_same
    where substr(input_digest, 1, 6) = substr($4, 1, 6)
      and task_id = $5
      and tool = $6
      and input_digest = $4
      and operation_id <> $3
      and status not in ('not_executed', 'cancelled')
    order by seq + 0
    limit 1
  ) as same_write,
  (
    select operation_id
    from (
      select operation_id
      from ledger_pruned
      where operation_id = $3
      union all
      select operation_id
      from ledger_pruned
      where key_scope = $1 and idempotency_key = $2
      union all
      select operation_id
      from ledger_pruned indexed by pruned_same
      where substr(input_digest, 1, 6) = substr($4, 1, 6) and task_id = $5 and tool = $6 and input_digest = $4
    ) as found
    limit 1
  ) as archived`

export function dependsOnTarget({
  status,
  may_have_applied,
  repeat,
}: Pick<Operation, 'status' | 'may_have_applied' | 'repeat'>): boolean {
  if ((!may_have_applied && status !== 'in_flight') || repeat === null) return false
  return repeat.kind === 'idempotent' || (repeat.kind === 'conditional' && repeat.names === 'reusable')
}

/** Was another operation on the same target sent since this one's first send? Null: no target is named. */
export function* isTargetTouched({
  operation_id,
  target,
  key_first_used_at,
}: Pick<Operation, 'operation_id' | 'target' | 'key_first_used_at'>): Sql<boolean | null> {
  if (target === null) return null
  if (key_first_used_at === null) return false
  // First sent since, or sent again since, and then also updated since: the indexes lead to those few.
  const rows = yield* query(
    `select 1 as one
     from ledger_operation indexed by operation_target
     where target = $1 and key_first_used_at >= $2 and operation_id <> $3
     union all
     select 1
     from ledger_operation indexed by operation_target_again
     where target = $1
       and attempt > 1
       and updated_at >= $2
       and operation_id <> $3
       and exists (
         select 1
         from ledger_attempt
         where ledger_attempt.operation_id = ledger_operation.operation_id and sent_at >= $2
       )
     union all
     select 1
     from ledger_pruned
     where target = $1 and last_sent_at >= $2 and operation_id <> $3
     limit 1`,
    [target, key_first_used_at, operation_id],
  )
  return rows.length > 0
}

function* readCompensated(
  compensates: string,
  { operation_id }: Pick<Intent, 'operation_id'>,
): Sql<Context['compensated']> {
  yield* lock({ kind: 'operation', name: compensates })
  const stored = yield* readStored(compensates)
  if (stored === null) return null
  // Of two that are prepared the earlier one goes first: each would wait for the other else.
  const [other] = yield* query(
    `select operation_id
     from ledger_operation indexed by operation_compensates
     where compensates = $1
       and operation_id <> $2
       and (
         status in ('in_flight', 'unknown', 'confirmed')
         or status = 'prepared' and seq < coalesce(
           (select own.seq from ledger_operation own where own.operation_id = $2),
           9223372036854775807
         )
       )
     order by seq + 0
     limit 1`,
    [compensates, operation_id],
  )
  const { operation, attempts } = stored
  return { operation, attempts, other_compensation: other ? text(other, 'operation_id') : null }
}

function wasSent({ status }: Undoing): boolean {
  return status === 'in_flight' || status === 'unknown' || status === 'confirmed'
}
