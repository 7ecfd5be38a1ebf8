import { LedgerError } from '../../core/errors.js'
import type { Engine, Sql } from '../engine.js'
import type { Store } from '../store.js'
import { replaceActions } from './actions.js'
import { addEvidence } from './add-evidence.js'
import { approve, revoke } from './approving.js'
import { change, changeAll, type Ledger } from './change.js'
import { changeTask } from './change-task.js'
import { claim, placeOf, release } from './claims.js'
import { timeOfCommit } from './clock.js'
import { setDefer } from './defer.js'
import { appendLedgerEvent } from './events.js'
import { DryRun, importRecords } from './import.js'
import { memory, NO_MEMORY } from './memory.js'
import { readMeta } from './meta.js'
import { addNote } from './notes.js'
import { lead, putNotice, stopLeading } from './notices.js'
import { writePhase } from './phases.js'
import { sqlReader } from './reading.js'
import { redact } from './redact.js'
import { signal } from './signal.js'

export interface SqlStoreOptions {
  readonly engine: Engine
  readonly ledger: Omit<Ledger, 'memory'>
  readonly location: string
}

/** The store's verbs, each as one reading or one commit of an engine. */
export function sqlStore({ engine, ledger: which, location }: SqlStoreOptions): Store {
  const remembered = engine.onDoubt === undefined ? NO_MEMORY : memory()
  engine.onDoubt?.(remembered.forget)
  // A guest's connection and commit are not the engine's own.
  const ledger: Ledger = { ...which, memory: NO_MEMORY }
  const own: Ledger = { ...which, memory: remembered }
  const write = <T>(work: () => Sql<T>, how?: { readonly isLong?: boolean }) =>
    engine.write(() => {
      remembered.forget()
      return work()
    }, how)
  return {
    ...sqlReader({ engine, ledger, location }),

    change: asked => engine.write(() => change(own, asked)),
    changeWithin: (connection, asked) => engine.within(connection, () => change(ledger, asked)),
    changeInside: (client, asked) =>
      engine.inside(client, function* () {
        yield* refuseOtherLedger(ledger, location)
        return yield* change(ledger, asked)
      }),
    changeAll: (changes, options) => write(() => changeAll(ledger, changes, options)),
    changeTask: asked => write(() => changeTask(ledger, asked)),
    signal: asked => write(() => signal(asked)),
    keepActions: (taskId, actions) => write(() => replaceActions(taskId, actions)),
    addEvidence: addition => write(() => addEvidence(ledger, addition)),
    approve: (approval, by) => write(() => approve(ledger, approval, by)),
    revoke: (revocation, by) => write(() => revoke(ledger, revocation, by)),
    setDefer: (deferral, by) => write(() => setDefer(ledger, deferral, by)),
    addNote: (note, by) => write(() => addNote(ledger, note, by)),
    writePhase: (asked, by) => write(() => writePhase(ledger, asked, by)),
    putNotice: notice => write(() => putNotice(notice)),
    lead: asked => write(() => lead(asked)),
    stopLeading: asked => write(() => stopLeading(asked)),
    claim: asked => write(() => claim(asked)),
    release: (subject, by) => write(() => release(subject, by)),
    importRecords: async asked => {
      try {
        return await write(() => importRecords(ledger, asked), { isLong: true })
      } catch (error) {
        if (error instanceof DryRun) return error.counts
        throw error
      }
    },
    redact: (asked, by) => write(() => redact(ledger, asked, by)),
    // For an operator, seldom: an agent's start must not load it.
    seal: async (sealing, by) => {
      const { seal } = await import('../sealing/seal.js')
      const { kind, read } = engine
      return seal(
        { kind, read, write },
        { ...sealing, ledger_id: ledger.ledger_id, actor: by.actor, clock: by.clock },
      )
    },
    removeArchived: async asked => {
      const { removeAll } = await import('../prune.js')
      return removeAll({ write }, { ...asked, ledger_id: ledger.ledger_id })
    },
    record: (type, about, body, by) =>
      write(function* (): Sql<void> {
        const { stamp } = yield* timeOfCommit(by.clock)
        const id = about === null ? null : placeOf(about)[1]
        yield* appendLedgerEvent(
          { ledger_id: ledger.ledger_id, stamp },
          { about: id, type, actor: by.actor, body },
        )
      }),
  }
}

/** A schema of the same name in another database: its chains would be made with the wrong ledger's id. */
function* refuseOtherLedger({ ledger_id }: Ledger, location: string): Sql<void> {
  if ((yield* readMeta())?.ledger_id === ledger_id) return
  throw new LedgerError('invalid_input', `the client cannot write ${location}: it is on another ledger`, {
    path: location,
    hint: 'Keep your tables in the database of the ledger.',
  })
}
