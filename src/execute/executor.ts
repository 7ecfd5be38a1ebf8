import type { JsonValue } from '../core/json.js'
import type { Stamp } from '../core/time.js'
import type { By, Store } from '../store/store.js'
import type { Watch } from './events/watch.js'

/** What carrying operations out stands on. Clocks and process are handed down; tests give their own. */
export interface Executor {
  readonly store: Store
  readonly clock: () => Stamp
  /** milliseconds that only grow, for the last look before the first byte */
  readonly monotonicMs: () => number
  /** who is written into the record */
  readonly actor: string
  /** this process as the holder of leases */
  readonly owner: string
  /** true only where the holder of a lease is provably gone */
  readonly isOwnerGone: (owner: string) => boolean
  /** epochs of the tasks this handle touched, each as claimed at first touch */
  readonly epochs: Epochs
  /** masks secrets in what is written beside the input and the result */
  readonly mask: Mask
  /** told what needs a look and stops nothing */
  readonly warn: (warning: LedgerWarning) => void
  /** thresholds of the stall rules that a tool's contract declares, copied into what is told of it */
  readonly stallOf?: (tool: string) => Readonly<Record<string, number>> | null
  /**
   * asks about an operation in doubt before it is sent again, where its tool declares how. `hold`: the service works on
   * it, or it is settled now: nothing is sent, its record answers
   */
  readonly askFirst?: (operation: {
    readonly operation_id: string
    readonly tool: string
  }) => Promise<'go' | 'hold'>
  /** tells the application what happens; absent where nobody listens */
  readonly watch?: Watch
}

export interface Mask {
  readonly text: (text: string) => string
  readonly value: (value: JsonValue) => JsonValue
}

export type Epochs = Map<string, number>

/** Something that does not stop the work but should be seen by a person. */
export interface LedgerWarning {
  readonly code: WarningCode
  /** what, to which id or path, and what to do */
  readonly message: string
  readonly operation_id?: string
  readonly path?: string
}

export type WarningCode =
  /** the operation's id looks made by chance: after a replay it protects nothing */
  | 'random_id'
  /** the same tool and input is on record under another id of the task, and answers: nothing of this one is sent */
  | 'same_write'
  /** the result is kept by digest only: too large, or JSON cannot hold it */
  | 'result_not_kept'
  /** an external id or a progress the handler named is none; it was left out */
  | 'evidence_unfit'
  /** the lease could not be renewed, or somebody else holds the operation now */
  | 'hold_lost'
  /** somebody may be sending an operation that the ledger takes for waiting */
  | 'unannounced_attempt'
  /** an outcome could not be recorded; `path` names the file that holds it until the next open */
  | 'receipt_spooled'
  /** a dispatcher left operations whose tool it has no handler for */
  | 'no_handler'
  /** a dispatcher could not carry one out now; it is tried again later */
  | 'dispatch_failed'
  /** a file in the receipt spool is none, or of another ledger; it was left where it is */
  | 'receipt_unreadable'

/** The `by` of a write: who, and the clock that counts. */
export function byOf({ actor, clock }: Pick<Executor, 'actor' | 'clock'>): By {
  return { actor, clock }
}

let sendings = 0

/** The holder of one sending: this process, and which of its sendings. Only the last part of an owner may vary. */
export function nextOwner({ owner }: Pick<Executor, 'owner'>): string {
  sendings += 1
  return `${owner}.${sendings}`
}

/** Is the holder of that lease this very process, perhaps through another handle? Then nothing is to be recovered. */
export function isHere({ owner }: Pick<Executor, 'owner'>, leaseOwner: string): boolean {
  return processOf(leaseOwner) === processOf(owner) && processIdOf(owner) !== ''
}

/** Empty where no process is known, see src/host/owner.ts: then nobody can tell that two are the same. */
function processIdOf(owner: string): string {
  return owner.split('/')[2] ?? ''
}

function processOf(owner: string): string {
  return owner.slice(0, Math.max(0, owner.lastIndexOf('/')))
}
