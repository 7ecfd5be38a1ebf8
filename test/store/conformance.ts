import { describe } from 'vitest'
import { bondsConform } from './conformance/bonds.js'
import { chainsConform } from './conformance/chains.js'
import { changesConform } from './conformance/changes.js'
import { claimsConform } from './conformance/claims-and-notes.js'
import { concurrencyConforms } from './conformance/concurrency.js'
import { listsConform } from './conformance/lists.js'
import { logConforms } from './conformance/log.js'
import { lookupsConform } from './conformance/lookups.js'
import { pruningConforms } from './conformance/pruning.js'
import { redactionConforms } from './conformance/redaction.js'
import { sealingConforms } from './conformance/sealing.js'
import { signalsConform } from './conformance/signals.js'
import { tasksConform } from './conformance/tasks.js'
import type { NewStore } from './support/stores.js'

/** What every engine's store must do. Called once for each engine, with a way to make a new, empty ledger. */
export function conformance(engine: string, newStore: NewStore): void {
  describe(`the store on ${engine}`, () => {
    changesConform(newStore)
    bondsConform(newStore)
    tasksConform(newStore)
    signalsConform(newStore)
    listsConform(newStore)
    lookupsConform(newStore)
    claimsConform(newStore)
    logConforms(newStore)
    chainsConform(newStore)
    concurrencyConforms(newStore)
    sealingConforms(newStore)
    redactionConforms(newStore)
    pruningConforms(newStore)
  })
}
