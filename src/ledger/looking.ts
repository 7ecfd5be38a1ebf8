import type { CheckDocument } from '../core/documents/check.js'
import type { ContractsDocument } from '../core/documents/contracts.js'
import type { ListDocument } from '../core/documents/list.js'
import type { EventItem } from '../core/documents/log.js'
import type { StatusDocument } from '../core/documents/status.js'
import type { TasksDocument } from '../core/documents/tasks.js'
import type { Timeline } from '../core/documents/timeline.js'
import type { Follower } from '../core/follow.js'
import type { CheckOptions } from './looking/check.js'
import type { CheckpointOptions, CheckpointRead } from './looking/checkpoint.js'
import { type Listing, type ListQuery, list, listing } from './looking/list.js'
import { follow, type LogQuery, log } from './looking/log.js'
import type { PhaseNow } from './looking/phases.js'
import type { Reported, ReportOptions } from './looking/report.js'
import type { LookingSession } from './looking/session.js'
import type { Shown } from './looking/show.js'
import { type TasksOptions, tasks } from './looking/tasks.js'
import type { UnderWay } from './looking/under-way.js'

/** What anybody can see. Nothing here writes: not the ledger, not a file beside it. */
export interface Looking {
  /** `list@1` */
  list(query?: ListQuery): Promise<ListDocument>
  /** the same row by row, in constant memory */
  listing(query?: ListQuery): Listing
  /** `show@1`. @throws LedgerError not_found, with ids near it */
  show(operationId: string): Promise<Shown>
  /** `status@1` */
  status(): Promise<StatusDocument>
  /** `tasks@1` */
  tasks(options?: TasksOptions): Promise<TasksDocument>
  /** events of `log@1`, oldest first. @throws LedgerError not_found, with ids near it */
  log(query?: LogQuery): AsyncIterable<EventItem>
  /** those of the log that were written since this follower looked last, also what was overtaken at its commit */
  follow(query: Omit<LogQuery, 'afterSeq'>, follower: Follower): AsyncIterable<EventItem>
  /** `report@1`; without a name, of the task that needs a person most. @throws LedgerError not_found */
  report(taskId?: string, options?: ReportOptions): Promise<Reported>
  /** attempts, leases, signs and evidence of a task's operations, for a picture. @throws LedgerError not_found */
  timeline(taskId: string): Promise<Timeline>
  /** `check@1` */
  checkFor(options?: CheckOptions): Promise<CheckDocument>
  /** `checkpoint@1`, with what the operations recorded for its threads mean for a resume */
  checkpoint(path: string, options?: CheckpointOptions): Promise<CheckpointRead>
  /** phases of open tasks whose input or artifact is not as it was, or could not be looked at */
  brokenPhases(options?: { readonly follow?: boolean }): Promise<readonly PhaseNow[]>
  /** `contracts@1` */
  contracts(): Promise<ContractsDocument>
  /** what is in flight and not in doubt yet */
  underWay(): Promise<UnderWay>
  /** ids near a mistyped one, nearest first */
  near(id: string): Promise<readonly string[]>
}

/** Reports and single operations bring code that a list does not need: it is loaded when it is asked for. */
export function looking(session: LookingSession): Looking {
  return {
    list: (query = {}) => list(session, query),
    listing: (query = {}) => listing(session, query),
    show: async operationId => (await import('./looking/show.js')).show(session, operationId),
    status: async () => (await import('./looking/status.js')).status(session),
    tasks: (options = {}) => tasks(session, options),
    log: (query = {}) => log(session, query),
    follow: (query, follower) => follow(session, query, follower),
    report: async (taskId, options) => (await import('./looking/report.js')).report(session, taskId, options),
    timeline: async taskId => (await import('./looking/timeline.js')).timeline(session, taskId),
    checkFor: async (options = {}) => (await import('./looking/check.js')).check(session, options),
    checkpoint: async (path, options = {}) =>
      (await import('./looking/checkpoint.js')).checkpoint(session, path, options),
    brokenPhases: async options => (await import('./looking/phases.js')).brokenPhases(session, options),
    contracts: async () => (await import('./looking/contracts.js')).contracts(session),
    underWay: async () => (await import('./looking/under-way.js')).underWay(session),
    near: id => session.store.near(id),
  }
}
