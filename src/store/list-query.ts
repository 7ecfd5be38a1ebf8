import type { Attempt } from '../core/attempt.js'
import type { ExternalId, OperationOutline, OperationStatus } from '../core/operation.js'
import type { Task } from '../core/task.js'
import type { Stamp } from '../core/time.js'
import type { Claim } from './store.js'

// The port's part about lists of operations: what is asked for, and what comes back.

export interface OperationQuery {
  /**
   * `attention`: what needs a person · `in_doubt`: what `--unknown` lists · `open`: not settled · `moving`: open and
   * without need of a person, as far as the row says · `repeated`: settled without a flag, with the tool and input of an
   * earlier one of its task · `all`. Attention, moving and repeated do not overlap.
   */
  readonly scope: 'attention' | 'in_doubt' | 'open' | 'moving' | 'repeated' | 'all'
  readonly now: Stamp
  /** owners of leases that are provably gone */
  readonly goneOwners: readonly string[]
  readonly statuses?: readonly OperationStatus[]
  readonly task_id?: string
  readonly tool?: string
  /** value, or kind=value */
  readonly external_id?: string
  /** settled by a person, whatever became of it since */
  readonly by_hand?: true
  /** updated at or after */
  readonly since?: number
  /** created at or before */
  readonly before?: number
  /** of `moving`: only what may stand still: no event after this, a time of its own that has come, or a sign of trouble */
  readonly quiet_since?: number
  readonly sort: 'risk' | 'age' | 'id'
  /** the page after this operation, in the order asked for */
  readonly after?: string
  /** null = no limit */
  readonly limit: number | null
  /** `left_out` is not wanted, and stays 0 */
  readonly uncounted?: true
  /** `left_out` is not counted beyond this; default: all of what is open, 10,000 of history */
  readonly count_up_to?: number
}

export interface OperationPage {
  readonly operations: readonly OperationOutline[]
  /** how many more there are */
  readonly left_out: number
  /** counting stopped there: in all of history at least so many more */
  readonly left_out_is_least: boolean
}

/** By operation id, except tasks; what has nothing beside it is not in the map. */
export interface Beside {
  /** of those in flight, and of open ones with more than one attempt; oldest first */
  readonly attempts: ReadonlyMap<string, readonly Attempt[]>
  readonly external_ids: ReadonlyMap<string, readonly ExternalId[]>
  /** that have not ended */
  readonly claims: ReadonlyMap<string, Claim>
  /** by their own id; of operations that are not settled */
  readonly tasks: ReadonlyMap<string, Task>
  /** what `same_as` names */
  readonly twins: ReadonlyMap<string, OperationOutline>
  /** of those for which a repeat rests on it: was another operation on the target sent since their first send? */
  readonly target_touched: ReadonlyMap<string, boolean | null>
  /** of those that ask for an approval and have one on file that permits a send: when it was given */
  readonly approved: ReadonlyMap<string, number>
  /** of those prepared: written down before the ledger was copied or restored, so sent since for all that it knows */
  readonly of_earlier: ReadonlySet<string>
  /** of those that may have taken effect: what the latest look left to a person, in its words */
  readonly left_to_person: ReadonlyMap<string, string>
  /** of those confirmed: the operation that undid each */
  readonly undone_by: ReadonlyMap<string, string>
}
