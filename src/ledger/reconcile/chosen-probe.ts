import { dirname } from 'node:path'
import { firstSent } from '../../core/attempt.js'
import { isoTime } from '../../core/iso-time.js'
import { factsOf } from '../../core/placeholders.js'
import type { SingleProbe } from '../../core/probe.js'
import { singleProbes } from '../../probes/contracts/index.js'
import { envOf, type ProbeFacts, type ProbeWorld } from '../../probes/index.js'
import type { OperationRecord } from '../../store/store.js'
import type { Outside } from '../outside.js'
import type { Session } from '../session.js'

export type Chosen = { readonly probes: readonly SingleProbe[] } | { readonly problem: string }

/**
 * The probes of an operation's tool, as the configuration in use declares them. The copy in the record says that there
 * was one, but whoever wrote the record may be anybody: it is never run from there.
 */
export function chosenProbes(
  { config, outside }: Pick<Session, 'config' | 'outside'>,
  { operation }: OperationRecord,
): Chosen {
  const { tool, contract } = operation
  const declared = Object.hasOwn(config.tools, tool) ? config.tools[tool]?.probe : undefined
  if (declared === undefined)
    return {
      problem:
        contract.probe === undefined
          ? `${tool} declares no probe: look yourself, then resolve`
          : `${tool} had a probe when it was sent, and no configuration in use declares it: name that one with --config`,
    }
  if (outside === undefined) return { problem: 'this ledger was opened without the means to ask' }
  const probes = singleProbes(declared)
  if ('problem' in probes) return probes
  return distrust(probes.probes, outside) ?? probes
}

/** Programs run, and variables are handed out, for a configuration that its reader trusts. */
function distrust(
  probes: readonly SingleProbe[],
  { trust }: Outside,
): { readonly problem: string } | undefined {
  const runs = probes.find(({ kind }) => kind === 'command' || kind === 'module')
  const names = [...new Set(probes.flatMap(envOf))]
  if (runs === undefined && names.length === 0) return undefined
  const trusted = trust()
  if (trusted.trusted) return undefined
  const wants = runs === undefined ? `hands out ${names.join(', ')}` : 'runs a program'
  return { problem: `its probe ${wants}, and ${trusted.why}` }
}

export function probeFacts({ operation, external_ids, attempts }: OperationRecord): ProbeFacts {
  const { tool, input_digest } = operation
  const first = firstSent(attempts)
  return {
    ...factsOf(operation, external_ids),
    tool,
    input_digest,
    ...sentSince(first === null ? null : first.at),
  }
}

/** How far a service's clock may be behind ours: what it made meanwhile must still stand in the list we ask for. */
const CLOCK_MARGIN_MS = 3_600_000

function sentSince(at: number | null): Pick<ProbeFacts, 'first_sent' | 'since' | 'since_unix'> {
  if (at === null) return { first_sent: null, since: null, since_unix: null }
  const seconds = Math.floor((at - CLOCK_MARGIN_MS) / 1_000)
  const since = isoTime(seconds * 1_000).replace(/\.\d+Z$/, 'Z')
  return { first_sent: isoTime(at), since, since_unix: String(seconds) }
}

export function probeWorld(
  { config, clock, mask }: Pick<Session, 'config' | 'clock' | 'mask'>,
  outside: Outside,
  signal: AbortSignal,
): ProbeWorld {
  return {
    clock,
    env: outside.env,
    folder: config.path === undefined ? outside.folder : dirname(config.path),
    node: outside.node,
    mask: mask.text,
    signal,
    signalGroup: outside.signalGroup,
  }
}
