import type { SourceFile } from '../source-file.js'
import { unreadable } from '../unreadable.js'
import type { Overview } from './overview.js'

/** Throws `ledger_unreadable` where there is neither an event nor a describe answer. */
export function requireSomething({ path }: SourceFile, { runs, warnings }: Overview): void {
  if (runs.length > 0) return
  const [first] = warnings
  const why =
    first === undefined
      ? 'has no events of a Temporal workflow'
      : `holds no Temporal history: ${first.message}`
  const hint =
    first?.code === 'raw_history'
      ? 'Ask for it with `temporal workflow show --output json`, which decodes it.'
      : 'Take it with `temporal workflow show --workflow-id <id> --output json`.'
  throw unreadable(path, why, hint)
}
