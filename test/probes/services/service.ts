import type { IncomingMessage, ServerResponse } from 'node:http'
import { aServer, type TestServer } from '../support/server.js'

/** What goes wrong with the next requests whose path holds `on`; taken away when it has met `times` of them. */
export interface Trouble {
  readonly on?: string
  /** default 1; every retry of a read counts */
  readonly times?: number
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** the connection is cut after so much of the answer */
  readonly cut?: 'before' | 'within'
}

export interface Asked {
  readonly method: string
  readonly url: URL
  readonly headers: IncomingMessage['headers']
  /** JSON or form, as it came; undefined: nothing */
  readonly body: unknown
}

export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

export interface FakeOf {
  readonly url: string
  /** requests that came, in order: `GET /repos/a/b` */
  readonly asked: string[]
  readonly requests: TestServer['requests']
  trouble(...next: readonly Trouble[]): void
  /** the answer of the next write is lost, after it took effect */
  loseNextAnswer(): void
}

/** An HTTP service that does as `answer` says, and goes wrong as it is told. Writes are what `isWrite` says. */
export async function fakeOf(
  answer: (asked: Asked) => Answer,
  isWrite: (asked: Asked) => boolean = ({ method }) => method !== 'GET' && method !== 'HEAD',
  afterwards?: (work: () => void) => void,
): Promise<FakeOf> {
  let troubles: Trouble[] = []
  let isLosing = false
  const asked: string[] = []
  const server = await aServer((request, response) => void serve(request, response), afterwards)
  return {
    url: server.url,
    asked,
    requests: server.requests,
    trouble: (...next) => {
      troubles = [...next]
    },
    loseNextAnswer: () => {
      isLosing = true
    },
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const url = new URL(request.url ?? '/', 'http://service')
    const one = { method: request.method ?? '', url, headers: request.headers, body: bodyOf(chunks, request) }
    asked.push(`${one.method} ${url.pathname}`)
    const met = take(url)
    if (met?.cut === 'before') return void response.destroy()
    if (met?.status !== undefined) return send(response, { ...met, status: met.status }, one.method)
    const said = answer(one)
    if (isLosing && isWrite(one)) {
      isLosing = false
      return void response.destroy()
    }
    if (met?.cut === 'within') {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '10000' }).write('[')
      return void setImmediate(() => response.destroy())
    }
    send(response, said, one.method)
  }

  function take(url: URL): Trouble | undefined {
    const found = troubles.find(({ on }) => on === undefined || url.href.includes(on))
    if (found === undefined) return undefined
    const left = (found.times ?? 1) - 1
    troubles = troubles.flatMap(one => (one !== found ? [one] : left === 0 ? [] : [{ ...one, times: left }]))
    return found
  }
}

function send(response: ServerResponse, { status, headers = {}, body }: Answer, method: string): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body ?? {})
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(method === 'HEAD' ? undefined : text)
}

function bodyOf(chunks: readonly Buffer[], { headers }: IncomingMessage): unknown {
  const text = Buffer.concat(chunks).toString('utf8')
  if (text === '') return undefined
  if (headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true)
    return Object.fromEntries(new URLSearchParams(text))
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Whom a bearer token belongs to. */
export function bearer({ headers }: Asked): string | undefined {
  return /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1]
}

/** A clock that tests move, in milliseconds; creation times and lags go by it. */
export interface ServiceClock {
  readonly now: () => number
}
