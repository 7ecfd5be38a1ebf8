import { type LedgerConfig, NO_CONFIG } from '../config/config.js'

/** The configuration a caller named by its path or gave as read; what holds without one where they gave none. */
export async function configGiven(config: string | LedgerConfig | undefined): Promise<LedgerConfig> {
  if (typeof config !== 'string') return config ?? NO_CONFIG
  const { loadConfig } = await import('../config/load.js')
  return loadConfig({ config, cwd: '' })
}
