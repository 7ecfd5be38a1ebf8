import { type Deciding, deciding } from './ledger/deciding.js'
import { type Executing, executing } from './ledger/executing.js'
import type { Session } from './ledger/session.js'

/** An open ledger: everything agent-ledger can do, one method each. */
export type Ledger = Executing &
  Deciding & {
    readonly ledgerId: string
    /** what a person types to name it */
    readonly location: string
    /** Finishes what is being written. A handler that ends later leaves its outcome in the receipt spool. */
    close(): Promise<void>
  }

/** The ledger's verbs on an open store. */
export function ledgerOn(session: Session): Ledger {
  const { store } = session
  return {
    ...executing(session),
    ...deciding(session),
    ledgerId: store.ledgerId,
    location: store.location,
    close: () => store.close(),
  }
}
