import type { OperationQuery, Store } from '../../../src/store/store.js'
import { NOON, stampAt } from '../../core/builders.js'

// What is read of a ledger, for tests of what it costs.

const now = stampAt(NOON + 1)
export const LIST: OperationQuery = { scope: 'in_doubt', now, goneOwners: ['p'], sort: 'risk', limit: 100 }
export const SCOPES = ['attention', 'in_doubt', 'open', 'moving', 'repeated'] as const
export const SORTS = ['risk', 'age', 'id'] as const

/** Every reading whose cost must not grow with settled history. */
export const READINGS: readonly (readonly [string, (store: Store) => Promise<unknown>])[] = [
  ['one operation', store => store.operation('op-1')],
  ['one task with all of it', store => store.taskRecord('task-1')],
  ['a task', store => store.task('task-1')],
  ['the open tasks', store => store.tasks({ scope: 'open', now, goneOwners: [], limit: 20 })],
  ['the open tasks alone', store => store.openTasks()],
  ['what is open, counted', store => store.counts(NOON)],
  ['what is due', store => store.due({ now, goneOwners: ['p'], afterSeq: 0, limit: 50 })],
  ['every tool with its newest operation', store => store.tools()],
  ['owners of leases', store => store.leaseOwners()],
  ['external ids', store => store.externalIdsOf(['op-1', 'op-2'])],
  ['claims of some', store => store.claimsOf([{ operation_id: 'op-1' }], NOON)],
  ['the last commit', store => store.lastCommitAt()],
  ['ids near a mistyped one', store => store.near('opp-1')],
  ['history of an operation', store => store.events({ about: { operation_id: 'op-1' }, limit: 50 })],
  ['history of a task', store => store.events({ about: { task_id: 'task-1' }, limit: 50 })],
  ['history that is followed', store => store.events({ after_seq: 10, limit: 50 })],
  ['history since a time', store => store.events({ since: NOON, limit: 50 })],
  [
    'a page of all operations',
    store => store.operations({ ...LIST, scope: 'all', sort: 'age', after: 'op-1', uncounted: true }),
  ],
]

export const FILTERS: readonly Partial<OperationQuery>[] = [
  {},
  { after: 'op-1' },
  { quiet_since: NOON },
  { task_id: 'task-1' },
  { external_id: 'ticket=T-1' },
  { statuses: ['unknown', 'prepared'] },
  { tool: 'x' },
]

/** Of all history: what leads to few rows by an index. Without a filter the page ends the walk. */
export const HISTORY_FILTERS: readonly Partial<OperationQuery>[] = [
  { task_id: 'task-1' },
  { external_id: 'T-1' },
  { since: NOON },
  { statuses: ['unknown'] },
  { statuses: ['not_executed'] },
]
