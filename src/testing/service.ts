import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { LedgerError } from '../core/errors.js'
import type { JsonValue } from '../core/json.js'
import type { Stamp } from '../core/time.js'
import { systemClock } from '../host.js'
import { type Call, createCalls } from './calls.js'
import { countedRules, type Fault, type FaultRule, pick } from './fault.js'
import type { Answer, Mode } from './keys.js'
import { type Asked, routeOf } from './route.js'
import { createWaiting } from './waiting.js'
import { cut, header, readBody, send, sendHalf } from './wire.js'
import { createWork, problem, type Written } from './work.js'
import { createWorld, type Effect } from './world.js'

export interface ServiceOptions {
  /** default: plain */
  readonly mode?: Mode
  readonly faults?: readonly FaultRule[]
  /** default: a free one */
  readonly port?: number
  /** for creation times, retention and lag; delays run on real timers. Default: the machine's */
  readonly clock?: () => Stamp
}

/** A remote service that can go wrong in every way that matters, and that alone knows what truly happened. */
export interface FakeService {
  /** `http://127.0.0.1:<port>` */
  readonly url: string
  /** the true effects, in order; over HTTP: `GET /_effects` */
  effects(): Effect[]
  /** every request that arrived, in order; over HTTP: `GET /_calls` */
  calls(): Call[]
  /** other rules from now on; calls are counted from 1 again */
  setFaults(rules: readonly FaultRule[]): void
  /** lets every call go on that a `delay` without `ms` holds; over HTTP: `POST /_release` */
  release(): void
  /** cuts every connection; calls still held do nothing any more */
  close(): Promise<void>
}

/**
 * Starts the service on 127.0.0.1. Any first path segment is a collection of JSON objects:
 * `POST /tickets` (keyed, plain) or `PUT /tickets/<name>` with `If-None-Match: *` (conditional) makes one → 201;
 * `GET /tickets/<id or name>` reads one; `GET /tickets?key=…`, `?name=…` or `?<field of the body>=…` finds some;
 * `GET /tickets?page=2&per_page=10` lists: `{items, next, complete}`.
 */
export async function startService(options: ServiceOptions = {}): Promise<FakeService> {
  const { mode = { kind: 'plain' }, faults = [], port = 0, clock = systemClock() } = options
  const now = () => clock().at
  const world = createWorld(now)
  const calls = createCalls()
  const waiting = createWaiting()
  const work = createWork({ world, mode, clock: now, base: () => url })
  let rules = countedRules(faults)

  const server = createServer((request, response) => {
    response.on('error', () => cut(response))
    void serve(request, response)
  })
  const url = await listening()

  return {
    url,
    effects: world.effects,
    calls: calls.all,
    setFaults: next => {
      rules = countedRules(next)
    },
    release: waiting.release,
    close: () =>
      new Promise(resolve => {
        waiting.end()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const target = targetOf(request)
    if (target.pathname.startsWith('/_')) return send(response, inspect(request.method, target.pathname))
    const asked = routeOf(request.method ?? '', target, mode)
    const met = asked === null ? [] : rules(asked.action)
    const n = calls.add({
      at: now(),
      method: request.method ?? '',
      path: `${target.pathname}${target.search}`,
      key: header(request, 'idempotency-key'),
      action: asked?.action ?? null,
      faults: met.map(({ kind }) => kind),
    })
    if (pick(met, 'drop_request').length > 0) return cut(request)
    const body = await readBody(request)
    if (!body.complete) return cut(request)
    const answer = await answerTo(request, { asked, met, n, json: body.json })
    if (pick(met, 'drop_response').length > 0) return cut(response)
    // A client that left gets nothing, but the work above is done: the order of a real service.
    if (response.destroyed) return
    calls.answered(n, answer.status)
    if (pick(met, 'cut_response').length > 0) return sendHalf(response, answer)
    send(response, answer)
  }

  interface Received {
    readonly asked: Asked | null
    readonly met: readonly Fault[]
    readonly n: number
    readonly json: JsonValue | undefined
  }

  async function answerTo(request: IncomingMessage, { asked, met, n, json }: Received): Promise<Answer> {
    await waiting.wait(met, 'request')
    const instead = pick(met, 'answer').find(({ stage }) => stage === 'request')
    if (instead !== undefined) return answerOf(instead)
    if (asked === null) return problem(404, 'no_such_path')
    if (asked.action === 'create' && json === undefined) return problem(400, 'body_is_not_json')
    const writing = {
      call: n,
      key: header(request, 'idempotency-key'),
      onlyIfAbsent: header(request, 'if-none-match') === '*',
      body: json ?? null,
    }
    const written: Written =
      asked.action === 'create'
        ? work.write(asked, writing)
        : { answer: work.lookUp(asked, met), finish: () => {} }
    if (pick(met, 'duplicate').length > 0 && asked.action === 'create') work.write(asked, writing)
    await waiting.wait(met, 'response')
    const replaced = pick(met, 'answer').find(({ stage }) => stage === 'response')
    const answer = replaced === undefined ? written.answer : answerOf(replaced)
    written.finish(replaced?.remembered === true ? answer : written.answer)
    return answer
  }

  function inspect(method: string | undefined, path: string): Answer {
    if (method === 'GET' && path === '/_effects') return { status: 200, headers: {}, body: world.effects() }
    if (method === 'GET' && path === '/_calls') return { status: 200, headers: {}, body: calls.all() }
    if (method !== 'POST' || path !== '/_release') return problem(404, 'no_such_path')
    waiting.release()
    return { status: 200, headers: {}, body: {} }
  }

  function listening(): Promise<string> {
    return new Promise((resolve, reject) => {
      server.once('error', cause =>
        reject(new LedgerError('invalid_input', `the fake service cannot listen on port ${port}`, { cause })),
      )
      server.listen(port, '127.0.0.1', () => resolve(`http://127.0.0.1:${portOf(server.address())}`))
    })
  }
}

function targetOf({ url = '/' }: IncomingMessage): URL {
  const text = `http://127.0.0.1${url.startsWith('/') ? url : '/'}`
  return new URL(URL.canParse(text) ? text : 'http://127.0.0.1/')
}

function answerOf({ status, headers = {}, body = null }: Extract<Fault, { kind: 'answer' }>): Answer {
  return { status, headers, body }
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0
}
