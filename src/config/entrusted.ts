import { singleProbes } from '../probes/contracts/index.js'
import { envOf } from '../probes/index.js'
import type { LedgerConfig } from './config.js'

/** What trust in a configuration lets its probes do, by tool. */
export interface Entrusted {
  /** `tool: program arguments` */
  readonly runs: readonly string[]
  /** `tool: VARIABLE`, those that a ready contract reads too */
  readonly hands_out: readonly string[]
}

export function entrusted({ tools }: LedgerConfig): Entrusted {
  const runs: string[] = []
  const hands_out: string[] = []
  for (const [tool, { probe }] of Object.entries(tools)) {
    if (probe === undefined) continue
    const single = singleProbes(probe)
    // How a ready contract is named was checked when the file was read.
    const probes = 'problem' in single ? [] : single.probes
    for (const one of probes) {
      if (one.kind === 'command') runs.push(`${tool}: ${one.run.join(' ')}`)
      if (one.kind === 'module') runs.push(`${tool}: ${one.path}`)
    }
    for (const name of new Set(probes.flatMap(envOf))) hands_out.push(`${tool}: ${name}`)
  }
  return { runs, hands_out }
}
