import type { Trust } from '../config/trust.js'

/** What of this machine probes may use; tests give their own. */
export interface Outside {
  readonly env: Readonly<Record<string, string | undefined>>
  /** where relative paths start when the configuration is no file */
  readonly folder: string
  /** the Node that modules are run by */
  readonly node: string
  readonly signalGroup: (leader: number, signal: 'SIGTERM' | 'SIGKILL') => void
  /** may probes run programs and hand out variables? Asked once one wants to */
  readonly trust: () => Trust
}
