import type { Engine, Sql } from '../engine.js'
import type { Store } from '../store.js'
import { verify } from '../verify.js'
import { addEvidence } from './add-evidence.js'
import { readApproval } from './approvals.js'
import { approve, revoke } from './approving.js'
import { beside } from './beside.js'
import { change, changeAll, type Ledger } from './change.js'
import { changeTask } from './change-task.js'
import { activeClaims, claim, claimsOf, placeOf, release } from './claims.js'
import { lastStamp, timeOfCommit } from './clock.js'
import { counts, leaseOwners } from './counts.js'
import { setDefer } from './defer.js'
import { appendLedgerEvent } from './events.js'
import { externalIdsOf } from './external-ids.js'
import { operations } from './list.js'
import { decision, events } from './log.js'
import { near } from './near.js'
import { addNote } from './notes.js'
import { signal } from './signal.js'
import { childrenOf, tasks, tasksWithThread } from './task-list.js'
import { readTask } from './tasks.js'
import { operationRecord, taskRecord } from './whole-records.js'

export interface SqlStoreOptions {
  readonly engine: Engine
  readonly ledger: Ledger
  readonly location: string
}

/** The store's verbs, each as one reading or one commit of an engine. */
export function sqlStore({ engine, ledger, location }: SqlStoreOptions): Store {
  const { read, write } = engine
  return {
    ledgerId: ledger.ledger_id,
    location,

    change: asked => write(() => change(ledger, asked)),
    changeAll: (changes, options) => write(() => changeAll(ledger, changes, options)),
    changeTask: asked => write(() => changeTask(ledger, asked)),
    signal: asked => write(() => signal(asked)),
    addEvidence: addition => write(() => addEvidence(ledger, addition)),
    approve: (approval, by) => write(() => approve(ledger, approval, by)),
    revoke: (revocation, by) => write(() => revoke(ledger, revocation, by)),
    setDefer: (deferral, by) => write(() => setDefer(ledger, deferral, by)),
    addNote: (note, by) => write(() => addNote(ledger, note, by)),
    claim: asked => write(() => claim(asked)),
    release: (subject, by) => write(() => release(subject, by)),
    record: (type, about, body, by) =>
      write(function* (): Sql<void> {
        const { stamp } = yield* timeOfCommit(by.now)
        const id = about === null ? null : placeOf(about)[1]
        yield* appendLedgerEvent(
          { ledger_id: ledger.ledger_id, stamp },
          { about: id, type, actor: by.actor, body },
        )
      }),

    operation: id => read(() => operationRecord(id)),
    approval: id => read(() => readApproval(id)),
    operations: asked => read(() => operations(asked)),
    beside: (operations, now) => read(() => beside(operations, now)),
    leaseOwners: () => read(leaseOwners),
    externalIdsOf: ids => read(() => externalIdsOf(ids)),
    claimsOf: (subjects, now) => read(() => claimsOf(subjects, now)),
    claims: now => read(() => activeClaims(now)),
    task: id => read(() => readTask(id)),
    tasksWithThread: () => read(tasksWithThread),
    children: id => read(() => childrenOf(id)),
    tasks: asked => read(() => tasks(asked)),
    taskRecord: id => read(() => taskRecord(id)),
    events: asked => read(() => events(asked)),
    decision: id => read(() => decision(id)),
    counts: now => read(() => counts(now)),
    near: id => read(() => near(id)),
    verify: options => verify(engine, options),
    lastCommitAt: () =>
      read(function* (): Sql<number | null> {
        return (yield* lastStamp())?.at ?? null
      }),

    close: () => engine.close(),
  }
}
