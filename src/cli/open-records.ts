import { resolve } from 'node:path'
import { type LedgerConfig, NO_CONFIG } from '../config/config.js'
import { isUrl } from '../config/ledger-key.js'
import type { LedgerForReading } from '../ledger/open-for-reading.js'
import { openRecordsForReading, type RecordsRead } from '../ledger/records-for-reading.js'
import { type Choosing, configInUse } from './chosen-ledger.js'
import type { From } from './from.js'

interface AskedForRecords extends Choosing {
  readonly given: From & { readonly from: string }
  /** `--as-of`, milliseconds since 1970 UTC */
  readonly asOf: number | undefined
  readonly signal: AbortSignal
  readonly onRead: (read: RecordsRead) => Promise<void>
  readonly onProgress: (records: number) => void
}

/** Reads the records of another system for looking at them, with the configuration in use. */
export async function openRecordsInUse({
  given: { from, source },
  asOf,
  waitMs,
  actor,
  signal,
  onRead,
  onProgress,
  ...wishes
}: AskedForRecords): Promise<{ ledger: LedgerForReading; config: LedgerConfig }> {
  const config = await configInUse(wishes).catch(error => {
    if (wishes.config !== undefined) throw error
    return NO_CONFIG // a broken file that nobody named does not stand in the way of reading
  })
  const { ledger, read } = await openRecordsForReading(isUrl(from) ? from : resolve(wishes.cwd, from), {
    config,
    waitMs,
    actor: () => actor(config.identity),
    ...(asOf === undefined ? {} : { asOf }),
    ...(source === undefined ? {} : { source }),
    signal,
    onProgress,
  })
  if (read !== null) await onRead(read)
  return { ledger, config }
}
