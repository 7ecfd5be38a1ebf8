import { fieldOf, someText } from '../field.js'

/** What a service answered over HTTP, as far as it can be read off whatever carries it. */
export interface ResponseFacts {
  readonly status: number
  /** by lower-case name */
  readonly headers: Readonly<Record<string, string>>
  /** JSON where it was read, else null; somebody else's value: look inside with `valueAt` only */
  readonly body: unknown
  /** there may be a body, and nobody read it whole: a rule that asks for what stands in it may fit */
  readonly isUnread?: true
}

const MOST_HEADERS = 200
const LONGEST_HEADER = 4_000
/** Longer texts are not looked into: what a rule reads stands in short answers. */
const LONGEST_BODY = 65_536

/**
 * The answer that an error carries: `response` of axios, got, ky, superagent and Octokit; `$metadata` of the AWS
 * SDK; status and headers on the error itself, as undici, Stripe and OpenAI have it. A status alone proves
 * nothing: Octokit writes 500 on errors of the network (octokit/request.js, src/fetch-wrapper.ts).
 */
export function responseIn(thrown: unknown): ResponseFacts | null {
  const response = fieldOf(thrown, 'response')
  const status = statusOf(response)
  if (status !== null)
    return { status, headers: headersOf(fieldOf(response, 'headers')), body: bodyOf(response) }
  const aws = asStatus(fieldOf(fieldOf(thrown, '$metadata'), 'httpStatusCode'))
  if (aws !== null)
    return { status: aws, headers: headersOf(fieldOf(fieldOf(thrown, '$response'), 'headers')), body: thrown }
  const own = statusOf(thrown)
  const headers = fieldOf(thrown, 'headers')
  if (own === null || typeof headers !== 'object' || headers === null) return null
  return { status: own, headers: headersOf(headers), body: bodyOf(thrown) }
}

/** Is it a `Response` as `fetch` gives one, of this realm or another? JSON can never look like it. */
export function isResponseLike(value: unknown): value is object {
  const headers = fieldOf(value, 'headers')
  return (
    asStatus(fieldOf(value, 'status')) !== null &&
    typeof fieldOf(value, 'ok') === 'boolean' &&
    typeof fieldOf(headers, 'get') === 'function' &&
    typeof fieldOf(value, 'text') === 'function'
  )
}

function statusOf(value: unknown): number | null {
  return asStatus(fieldOf(value, 'status')) ?? asStatus(fieldOf(value, 'statusCode'))
}

function asStatus(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= 100 && value <= 599 ? value : null
}

/** Headers, a Map, AxiosHeaders or a plain object, as one object of texts. */
export function headersOf(headers: unknown): Readonly<Record<string, string>> {
  const read: Record<string, string> = Object.create(null)
  for (const [name, value] of entriesOf(headers).slice(0, MOST_HEADERS)) {
    const text = Array.isArray(value) ? value.join(', ') : value
    if (typeof name !== 'string' || (typeof text !== 'string' && typeof text !== 'number')) continue
    read[name.toLowerCase()] = String(text).slice(0, LONGEST_HEADER)
  }
  return read
}

function entriesOf(headers: unknown): (readonly [unknown, unknown])[] {
  if (typeof headers !== 'object' || headers === null) return []
  try {
    const entries: unknown = Reflect.get(headers, 'entries')
    if (typeof entries !== 'function') return Object.entries(headers)
    return [...Reflect.apply(entries, headers, [])]
  } catch {
    return []
  }
}

/** The body where somebody read it: `data`, `body`, `raw` (Stripe), `error` (OpenAI). A stream is none. */
function bodyOf(value: unknown): unknown {
  for (const name of ['data', 'body', 'raw', 'error']) {
    const body = readBody(fieldOf(value, name))
    if (body !== null) return body
  }
  return null
}

/** A body as JSON has it; null for streams, bytes and what nobody wrote as JSON. */
export function readBody(body: unknown): unknown {
  if (Array.isArray(body)) return body
  if (typeof body === 'object' && body !== null) return isPlain(body) ? body : null
  const text = someText(body)
  if (text === null || text.length > LONGEST_BODY || !/^\s*[[{]/.test(text)) return null
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function isPlain(value: object): boolean {
  try {
    const prototype: unknown = Object.getPrototypeOf(value)
    return prototype === null || Object.getPrototypeOf(prototype) === null
  } catch {
    return false
  }
}
