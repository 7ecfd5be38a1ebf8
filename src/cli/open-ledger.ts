import type { LedgerConfig } from '../config/config.js'
import { type Ledger, openLedger } from '../ledger.js'
import { type Choosing, chosenLedger } from './chosen-ledger.js'
import { outsideOf } from './outside.js'

interface AskedToWrite extends Choosing {
  readonly onWarning: (warning: { readonly message: string }) => void
}

/** Opens the ledger in use to write it, with its configuration. It is never made here: `init` does that. */
export async function openLedgerInUse({
  onWarning,
  waitMs,
  actor,
  trustConfig,
  ...wishes
}: AskedToWrite): Promise<{ ledger: Ledger; config: LedgerConfig }> {
  const { location, config } = await chosenLedger(wishes)
  const by = await actor(config.identity)
  return {
    ledger: await openLedger(location, {
      config,
      actor: by,
      waitMs,
      create: false,
      telemetry: false,
      outside: outsideOf({ ...wishes, trustConfig }, config),
      onWarning,
    }),
    config,
  }
}
