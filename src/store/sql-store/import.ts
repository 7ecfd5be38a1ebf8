import type { ImportedRecord } from '../../core/imported.js'
import { hasChanged, noCounts } from '../../core/importing/counts.js'
import { interrupted } from '../../core/importing/interrupted.js'
import { type Sql, turn } from '../engine.js'
import type { Imported, Importing } from '../import-port.js'
import type { Ledger } from './change.js'
import { timeOfCommit } from './clock.js'
import { appendLedgerEvent } from './events.js'
import { actionImporter } from './import-action.js'
import { importNote, importTask } from './import-beside.js'
import { importOperation } from './import-operation.js'
import { importPhase } from './import-phase.js'

/** Undoes a dry run together with its commit, and carries what it found out. */
export class DryRun extends Error {
  constructor(readonly counts: Imported) {
    super('a dry run is undone')
  }
}

/** A few tens of milliseconds: whoever presses Ctrl-C is answered at once. */
const RECORDS_A_TURN = 100

/** Stores one input of another system. All of it stands in one commit, or nothing of it. */
export function* importRecords(ledger: Ledger, asked: Importing): Sql<Imported> {
  const counts = noCounts()
  const importAction = actionImporter(asked)
  let records = 0
  for (const record of asked.records()) {
    yield* importRecord(ledger, { asked, importAction, counts }, record)
    records += 1
    asked.onProgress(records)
    if (records % RECORDS_A_TURN !== 0) continue
    yield* turn()
    if (asked.signal?.aborted) throw interrupted(asked.origin)
  }
  if (asked.isDryRun) throw new DryRun(counts)
  if (hasChanged(counts)) {
    const { stamp } = yield* timeOfCommit(asked.by.clock)
    const body = {
      source: asked.taking.source,
      origin: asked.origin,
      counts: JSON.parse(JSON.stringify(counts)),
    }
    yield* appendLedgerEvent(
      { ledger_id: ledger.ledger_id, stamp },
      { about: null, type: 'import', actor: asked.by.actor, body },
    )
  }
  return counts
}

interface Taking {
  readonly asked: Importing
  readonly importAction: ReturnType<typeof actionImporter>
  readonly counts: ReturnType<typeof noCounts>
}

function* importRecord(
  ledger: Ledger,
  { asked, importAction, counts }: Taking,
  record: ImportedRecord,
): Sql<void> {
  switch (record.record) {
    case 'task':
      counts.tasks[yield* importTask(ledger, asked, record)] += 1
      return
    case 'operation':
      return yield* importOperation(ledger, asked, record, counts.operations)
    case 'note':
      counts.notes[yield* importNote(ledger, asked, record)] += 1
      return
    case 'phase':
      counts.phases[yield* importPhase(ledger, asked, record)] += 1
      return
    case 'action':
      counts.actions[yield* importAction(record)] += 1
      return
    case 'warning':
      asked.onWarning(record)
      return
  }
}
