import type { Attempt } from '../core/attempt.js'
import type { Operation } from '../core/operation.js'
import type { Task } from '../core/task.js'
import { bytesOfDigest } from './chain.js'
import type { Param } from './engine.js'

// The columns of the three records that change, in the order of the schema. Names are those of the records.

/** `value`: JSON too, but null is a value of it (an input) and not the absence of one. */
type Kind = 'plain' | 'json' | 'value' | 'digest'
type Columns<T> = { readonly [K in keyof T]-?: Kind }

const OPERATION: Columns<Operation> = {
  operation_id: 'plain',
  task_id: 'plain',
  phase: 'plain',
  step: 'plain',
  tool: 'plain',
  effect: 'plain',
  target: 'plain',
  input: 'value',
  input_digest: 'digest',
  idempotency_key: 'plain',
  key_scope: 'plain',
  repeat: 'json',
  contract: 'json',
  contract_digest: 'digest',
  amount: 'plain',
  max_attempts: 'plain',
  deadline_at: 'plain',
  timeout_ms: 'plain',
  compensates: 'plain',
  supersedes: 'plain',
  checkpoint: 'json',
  provenance: 'plain',
  links: 'json',
  status: 'plain',
  may_have_applied: 'plain',
  attempt: 'plain',
  extra_attempts: 'plain',
  next_attempt_at: 'plain',
  retry_reason: 'plain',
  key_first_used_at: 'plain',
  key_retention_ms: 'plain',
  lease_owner: 'plain',
  lease_fence: 'plain',
  lease_expires_at: 'plain',
  lease_boot_id: 'plain',
  lease_boot_ms: 'plain',
  heartbeat_at: 'plain',
  activity_at: 'plain',
  progress_at: 'plain',
  progress: 'json',
  last_error: 'json',
  result: 'json',
  result_digest: 'digest',
  settled_by: 'plain',
  by_hand: 'json',
  approval_id: 'plain',
  cancel_requested_at: 'plain',
  defer_until: 'plain',
  next_look_at: 'plain',
  flags: 'json',
  same_as: 'plain',
  evidence_count: 'plain',
  version: 'plain',
  created_at: 'plain',
  updated_at: 'plain',
  settled_at: 'plain',
}

const ATTEMPT: Columns<Attempt> = {
  operation_id: 'plain',
  n: 'plain',
  fence: 'plain',
  owner: 'plain',
  sent_at: 'plain',
  sent_boot_id: 'plain',
  sent_boot_ms: 'plain',
  send_by: 'plain',
  latest_arrival: 'plain',
  ended_at: 'plain',
  end: 'plain',
  error: 'json',
  heartbeat_at: 'plain',
  activity_at: 'plain',
  progress_at: 'plain',
  progress: 'json',
}

const TASK: Columns<Task> = {
  task_id: 'plain',
  parent_task_id: 'plain',
  goal: 'plain',
  status: 'plain',
  status_reason: 'plain',
  agent: 'plain',
  thread: 'json',
  workspace: 'plain',
  links: 'json',
  labels: 'json',
  deadline_at: 'plain',
  budget: 'json',
  heartbeat_at: 'plain',
  activity_at: 'plain',
  progress_at: 'plain',
  progress: 'json',
  steps: 'plain',
  cost: 'plain',
  grace_until: 'plain',
  grace_reason: 'plain',
  taken_over_by: 'plain',
  taken_over_at: 'plain',
  epoch: 'plain',
  version: 'plain',
  created_at: 'plain',
  updated_at: 'plain',
  closed_at: 'plain',
}

const LEFT_OUT: ReadonlySet<string> = new Set([
  'input',
  'input_digest',
  'contract_digest',
  'result',
  'result_digest',
  'progress',
  'checkpoint',
  'links',
  'supersedes',
])

/** The columns of an outline, for `select` where the query names the table `alias`. */
export function outlineList(alias: string): string {
  return OPERATIONS.columns
    .filter(({ name }) => !LEFT_OUT.has(name))
    .map(({ quoted }) => `${alias}.${quoted}`)
    .join(', ')
}

/** A table whose rows are records of type T. */
export interface Table<T> {
  readonly name: string
  readonly columns: readonly Column<T>[]
  /** quoted and joined by commas, for `select` and `insert` */
  readonly list: string
}

export interface Column<T> {
  readonly name: keyof T & string
  readonly quoted: string
  readonly kind: Kind
}

export const OPERATIONS = table('ledger_operation', OPERATION)
export const ATTEMPTS = table('ledger_attempt', ATTEMPT)
export const TASKS = table('ledger_task', TASK)

function table<T>(name: string, kinds: Columns<T>): Table<T> {
  // Object.keys knows its keys as strings only; `Columns<T>` makes them exactly those of T.
  const names = Object.keys(kinds) as (keyof T & string)[]
  const columns = names.map(column => ({
    name: column,
    quoted: column === 'end' ? '"end"' : column, // the one name that is a word of SQL
    kind: kinds[column],
  }))
  return { name, columns, list: columns.map(column => column.quoted).join(', ') }
}

/** The columns of a table that the query names `alias`, each under that name too: `partOf` takes them out of a row. */
export function partList<T>({ columns }: Table<T>, alias: string): string {
  return columns.map(({ name, quoted }) => `${alias}.${quoted} as "${alias}.${name}"`).join(', ')
}

/** The list of a table's columns where the query names the table `alias`. */
export function listOf<T>({ columns }: Table<T>, alias: string): string {
  return columns.map(column => `${alias}.${column.quoted}`).join(', ')
}

/** A field of a record as its column holds it. */
export function cell<T>(record: T, column: Column<T>): Param {
  const value: unknown = record[column.name]
  if (column.kind === 'value') return JSON.stringify(value)
  if (value === null) return null
  if (column.kind === 'json') return JSON.stringify(value)
  if (column.kind === 'digest') return bytesOfDigest(String(value))
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  throw new Error(`${column.name} is ${typeof value}, which has no column form`)
}
