import { didYouMean } from '../core/did-you-mean.js'
import { formatAge } from '../core/duration.js'
import { retentionOf, SERVICE_CONTRACTS, serviceContract } from '../probes/contracts/index.js'
import type { Problem } from './probe-checks.js'

interface ServiceEntry {
  readonly service?: string | undefined
  readonly with?: Readonly<Record<string, string>> | undefined
}

interface ToolEntry extends ServiceEntry {
  readonly repeat?: { readonly kind: string; readonly retention?: number | undefined } | undefined
}

/** What is wrong with how a ready contract is named. */
export function namingProblems({ service, with: given }: ServiceEntry): Problem[] {
  if (service === undefined)
    return given === undefined ? [] : [{ at: ['with'], message: 'there is no service that it is for' }]
  const names = Object.keys(SERVICE_CONTRACTS)
  if (!names.includes(service)) {
    const message = `no contract of a service is called ${service}${didYouMean(service, names)}; known are ${names.join(', ')}`
    return [{ at: ['service'], message }]
  }
  const contract = serviceContract({ service, ...(given === undefined ? {} : { with: given }) })
  if (!('problem' in contract)) return []
  const { parameter, problem } = contract
  return [{ at: parameter === undefined ? ['service'] : ['with', parameter], message: problem }]
}

/** The same of a tool; what it says of the service's memory may be less than the service does, never more. */
export function serviceProblems(tool: ToolEntry): Problem[] {
  const problems = namingProblems(tool)
  const { service, repeat } = tool
  if (problems.length > 0 || service === undefined) return problems
  const known = SERVICE_CONTRACTS[service]
  const kept = known === undefined ? null : retentionOf(known.repeat)
  if (kept === null || repeat?.retention === undefined || repeat.retention <= kept) return []
  const message = `${service} keeps a key for ${formatAge(kept)}: a longer retention is not safe`
  return [{ at: ['repeat', 'retention'], message }]
}
