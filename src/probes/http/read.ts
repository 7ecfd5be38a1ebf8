import type { JsonValue } from '../../core/json.js'
import type { Observed, Remote } from '../../core/observation.js'
import { parseForeignJson } from '../../core/parse-json.js'
import type { HttpProbe } from '../../core/probe.js'
import { find, isTrue } from '../expression.js'
import { cannotAsk, fillFromEnv, fillPlain, fillUrl } from '../fill.js'
import { resultAt, sortObjects } from '../objects.js'
import type { Brought, Planned, Prober, ProbeWorld, Question } from '../probe.js'
import { type Answers, type Ask, kindOf, noAnswers, refusalOf, requestOne } from './asking.js'
import { failed, type Get, isGot, type NotGot, placeProblem } from './get.js'
import { readHits } from './hits.js'
import { readPages } from './pages.js'
import { NOTHING, notSeen, toldIn } from './told.js'

const DEFAULT_TIMEOUT_MS = 30_000
const DEFAULT_MAX_BYTES = 16 * 1_048_576

type HttpQuestion = Question<HttpProbe>

/** GET only, to named hosts only. `docs/reconcile.md` says what each key does. */
export const http: Prober<HttpProbe> = {
  plan: (question, { env }) => {
    const { probe, facts } = question
    const headers = Object.entries(probe.headers ?? {})
    const missing = headers.flatMap(([, value]) => {
      const found = fillFromEnv(value, env)
      return 'problem' in found ? [found.problem] : []
    })
    return [probe.parent, probe.url].flatMap((template): Planned[] => {
      if (template === undefined) return []
      const url = fillUrl(template, facts)
      if ('problem' in url) return [{ what: `GET ${template}`, problem: url.problem }]
      const problem = missing[0] ?? urlProblem(url.text, probe) ?? postProblem(question)
      const method = template === probe.url && probe.post !== undefined ? 'POST' : 'GET'
      return [{ what: `${method} ${url.text}`, ...(problem === undefined ? {} : { problem }) }]
    })
  },
  ask: async (question, world) => {
    const seen = noAnswers()
    const observed = await asked(question, world, seen)
    return brought(question, world, { seen, observed })
  },
}

function brought(
  question: HttpQuestion,
  { clock }: ProbeWorld,
  { seen, observed }: { readonly seen: Answers; readonly observed: Answered },
): Brought {
  return {
    observed_at: clock().at,
    scope: scopeOf(question),
    request: { kind: 'http', requests: seen.requests.slice(0, 20), count: seen.requests.length },
    response_digest: seen.count === 0 ? null : `sha256:${seen.digest.digest('hex')}`,
    ...observed,
  }
}

type Answered = Observed & Pick<Brought, 'grade'>

function scopeOf({ probe, facts }: HttpQuestion): string | null {
  const scope = probe.scope === undefined ? undefined : fillPlain(probe.scope, facts)
  return scope !== undefined && 'text' in scope ? scope.text : null
}

async function asked(question: HttpQuestion, world: ProbeWorld, seen: Answers): Promise<Answered> {
  const { probe, facts } = question
  const url = fillUrl(probe.url, facts)
  if ('problem' in url) return cannotAsk(url.problem)
  const base = baseOf(question, world)
  if ('problem' in base) return cannotAsk(base.problem)
  const ask: Ask = { base, seen }
  const asked = await parentOf(question, ask)
  if (typeof asked !== 'string') return notSeen(asked)
  const post = postOf(question)
  if ('problem' in post) return cannotAsk(post.problem)
  const read = await readPages(url.text, probe, { ...ask, base: { ...base, ...post } })
  if ('code' in read) return notSeen(read)
  if ('none' in read)
    return { ...NOTHING, completeness: 'complete', parent: asked, remote: unknownTask(probe, read.none) }
  const parent = ownParent(read.documents, probe) ?? asked
  const told = toldIn(read.documents, probe)
  if ('code' in told) return notSeen(told)
  if (probe.point !== undefined && probe.grade === 'D')
    return readHits(question, { ask, read, told, parent, scope: scopeOf(question) })
  const { matches, first, problem } =
    probe.match === undefined || probe.id === undefined
      ? { matches: [], first: read.objects[0], problem: null }
      : sortObjects(read.objects, {
          reading: { match: probe.match, id: probe.id },
          facts,
          // A task that is asked about is no object in our place: it may name what it made, once it has.
          isOwnName: probe.remote === undefined && (probe.grade === 'A' || probe.grade === 'B'),
          scope: scopeOf(question),
        })
  if (problem !== null) return notSeen(failed('not_understood', problem))
  const answer = { ...NOTHING, ...told, parent, matches, ...resultAt(first, probe.result) }
  if (read.cut !== null) return { ...answer, completeness: 'partial', why: read.cut }
  return { ...answer, completeness: 'complete' }
}

/** A task without a record is not an object that never was: its record may have expired while the work goes on. */
function unknownTask({ remote }: HttpProbe, status: number): Remote | null {
  return remote === undefined ? null : { state: 'not_found', says: String(status) }
}

/** What the answer itself says of whether what holds the object can be read; undefined: it is not asked for that. */
function ownParent(
  documents: readonly JsonValue[],
  { parent, readable }: HttpProbe,
): 'readable' | 'unreadable' | undefined {
  if (parent !== undefined || readable === undefined) return undefined
  return documents.every(document => isTrue(find(document, readable))) ? 'readable' : 'unreadable'
}

function postOf({ probe, facts }: HttpQuestion): Pick<Get, 'method' | 'post'> | { readonly problem: string } {
  if (probe.post === undefined) return {}
  const problems: string[] = []
  const post = withFacts(probe.post, text => {
    const filled = fillPlain(text, facts)
    if ('text' in filled) return filled.text
    problems.push(filled.problem)
    return ''
  })
  const [problem] = problems
  return problem === undefined ? { method: 'POST', post: JSON.stringify(post) } : { problem }
}

function postProblem(question: HttpQuestion): string | undefined {
  const post = postOf(question)
  return 'problem' in post ? post.problem : undefined
}

function withFacts(value: JsonValue, text: (text: string) => string): JsonValue {
  if (typeof value === 'string') return text(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(one => withFacts(one, text))
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withFacts(one, text)]))
}

function baseOf({ probe }: HttpQuestion, world: ProbeWorld): Omit<Get, 'url'> | { readonly problem: string } {
  const headers: Record<string, string> = {}
  for (const [name, template] of Object.entries(probe.headers ?? {})) {
    const value = fillFromEnv(template, world.env)
    if ('problem' in value) return value
    headers[name.toLowerCase()] = value.text.trim()
  }
  return {
    headers,
    hosts: hostsOf(probe),
    allowPrivate: probe.allow_private === true,
    timeoutMs: probe.timeout_ms ?? DEFAULT_TIMEOUT_MS,
    maxBytes: probe.max_bytes ?? DEFAULT_MAX_BYTES,
    signal: world.signal,
    now: () => world.clock().at,
  }
}

/** The hosts that the configuration names: written out in its addresses, or under `hosts`. */
export function hostsOf({ url, parent, point, hosts = [] }: HttpProbe): ReadonlySet<string> {
  const written = [url, parent, point].flatMap(template => {
    const [, scheme, host] = /^(https?:\/\/)([^/?#{}]+)(?:[/?#]|$)/i.exec(template ?? '') ?? []
    return scheme === undefined || host === undefined ? [] : [new URL(`${scheme}${host}/`).host]
  })
  return new Set([...written, ...hosts.map(host => host.toLowerCase())])
}

function urlProblem(text: string, probe: HttpProbe): string | undefined {
  if (!URL.canParse(text)) return 'it is no address'
  return placeProblem(new URL(text), { hosts: hostsOf(probe) }) ?? undefined
}

async function parentOf(
  { probe, facts }: HttpQuestion,
  ask: Ask,
): Promise<'readable' | 'unreadable' | 'not_asked' | NotGot> {
  if (probe.parent === undefined) return 'not_asked'
  const url = fillUrl(probe.parent, facts)
  if ('problem' in url) return failed('cannot_ask', url.problem)
  const answer = await requestOne(url.text, ask)
  if (!isGot(answer)) return answer
  if (answer.status >= 200 && answer.status < 300) {
    const body = parseForeignJson(answer.body)
    if (body === undefined || (probe.error !== undefined && isTrue(find(body, probe.error))))
      return failed('not_understood', `what holds it answered ${answer.status} with ${kindOf(answer)}`)
    return probe.readable === undefined || isTrue(find(body, probe.readable)) ? 'readable' : 'unreadable'
  }
  const refusal = refusalOf(answer, ask.base.now())
  return refusal.code === 'rate_limited' || refusal.code === 'server_error' ? refusal : 'unreadable'
}
