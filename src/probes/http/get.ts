import { createHash } from 'node:crypto'
import { lookup } from 'node:dns'
import { type IncomingMessage, request as plainRequest } from 'node:http'
import { request as tlsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import pRetry from 'p-retry'
import { type ErrorFacts, NO_FACTS } from '../../core/classify/facts.js'
import { waitHintsIn } from '../../core/classify/wait-hints.js'
import type { FailureCode } from '../../core/observation.js'
import { addressProblem, bare } from './address.js'

export interface Get {
  readonly url: URL
  /** default GET; HEAD has no body, POST is a question in the body `post` */
  readonly method?: 'GET' | 'HEAD' | 'POST'
  readonly post?: string
  readonly headers: Readonly<Record<string, string>>
  /** hosts that may be asked, small letters, with their port where it is not the usual one */
  readonly hosts: ReadonlySet<string>
  readonly allowPrivate: boolean
  readonly timeoutMs: number
  readonly maxBytes: number
  readonly signal: AbortSignal
  /** for dates in Retry-After, milliseconds since 1970 UTC */
  readonly now: () => number
}

export interface Got {
  readonly url: URL
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly bytes: number
  /** hex, over the bytes of the body */
  readonly digest: string
}

/** A read that brought no answer, and why in words that may be kept. */
export interface NotGot {
  readonly code: FailureCode
  readonly why: string
  readonly retry_after_ms: number | null
}

const RETRIES = 2
/** a service that asks for longer is asked again by a later look */
const LONGEST_PAUSE_MS = 5_000
const MOST_REDIRECTS = 5

/**
 * One read, retried where nothing came or the service was busy. Redirects are followed to named hosts alone. Never
 * rejects. A read may be repeated: nothing it does is done twice.
 */
export async function get(given: Get): Promise<Got | NotGot> {
  let last: Got | NotGot | undefined
  try {
    return await pRetry(
      async () => {
        last = await followed(given)
        if (isWorthRetrying(last, given.now())) throw new Error('again')
        return last
      },
      {
        retries: RETRIES,
        minTimeout: 250,
        maxTimeout: LONGEST_PAUSE_MS,
        randomize: true,
        signal: given.signal,
        onFailedAttempt: () => pause(waitOf(last, given.now()), given.signal),
      },
    )
  } catch {
    return last ?? failed('timed_out', 'it was told to stop')
  }
}

export function isGot(answer: Got | NotGot): answer is Got {
  return 'status' in answer
}

/** What the service asks to wait, by its headers. */
export function waitAsked({ headers, status }: Got, now: number): number | null {
  return waitHintsIn(factsOf({ headers, status }), now).wait_ms
}

function isWorthRetrying(answer: Got | NotGot, now: number): boolean {
  if (waitOf(answer, now) > LONGEST_PAUSE_MS) return false
  if (isGot(answer)) return [429, 502, 503, 504].includes(answer.status)
  return answer.code === 'unreachable'
}

function waitOf(answer: Got | NotGot | undefined, now: number): number {
  if (answer === undefined) return 0
  return (isGot(answer) ? waitAsked(answer, now) : answer.retry_after_ms) ?? 0
}

async function followed(given: Get): Promise<Got | NotGot> {
  let { url, headers } = given
  for (let n = 0; n <= MOST_REDIRECTS; n += 1) {
    const answer = await once({ ...given, url, headers })
    if (!isGot(answer) || answer.status < 300 || answer.status > 399 || answer.status === 304) return answer
    if (given.method !== undefined && given.method !== 'GET')
      return failed('refused', `it redirects (${answer.status}), and what was asked is not asked elsewhere`)
    const next = nextPlace(answer)
    if (next === null) return failed('refused', `it redirects (${answer.status}) to no address`)
    const problem = placeProblem(next, given)
    if (problem !== null) return failed('host_not_named', `it redirects elsewhere: ${problem}`)
    if (url.protocol === 'https:' && next.protocol !== 'https:')
      return failed('refused', 'it redirects from https to http')
    // What was meant for one origin is not handed to another.
    if (next.origin !== url.origin) headers = {}
    url = next
  }
  return failed('refused', `it redirects more than ${MOST_REDIRECTS} times`)
}

function nextPlace({ headers, url }: Got): URL | null {
  const { location } = headers
  return location !== undefined && URL.canParse(location, url.href) ? new URL(location, url) : null
}

/** Why this address may not be asked; null where it may. */
export function placeProblem(url: URL, { hosts }: Pick<Get, 'hosts'>): string | null {
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return `${url.protocol} is neither https nor http`
  if (url.username !== '' || url.password !== '') return 'an address with a name and password in it'
  return hosts.has(url.host) ? null : `${url.host} is no host that the configuration names`
}

function once({
  url,
  method = 'GET',
  post,
  headers,
  allowPrivate,
  timeoutMs,
  maxBytes,
  signal,
}: Get): Promise<Got | NotGot> {
  return new Promise(resolve => {
    const problem = hostProblem(url, allowPrivate)
    if (problem !== null) return resolve(failed('address_not_allowed', problem))
    const send = url.protocol === 'https:' ? tlsRequest : plainRequest
    const request = send(url, {
      method,
      // Nothing is unpacked: a small answer must stay small.
      headers: {
        accept: 'application/json',
        'user-agent': 'agent-ledger',
        ...(post === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
        'accept-encoding': 'identity',
      },
      agent: false,
      signal,
      lookup: checkedLookup(url.hostname, allowPrivate),
    })
    const end = (answer: Got | NotGot) => {
      clearTimeout(timer)
      resolve(answer)
      request.destroy()
    }
    const timer = setTimeout(
      () => end(failed('timed_out', `no whole answer within ${timeoutMs} ms`)),
      timeoutMs,
    )
    request.on('error', error => end(failureOf(error, signal)))
    request.on('response', response => read(response, { url, maxBytes, end }))
    request.end(post)
  })
}

function read(
  response: IncomingMessage,
  { url, maxBytes, end }: { url: URL; maxBytes: number; end: (answer: Got | NotGot) => void },
): void {
  const digest = createHash('sha256')
  const chunks: Buffer[] = []
  let bytes = 0
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > maxBytes) return end(failed('too_large', `the answer has more than ${maxBytes} bytes`))
    digest.update(chunk)
    chunks.push(chunk)
  })
  response.on('error', () => end(failed('unreachable', 'the answer was cut off')))
  response.on('aborted', () => end(failed('unreachable', 'the answer was cut off')))
  response.on('end', () => {
    if (!response.complete) return end(failed('unreachable', 'the answer was cut off'))
    const headers = Object.fromEntries(
      Object.entries(response.headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
    )
    const body = Buffer.concat(chunks).toString('utf8')
    end({ url, status: response.statusCode ?? 0, headers, body, bytes, digest: digest.digest('hex') })
  })
}

/** An address that stands in the URL itself is never looked up. */
function hostProblem({ hostname }: URL, allowPrivate: boolean): string | null {
  const host = bare(hostname)
  return /^[\d.]+$|:/.test(host) ? addressProblem(host, { host: hostname, allowPrivate }) : null
}

/** Checks what the name leads to now, and connects to just that: it cannot lead elsewhere a moment later. */
export function checkedLookup(
  host: string,
  allowPrivate: boolean,
  resolve: typeof lookup = lookup,
): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0)
      const problem = addresses
        .map(({ address }) => addressProblem(address, { host, allowPrivate }))
        .find(Boolean)
      const [first] = addresses
      if (typeof problem === 'string' || first === undefined)
        return callback(new AddressRefused(problem ?? `${hostname} has no address`), '', 0)
      if (options.all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
}

class AddressRefused extends Error {
  readonly code = 'ADDRESS_REFUSED'
}

function failureOf(error: Error, signal: AbortSignal): NotGot {
  if (signal.aborted) return failed('timed_out', 'it was told to stop')
  if (error instanceof AddressRefused) return failed('address_not_allowed', error.message)
  const code = 'code' in error ? String(error.code) : ''
  return failed('unreachable', `${code === '' ? error.name : code}: ${error.message || 'no connection'}`)
}

export function failed(code: FailureCode, why: string, retry_after_ms: number | null = null): NotGot {
  return { code, why, retry_after_ms }
}

function factsOf({ headers, status }: Pick<Got, 'headers' | 'status'>): ErrorFacts {
  return { ...NO_FACTS, response: { status, headers, body: null } }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms === 0 || signal.aborted) return Promise.resolve()
  return new Promise(resolve => {
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done, { once: true })
    function done() {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
  })
}
