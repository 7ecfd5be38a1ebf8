import type { LedgerConfig } from '../config/config.js'
import { trustFile, trustIn } from '../config/trust.js'
import type { Outside } from '../ledger/outside.js'
import type { Choosing } from './chosen-ledger.js'

/** What probes are given of this machine, and whether they may use it. */
export function outsideOf(
  { env, cwd, trustConfig }: Pick<Choosing, 'env' | 'cwd' | 'trustConfig'>,
  config: LedgerConfig,
): Pick<Outside, 'env' | 'folder' | 'trust'> {
  return {
    env,
    folder: cwd,
    trust: () => (trustConfig ? { trusted: true } : trustIn(config, trustFile(env))),
  }
}
