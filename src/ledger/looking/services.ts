import type { ServiceItem } from '../../core/documents/contracts.js'
import { formatAge } from '../../core/duration.js'
import { SERVICE_CONTRACTS, type ServiceContract } from '../../probes/contracts/index.js'
import { gradeOf, termsOf } from '../../probes/index.js'
import { repeatWords } from './repeat-words.js'

/** The ready contracts of services, as `contracts` lists them. */
export function serviceItems(): readonly ServiceItem[] {
  return Object.entries(SERVICE_CONTRACTS).map(([service, contract]) => itemOf(service, contract))
}

function itemOf(service: string, contract: ServiceContract): ServiceItem {
  const { title, version, effect, repeat, marker, arrival_ms, probes, parameters, sources } = contract
  const terms = probes.map(probe => termsOf(probe, undefined))
  const keeps = terms.flatMap(({ keeps_ms }) => keeps_ms ?? [])
  return {
    service,
    title,
    version,
    effect,
    repeat: repeatWords(repeat),
    marker,
    grade: [...new Set(probes.map(gradeOf))].join(', '),
    settle: wordOf(Math.max(...terms.map(({ settle_ms }) => settle_ms))),
    arrival: arrival_ms === 'unbounded' ? arrival_ms : wordOf(arrival_ms),
    keeps: keeps.length === 0 ? null : wordOf(Math.min(...keeps)),
    parameters: Object.fromEntries(
      Object.entries(parameters).map(([name, { means, default: usual }]) => [
        name,
        { means, default: usual ?? null },
      ]),
    ),
    sources: sources.map(({ url }) => url),
  }
}

function wordOf(ms: number): string {
  return ms === 0 ? 'none' : formatAge(ms)
}
