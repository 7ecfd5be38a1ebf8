import { LedgerError } from '../core/errors.js'
import type { LedgerForReading } from '../ledger/open-for-reading.js'
import type { Deps } from './deps.js'
import { someText, value } from './parameters.js'

/** Options of the commands that can also read what another system wrote, without a ledger. */
export const fromOptions = {
  from: value('path', 'read another system’s records instead of the ledger; nothing is stored', someText),
  source: value('name', 'of --from: the system, where its content does not say', someText),
}

export interface From {
  readonly from: string | undefined
  readonly source: string | undefined
}

/** Opens the ledger in use for reading, or what `--from` names. */
export function withReading<T>(
  { from, source }: From,
  deps: Deps,
  use: (ledger: LedgerForReading) => Promise<T>,
): Promise<T> {
  if (from === undefined) {
    if (source === undefined) return deps.withLedgerForReading(use)
    throw new LedgerError('usage', '--source says what --from is, and --from is not given', {
      path: '--source',
    })
  }
  if (deps.global.ledger !== undefined)
    throw new LedgerError('usage', '--from and --ledger exclude each other', {
      path: '--from',
      hint: '--from reads what another system wrote; leave --ledger out.',
    })
  refuseStdin(from, '--from')
  return deps.withRecordsForReading({ from, source }, use)
}

/** @throws LedgerError usage where stdin is meant: a source is looked at several times, which a stream cannot be */
export function refuseStdin(path: string, command: string): void {
  if (path !== '-') return
  throw new LedgerError('usage', `${command} reads files, not stdin`, {
    path,
    hint: 'Write it to a file first, and name that. A file of that name is ./-.',
  })
}

/** @throws LedgerError usage for what goes on looking: records of another system are read once */
export function refuseFrom({ from }: Pick<From, 'from'>, option: string): void {
  if (from === undefined) return
  throw new LedgerError('usage', `${option} and --from exclude each other`, {
    path: '--from',
    hint: `Import the records, then use ${option} on the ledger.`,
  })
}
