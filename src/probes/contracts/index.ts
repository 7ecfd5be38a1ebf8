import type { ServiceProbe, SingleProbe } from '../../core/probe.js'

/** A service as data: what it promises, how it is asked, and where that stands. */
export interface ServiceContract {
  readonly title: string
  /** the parameters of `with:`, each with what it means */
  readonly parameters: Readonly<Record<string, { readonly means: string; readonly optional?: true }>>
  /** the probes, asked together, with `{with.name}` where parameters go; grade, settle and keeps stand in each */
  readonly probes: readonly SingleProbe[]
  /** addresses of the documents it rests on */
  readonly sources: readonly string[]
}

/** The services that are known, by the name `service:` gives. */
export const SERVICE_CONTRACTS: Readonly<Record<string, ServiceContract>> = {}

/** The probes of a ready contract with its parameters filled in, or what is wrong with how it is named. */
export function probesOfService(
  { service, with: given = {} }: ServiceProbe,
  contracts: Readonly<Record<string, ServiceContract>> = SERVICE_CONTRACTS,
): { readonly probes: readonly SingleProbe[] } | { readonly problem: string } {
  const contract = Object.hasOwn(contracts, service) ? contracts[service] : undefined
  if (contract === undefined) {
    const known = Object.keys(contracts)
    return {
      problem: `no contract of a service is called ${service}${known.length === 0 ? '' : `; known are ${known.join(', ')}`}`,
    }
  }
  const missing = Object.entries(contract.parameters).flatMap(([name, { optional }]) =>
    optional === true || given[name] !== undefined ? [] : [name],
  )
  const odd = Object.keys(given).filter(name => contract.parameters[name] === undefined)
  if (missing.length > 0) return { problem: `service ${service} wants with.${missing.join(', with.')}` }
  if (odd.length > 0) return { problem: `service ${service} knows no with.${odd.join(', with.')}` }
  return { probes: contract.probes.map(probe => filledIn(probe, given)) }
}

/** Only texts are exchanged for texts, so the kind stays what it is. */
function filledIn(probe: SingleProbe, given: Readonly<Record<string, string>>): SingleProbe {
  const text = (value: string) =>
    value.replace(/\{with\.([\w-]+)\}/g, (_, name: string) =>
      Object.hasOwn(given, name) ? (given[name] ?? '') : '',
    )
  return walked(probe, text) as SingleProbe
}

function walked(value: unknown, text: (text: string) => string): unknown {
  if (typeof value === 'string') return text(value)
  if (Array.isArray(value)) return value.map(one => walked(one, text))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, walked(one, text)]))
}
