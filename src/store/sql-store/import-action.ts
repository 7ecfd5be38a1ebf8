import type { ImportedAction } from '../../core/imported.js'
import type { KindCounts } from '../../core/importing/counts.js'
import type { Sql } from '../engine.js'
import type { Importing } from '../import-port.js'
import type { Ledger } from './change.js'

/** One thing an agent did, for the rules that look for loops. They are counted: nothing here keeps them yet. */
// biome-ignore lint/correctness/useYield: it has the shape of what stores a record
export function* importAction(
  _ledger: Ledger,
  _asked: Importing,
  _action: ImportedAction,
): Sql<keyof KindCounts> {
  return 'unchanged'
}
