import type { JsonValue } from '../core/json.js'
import type { Observed } from '../core/observation.js'
import { parseForeignJson } from '../core/parse-json.js'
import type { NpmProbe } from '../core/probe.js'
import { find, textOf } from './expression.js'
import { cannotAsk, fillFromEnv, fillPlain } from './fill.js'
import { kindOf, noAnswers, refusalOf, requestOne } from './http/asking.js'
import { isGot, placeProblem } from './http/get.js'
import type { ProbeFacts, Prober, ProbeWorld } from './probe.js'

const REGISTRY = 'https://registry.npmjs.org'
const DEFAULT_TIMEOUT_MS = 30_000
/** packuments of old packages are large */
const MAX_BYTES = 64 * 1_048_576

interface Publish {
  readonly name: string
  readonly version: string
  readonly integrity: string
  readonly url: string
}

/** A version of a package: it is ours where its integrity is that of the tarball we packed. */
export const npm: Prober<NpmProbe> = {
  plan: ({ probe, facts }) => {
    const publish = publishOf(probe, facts)
    return 'problem' in publish
      ? [{ what: `GET ${probe.registry ?? REGISTRY}/${probe.package}`, problem: publish.problem }]
      : [{ what: `GET ${publish.url}` }]
  },
  ask: async ({ probe, facts }, world) => {
    const seen = noAnswers()
    const publish = publishOf(probe, facts)
    const observed =
      'problem' in publish ? cannotAsk(publish.problem) : await looked(publish, { probe, world, seen })
    return {
      observed_at: world.clock().at,
      scope: probe.scope ?? null,
      request: { kind: 'npm', requests: seen.requests },
      response_digest: seen.count === 0 ? null : `sha256:${seen.digest.digest('hex')}`,
      ...observed,
    }
  },
}

function publishOf(probe: NpmProbe, facts: ProbeFacts): Publish | { readonly problem: string } {
  const [name, version, integrity] = [probe.package, probe.version, probe.integrity].map(text =>
    fillPlain(text, facts),
  )
  if (name === undefined || version === undefined || integrity === undefined)
    return { problem: 'nothing was named' }
  if ('problem' in name) return name
  if ('problem' in version) return version
  if ('problem' in integrity) return integrity
  if (!/^(?:@[\w.~-]+\/)?[\w~-][\w.~-]*$/.test(name.text))
    return { problem: `${name.text.slice(0, 100)} is no name of a package` }
  const base = (probe.registry ?? REGISTRY).replace(/\/+$/, '')
  const url = `${base}/${name.text.replace('/', '%2F')}`
  if (!URL.canParse(url)) return { problem: `${base} is no address` }
  return { name: name.text, version: version.text, integrity: integrity.text, url }
}

interface Asking {
  readonly probe: NpmProbe
  readonly world: ProbeWorld
  readonly seen: ReturnType<typeof noAnswers>
}

async function looked(publish: Publish, { probe, world, seen }: Asking): Promise<Observed> {
  const headers: Record<string, string> = {}
  for (const [name, template] of Object.entries(probe.headers ?? {})) {
    const value = fillFromEnv(template, world.env)
    if ('problem' in value) return cannotAsk(value.problem)
    headers[name.toLowerCase()] = value.text.trim()
  }
  const hosts = new Set([new URL(publish.url).host])
  const problem = placeProblem(new URL(publish.url), { hosts })
  if (problem !== null) return cannotAsk(problem)
  const now = () => world.clock().at
  const limits = {
    timeoutMs: probe.timeout_ms ?? DEFAULT_TIMEOUT_MS,
    maxBytes: MAX_BYTES,
    signal: world.signal,
    now,
  }
  const base = { headers, hosts, allowPrivate: probe.allow_private === true, ...limits }
  const answer = await requestOne(publish.url, { base, seen })
  if (!isGot(answer)) return { completeness: 'failed', ...answer }
  // A package nobody may see answers the same.
  if (answer.status === 404)
    return { ...NOTHING, completeness: 'complete', matches: [], parent: 'unreadable' }
  if (answer.status !== 200) return { completeness: 'failed', ...refusalOf(answer, now()) }
  const document = parseForeignJson(answer.body)
  const versions = document === undefined ? undefined : find(document, 'versions')
  if (document === undefined || typeof versions !== 'object' || versions === null || Array.isArray(versions))
    return {
      completeness: 'failed',
      code: 'not_understood',
      why: `the registry answered with ${kindOf(answer)}`,
      retry_after_ms: null,
    }
  return observedIn(document, publish)
}

const NOTHING = { statements: [], remote: null, disagreements: [] } as const

function observedIn(document: JsonValue, { name, version, integrity }: Publish): Observed {
  const at = (path: string) => textOf(find(document, path))
  const quoted = JSON.stringify(version)
  const isListed = find(document, `versions.${quoted}`) !== undefined
  const time = at(`time.${quoted}`)
  const answer = { ...NOTHING, completeness: 'complete' as const, parent: 'readable' as const }
  if (!isListed && time !== undefined)
    return {
      ...answer,
      matches: [],
      disagreements: [`time has ${version} (${time})`, `versions does not have ${version}`],
    }
  if (!isListed) return { ...answer, matches: [] }
  const found = at(`versions.${quoted}.dist.integrity`) ?? null
  const external_id = { kind: 'npm', value: `${name}@${version}` }
  const match =
    found === integrity
      ? { external_id, matched_by: 'digest' as const, digest: found }
      : {
          external_id,
          matched_by: 'attributes' as const,
          digest: found,
          differs: `someone published different content: its integrity is ${found}, ours is ${integrity}`,
        }
  return { ...answer, matches: [match] }
}
