import type { Engine, Sql } from '../engine.js'
import type { StoreReader } from '../store.js'
import { actionsOfTask } from './actions.js'
import { readApproval } from './approvals.js'
import { beside } from './beside.js'
import { activeClaims, claimsOf } from './claims.js'
import { lastStamp } from './clock.js'
import { counts, leaseOwners } from './counts.js'
import { due } from './due.js'
import { externalIdsOf } from './external-ids.js'
import { operations } from './list.js'
import { commitHorizon, decision, events } from './log.js'
import { near } from './near.js'
import { firstEventAfter, openNotices } from './notices.js'
import { openPhases, phasesOfTask } from './phases.js'
import { archivedStub, prunedOfTask } from './pruned.js'
import { recent } from './recent.js'
import { sealsAfter } from './seals.js'
import { childrenOf, openTasks, tasks, tasksWithThread } from './task-list.js'
import { readTask } from './tasks.js'
import { tools } from './tools.js'
import { operationRecord, taskRecord } from './whole-records.js'

export interface SqlReaderOptions {
  readonly engine: Engine
  readonly ledger: { readonly ledger_id: string }
  readonly location: string
}

/** The verbs that only read, each as one reading of an engine. */
export function sqlReader({ engine, ledger, location }: SqlReaderOptions): StoreReader {
  const { read } = engine
  return {
    ledgerId: ledger.ledger_id,
    location,
    clockOn: machine => engine.clockOn(machine),

    operation: id => read(() => operationRecord(id)),
    approval: id => read(() => readApproval(id)),
    operations: asked => read(() => operations(asked)),
    beside: (operations, now) => read(() => beside(operations, now)),
    leaseOwners: () => read(leaseOwners),
    externalIdsOf: ids => read(() => externalIdsOf(ids)),
    claimsOf: (subjects, now) => read(() => claimsOf(subjects, now)),
    claims: now => read(() => activeClaims(now)),
    task: id => read(() => readTask(id)),
    openTasks: () => read(openTasks),
    tasksWithThread: () => read(tasksWithThread),
    children: id => read(() => childrenOf(id)),
    tasks: asked => read(() => tasks(asked)),
    recent: asked => read(() => recent(asked)),
    openPhases: () => read(openPhases),
    phases: id => read(() => phasesOfTask(id)),
    actions: id => read(() => actionsOfTask(id)),
    taskRecord: id => read(() => taskRecord(id)),
    events: asked => read(() => events(asked)),
    commitHorizon: () => (engine.kind === 'postgresql' ? read(commitHorizon) : Promise.resolve(null)),
    decision: id => read(() => decision(id)),
    counts: now => read(() => counts(now)),
    near: id => read(() => near(id)),
    // All of a ledger is checked seldom, and a list must start quickly.
    verify: async options => (await import('../verify.js')).verify(engine, options),
    tools: () => read(tools),
    exportLines: async function* (asked) {
      const { exportLines } = await import('../export.js')
      yield* exportLines(engine, { ...asked, ledger_id: ledger.ledger_id })
    },
    archiveLines: async function* (asked) {
      const { archiveLines } = await import('../archive.js')
      return yield* archiveLines(engine, { ...asked, ledger_id: ledger.ledger_id })
    },
    chosenForArchive: async function* (asked) {
      const { chosenPages } = await import('../prune.js')
      return yield* chosenPages(engine, asked)
    },
    redactable: async asked => {
      const { redactable } = await import('./redact.js')
      return read(() => redactable(ledger, asked))
    },
    archived: id => read(() => archivedStub(id)),
    seals: () => read(() => sealsAfter(ledger.ledger_id, 0, 1_000_000)),
    archivedOf: taskId => read(() => prunedOfTask(taskId)),
    due: asked => read(() => due(asked)),
    openNotices: () => read(openNotices),
    firstEventAfter: at => read(() => firstEventAfter(at)),
    lastCommitAt: () =>
      read(function* (): Sql<number | null> {
        return (yield* lastStamp())?.at ?? null
      }),

    close: () => engine.close(),
  }
}
