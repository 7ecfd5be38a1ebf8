import type { Engine } from '../../../src/store/engine.js'
import type { Store } from '../../../src/store/store.js'

/** A new ledger with a store on it; `again` opens the same ledger once more, as another process would. */
export interface Opened {
  readonly store: Store
  /** the engine below, to look at rows and to tamper with them */
  readonly engine: Engine
  readonly again: () => Promise<Store>
}

export type NewStore = () => Promise<Opened>
