import type { Match, Observed } from '../core/observation.js'
import type { S3Probe } from '../core/probe.js'
import { type AwsCredential, awsHeaders, escaped } from './aws-signature.js'
import { cannotAsk, fillPlain } from './fill.js'
import { noAnswers, refusalOf, requestOne } from './http/asking.js'
import { type Get, type Got, isGot, type NotGot, placeProblem } from './http/get.js'
import type { ProbeFacts, Prober, ProbeWorld } from './probe.js'

const DEFAULT_TIMEOUT_MS = 30_000

interface Place {
  readonly bucket: string
  readonly key: string
  readonly bucketUrl: string
  readonly url: string
}

/**
 * An object under its key: HEAD, strongly consistent. It is ours where its own metadata says so, or its content is what
 * we sent. Without leave to list, S3 answers 403 for what is not there: that is never an absence.
 */
export const s3: Prober<S3Probe> = {
  plan: ({ probe, facts }, { env }) => {
    const place = placeOf(probe, facts)
    if ('problem' in place)
      return [{ what: `HEAD s3://${probe.bucket}/${probe.key}`, problem: place.problem }]
    const credential = credentialOf(probe, env)
    return [{ what: `HEAD ${place.url}`, ...('problem' in credential ? credential : {}) }]
  },
  ask: async ({ probe, facts }, world) => {
    const seen = noAnswers()
    const place = placeOf(probe, facts)
    const credential = credentialOf(probe, world.env)
    const observed =
      'problem' in place
        ? cannotAsk(place.problem)
        : 'problem' in credential
          ? cannotAsk(credential.problem)
          : await looked(place, { probe, facts, world, seen, credential })
    return {
      observed_at: world.clock().at,
      scope: probe.scope ?? null,
      request: { kind: 's3', requests: seen.requests },
      // A HEAD has no body: what it says stands in the match.
      response_digest: null,
      ...observed,
    }
  },
}

function placeOf(probe: S3Probe, facts: ProbeFacts): Place | { readonly problem: string } {
  const [bucket, key] = [probe.bucket, probe.key].map(text => fillPlain(text, facts))
  if (bucket === undefined || key === undefined) return { problem: 'nothing was named' }
  if ('problem' in bucket) return bucket
  if ('problem' in key) return key
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket.text))
    return { problem: `${bucket.text.slice(0, 80)} is no name of a bucket` }
  if (!/^[a-z0-9-]+$/.test(probe.region)) return { problem: `${probe.region} is no region` }
  const segments = key.text.split('/')
  // An address with dots in it would be made another one on the way.
  if (segments.some(part => part === '.' || part === '..') || !key.text.isWellFormed())
    return { problem: 'the key cannot be asked for by an address' }
  const path = segments.map(escaped).join('/')
  const bucketUrl = bucketAddress(probe, bucket.text)
  if (!URL.canParse(bucketUrl)) return { problem: `${bucketUrl} is no address` }
  return { bucket: bucket.text, key: key.text, bucketUrl, url: `${bucketUrl}${path}` }
}

// The certificate of AWS fits a name with no further dot in it.
function bucketAddress({ endpoint, region }: S3Probe, bucket: string): string {
  if (endpoint !== undefined) return `${endpoint.replace(/\/+$/, '')}/${bucket}/`
  const host = `s3.${region}.amazonaws.com`
  return bucket.includes('.') ? `https://${host}/${bucket}/` : `https://${bucket}.${host}/`
}

function credentialOf(
  { access_key_env, secret_key_env, session_token_env }: S3Probe,
  env: ProbeWorld['env'],
): AwsCredential | { readonly problem: string } {
  const [accessKey = '', secretKey = ''] = [env[access_key_env], env[secret_key_env]]
  if (accessKey === '') return { problem: `the environment has no ${access_key_env}` }
  if (secretKey === '') return { problem: `the environment has no ${secret_key_env}` }
  const sessionToken = session_token_env === undefined ? '' : (env[session_token_env] ?? '')
  return { accessKey, secretKey, ...(sessionToken === '' ? {} : { sessionToken }) }
}

interface Looking {
  readonly probe: S3Probe
  readonly facts: ProbeFacts
  readonly world: ProbeWorld
  readonly seen: ReturnType<typeof noAnswers>
  readonly credential: AwsCredential
}

async function looked(place: Place, looking: Looking): Promise<Observed> {
  const { probe, world } = looking
  const holding = await head(place.bucketUrl, looking)
  if (!isGot(holding)) return { completeness: 'failed', ...holding }
  const isReadable = holding.status === 200
  const answer = await head(place.url, looking)
  if (!isGot(answer)) return { completeness: 'failed', ...answer }
  const parent: 'readable' | 'unreadable' = isReadable ? 'readable' : 'unreadable'
  const silent = { statements: [], remote: null, disagreements: [], parent, matches: [] }
  if (answer.status === 404) {
    const isDeleted = answer.headers['x-amz-delete-marker'] === 'true'
    const disagreements = isDeleted
      ? [`a delete marker stands under ${place.key}: something was there`, `${place.key} is not there`]
      : []
    return { ...silent, completeness: 'complete', disagreements }
  }
  if (answer.status !== 200) return { completeness: 'failed', ...refusalOf(answer, world.clock().at) }
  return {
    ...silent,
    completeness: 'complete',
    matches: [matchOf(place, answer, { probe, facts: looking.facts })],
  }
}

async function head(address: string, { probe, world, seen, credential }: Looking): Promise<Got | NotGot> {
  const url = new URL(address)
  const hosts = new Set([url.host])
  const problem = placeProblem(url, { hosts })
  if (problem !== null) return { code: 'cannot_ask', why: problem, retry_after_ms: null }
  const { at } = world.clock()
  const base: Omit<Get, 'url'> = {
    method: 'HEAD',
    headers: awsHeaders(
      { method: 'HEAD', url, region: probe.region, headers: { 'x-amz-checksum-mode': 'ENABLED' }, at },
      credential,
    ),
    hosts,
    allowPrivate: probe.allow_private === true,
    timeoutMs: probe.timeout_ms ?? DEFAULT_TIMEOUT_MS,
    maxBytes: 65_536,
    signal: world.signal,
    now: () => world.clock().at,
  }
  return requestOne(address, { base, seen })
}

function matchOf(
  { bucket, key, url }: Place,
  { headers }: Got,
  { probe, facts }: Pick<Looking, 'probe' | 'facts'>,
): Match {
  const etag = (headers.etag ?? '').replace(/^(?:W\/)?"|"$/g, '')
  const version = headers['x-amz-version-id'] ?? `${etag} of ${headers['last-modified'] ?? 'no date'}`
  // The key alone is taken again by the next write: what was written has its version.
  const external_id = { kind: 's3_object', value: `s3://${bucket}/${key} ${version}`, url }
  const marker = headers[`x-amz-meta-${probe.metadata}`]
  const found = headers['x-amz-checksum-sha256'] ?? etag
  const match = { external_id, digest: found }
  if (marker === facts.operation_id) return { ...match, matched_by: 'operation_id' }
  if (marker === facts.idempotency_key) return { ...match, matched_by: 'key' }
  const wanted = probe.digest === undefined ? undefined : fillPlain(probe.digest, facts)
  const own = wanted !== undefined && 'text' in wanted ? wanted.text.replace(/^"|"$/g, '') : undefined
  // What carries the mark of another write is that write's, whatever its content.
  if (marker === undefined && own !== undefined && (own === found || own === etag))
    return { ...match, matched_by: 'digest' }
  const differs =
    marker === undefined
      ? `it carries no mark of ours, and its content is ${found}${own === undefined ? '' : `, ours is ${own}`}`
      : `it is marked as ${marker}`
  return { ...match, matched_by: 'attributes', differs }
}
