import type { ProbeDeclaration, SingleProbe } from '../core/probe.js'
import { probesOfService } from '../probes/contracts/index.js'

/**
 * How long something can tell of an operation, milliseconds: while one source still knows, it can be asked. Undefined
 * where nothing is asked, or one of the sources keeps its records for good.
 */
export function longestKept(probe: ProbeDeclaration | undefined): number | undefined {
  const kept = sourcesOf(probe).map(({ keeps_ms }) => keeps_ms ?? Number.POSITIVE_INFINITY)
  const longest = Math.max(...kept)
  return Number.isFinite(longest) ? longest : undefined
}

function sourcesOf(probe: ProbeDeclaration | undefined): readonly SingleProbe[] {
  const all = probe === undefined ? [] : probe.kind === 'all' ? probe.of : [probe]
  return all.flatMap(one => {
    if (one.kind !== 'service') return [one]
    const named = probesOfService(one)
    return 'problem' in named ? [] : named.probes
  })
}
