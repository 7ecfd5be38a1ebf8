import type { Repeat } from '../../core/operation.js'
import type { ProbeDeclaration, ServiceProbe, SingleProbe } from '../../core/probe.js'
import type { ServiceContract } from './contract.js'
import { gitPush } from './git.js'
import { githubComments, githubIssues, githubRefs, githubReleases } from './github.js'
import { gitlabNotes } from './gitlab.js'
import { jiraIssues } from './jira.js'
import { kubernetesObjects } from './kubernetes.js'
import { linearIssues } from './linear.js'
import { npmPublish } from './npm.js'
import { postgresTransaction } from './postgres.js'
import { s3Objects } from './s3.js'
import { slackMessages, slackReplies } from './slack.js'
import { stripeV1, stripeV2 } from './stripe.js'
import { a2aTasks, mcpTasks } from './tasks.js'
import { temporalWorkflow } from './temporal.js'

export type { ServiceContract } from './contract.js'

/** The services that are known, by the name `service:` gives. A new one is its file and one line here. */
export const SERVICE_CONTRACTS: Readonly<Record<string, ServiceContract>> = {
  'github.issues': githubIssues,
  'github.comments': githubComments,
  'github.releases': githubReleases,
  'github.refs': githubRefs,
  'gitlab.notes': gitlabNotes,
  'stripe.v1': stripeV1,
  'stripe.v2': stripeV2,
  'slack.messages': slackMessages,
  'slack.replies': slackReplies,
  's3.objects': s3Objects,
  'npm.publish': npmPublish,
  'git.push': gitPush,
  'kubernetes.objects': kubernetesObjects,
  'linear.issues': linearIssues,
  'jira.issues': jiraIssues,
  'a2a.tasks': a2aTasks,
  'mcp.tasks': mcpTasks,
  'temporal.workflow': temporalWorkflow,
  'postgres.transaction': postgresTransaction,
}

/** What of a contract is filled in with the parameters of a tool. */
export type FilledContract = Pick<
  ServiceContract,
  'effect' | 'repeat' | 'arrival_ms' | 'queues' | 'classify' | 'ids' | 'look_here' | 'probes'
>

/** A contract that cannot be used as it is named, and which key of `with:` that is about. */
export interface NamingProblem {
  readonly problem: string
  readonly parameter?: string
}

type Named = Omit<ServiceProbe, 'kind'>

/** A ready contract with its parameters filled in, or what is wrong with how it is named. */
export function serviceContract(
  named: Named,
  contracts: Readonly<Record<string, ServiceContract>> = SERVICE_CONTRACTS,
): FilledContract | NamingProblem {
  const { service, with: given = {}, settle_ms } = named
  const contract = Object.hasOwn(contracts, service) ? contracts[service] : undefined
  if (contract === undefined)
    return {
      problem: `no contract of a service is called ${service}; known are ${Object.keys(contracts).join(', ')}`,
    }
  const { parameters } = contract
  const known = (name: string) => Object.hasOwn(parameters, name)
  const odd = Object.keys(given).find(name => !known(name))
  if (odd !== undefined)
    return {
      problem: `service ${service} knows no with.${odd}; known are ${Object.keys(parameters).join(', ')}`,
      parameter: odd,
    }
  const missing = Object.entries(parameters).flatMap(([name, { default: usual }]) =>
    usual === undefined && given[name] === undefined ? [name] : [],
  )
  if (missing.length > 0) return { problem: `service ${service} wants with.${missing.join(', with.')}` }
  const value = (name: string) => given[name] ?? (known(name) ? parameters[name]?.default : undefined) ?? ''
  const terms = settle_ms === undefined ? {} : { settle_ms }
  const stamp = `${service}@${contract.version}`
  return {
    ...contract,
    repeat: filledIn(contract.repeat, value),
    look_here: filledIn(contract.look_here, value),
    probes: contract.probes.map(probe => ({ ...filledIn(probe, value), ...terms, contract: stamp })),
  }
}

/** The probes of a ready contract, or what is wrong with how it is named. */
export function probesOfService(
  named: Named,
  contracts: Readonly<Record<string, ServiceContract>> = SERVICE_CONTRACTS,
): { readonly probes: readonly SingleProbe[] } | NamingProblem {
  const contract = serviceContract(named, contracts)
  return 'problem' in contract ? contract : { probes: contract.probes }
}

/** The probes of a declaration, those of the ready contracts that it names in their place. */
export function singleProbes(
  declared: ProbeDeclaration,
): { readonly probes: readonly SingleProbe[] } | NamingProblem {
  const probes: SingleProbe[] = []
  for (const one of declared.kind === 'all' ? declared.of : [declared]) {
    if (one.kind !== 'service') {
      probes.push(one)
      continue
    }
    const service = probesOfService(one)
    if ('problem' in service) return service
    probes.push(...service.probes)
  }
  return { probes }
}

/** How long the service knows a key; null: it knows none, or nobody says how long. */
export function retentionOf(repeat: Repeat): number | null {
  return repeat.kind === 'idempotency_key' ? repeat.retention_ms : null
}

/** Only texts are exchanged for texts, and what is left empty is left out: the kind stays what it is. */
function filledIn<T extends Repeat | SingleProbe | ServiceContract['look_here']>(
  given: T,
  parameter: (name: string) => string,
): T {
  const text = (value: string) => value.replace(/\{with\.([\w-]+)\}/g, (_, name: string) => parameter(name))
  return walked(given, text) as T
}

function walked(value: unknown, text: (text: string) => string): unknown {
  if (typeof value === 'string') return text(value)
  if (Array.isArray(value)) return value.map(one => walked(one, text))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).flatMap(([name, one]) => {
    const filled = walked(one, text)
    const isLeftOut = (filled === '' && one !== '') || isWithoutMeaning(one, filled)
    return isLeftOut ? [] : [[text(name), filled]]
  })
  return Object.fromEntries(members)
}

/** A condition that lost what it is compared with. */
function isWithoutMeaning(before: unknown, after: unknown): boolean {
  const has = (value: unknown) => typeof value === 'object' && value !== null && 'equals' in value
  return has(before) && !has(after)
}
