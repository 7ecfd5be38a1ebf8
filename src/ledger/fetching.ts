import type { Answer } from '../core/classify/answer.js'
import { LedgerError } from '../core/errors.js'
import { type Check, checkFields, isAny, isObject, isSomeText } from '../core/given.js'
import type { JsonValue } from '../core/json.js'
import { jsonText } from '../core/json-depth.js'
import type { RunOutcome } from '../core/run-outcome.js'
import { fetchHandler, type HttpWrite } from '../execute/wrappers/fetch.js'
import type { Call } from './call.js'
import type { Executing } from './executing.js'
import type { Session } from './session.js'

/** A call whose input and target follow from the request where they are left out. */
export type FetchCall = Omit<Call, 'input'> & Partial<Pick<Call, 'input'>>

/** One HTTP write. Headers are never recorded; URL and body are, where the call gives no input of its own. */
export interface WriteRequest {
  /** http or https, without a name and password in it */
  readonly url: string | URL
  /** default POST */
  readonly method?: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  /** a body as JSON, with its content type */
  readonly json?: JsonValue
  /** a body as it is; not a stream, which could be sent once only */
  readonly body?: string | Uint8Array<ArrayBuffer>
  /** the header for the key of a tool whose repeat is `idempotency_key`; default `Idempotency-Key` */
  readonly keyHeader?: string
}

export interface Fetching {
  /**
   * Sends one HTTP write under `run`. The key goes along where the contract says `idempotency_key`; no redirect is
   * followed; the answer is read once, up to 1 MiB, and read by the rules: 2xx confirms with `{status, headers, body}`
   * as the result, 202 is `in_progress` owned by `remote`, refusals are `not_executed`, the rest is `unknown`.
   * @throws LedgerError as `run` does; in every case nothing was sent
   */
  fetch(call: FetchCall, request: WriteRequest): Promise<RunOutcome<Answer>>
}

export function fetching({ config }: Pick<Session, 'config'>, { run }: Pick<Executing, 'run'>): Fetching {
  return {
    fetch: async (call, request) => {
      const repeat = call.repeat ?? config.tools[call.tool]?.repeat
      const write = httpWrite(request, repeat?.kind === 'idempotency_key')
      const { input = inputOf(write, request), target = write.url.host, ...rest } = call
      return run({ ...rest, input, target }, fetchHandler(write))
    },
  }
}

const METHODS: readonly string[] = ['POST', 'PUT', 'PATCH', 'DELETE']

const FIELDS: Readonly<Record<keyof WriteRequest, Check>> = {
  url: value => (urlOf(value) === null ? 'must be an http or https URL without a name and password' : null),
  method: value =>
    METHODS.some(method => method === value) ? null : `must be a write: one of ${METHODS.join(', ')}`,
  headers: value => isObject(value) ?? headersProblem(value),
  json: isAny,
  body: value =>
    typeof value === 'string' || value instanceof Uint8Array
      ? null
      : 'must be a text or bytes, which can be sent again as they are',
  keyHeader: value => isSomeText(value) ?? headersProblem({ [String(value)]: '' }),
}

function httpWrite(request: WriteRequest, isKeyed: boolean): HttpWrite {
  checkFields(request, { fields: FIELDS, required: ['url'], what: 'the request' })
  const { method = 'POST', json, body, keyHeader = 'Idempotency-Key' } = request
  const url = urlOf(request.url)
  if (url === null) throw unfit('url', 'must be an http or https URL')
  if (json !== undefined && body !== undefined) throw unfit('body', 'is given twice: give json or body')
  const headers = new Headers(request.headers)
  if (isKeyed && headers.has(keyHeader))
    throw unfit(
      'headers',
      `has ${keyHeader}: the ledger sends the operation's own key, the same at every attempt`,
    )
  if (json !== undefined && !headers.has('content-type')) headers.set('content-type', 'application/json')
  return {
    url,
    method,
    headers,
    body: json === undefined ? (body ?? null) : jsonBody(json),
    key_header: isKeyed ? keyHeader : null,
  }
}

function jsonBody(json: JsonValue): string {
  const text = jsonText(json, 'the request: "json"')
  if (text === undefined) throw unfit('json', 'has no JSON form')
  return text
}

function inputOf({ url, method, body }: HttpWrite, { json }: WriteRequest): JsonValue {
  const sent = body instanceof Uint8Array ? Buffer.from(body).toString('base64') : body
  return { method, url: url.href, body: json ?? sent }
}

function urlOf(value: unknown): URL | null {
  const text = value instanceof URL ? value.href : value
  if (typeof text !== 'string' || !URL.canParse(text)) return null
  const url = new URL(text)
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:'
  return isWeb && url.username === '' && url.password === '' ? url : null
}

function headersProblem(value: unknown): string | null {
  try {
    void new Headers(Object(value))
    return null
  } catch {
    return 'must be headers by name'
  }
}

function unfit(name: string, problem: string): LedgerError {
  return new LedgerError('invalid_input', `the request: "${name}" ${problem}`, { path: name })
}
