import { createServer as createHttp, request as httpRequest } from 'node:http'
import { connect, constants, createServer as createHttp2 } from 'node:http2'
import { createServer as createHttps, request as httpsRequest } from 'node:https'
import { connect as tcpConnect } from 'node:net'
import { createServer as createTls } from 'node:tls'
import { describe, expect, it, onTestFinished } from 'vitest'
import { CERTIFICATE, KEY } from './support/certificate.js'
import { aCall, aLedger, recordOf } from './support/ledgers.js'
import { freePort, httpServer, portOf, tcpServer } from './support/servers.js'

// What Node itself throws, from real sockets: shapes change with its versions, the answers must not.

const post = (url: string) => fetch(url, { method: 'POST', body: '{"title":"x"}' })

describe('a connection that was never there', () => {
  it.each<[string, string, () => Promise<unknown>]>([
    [
      'a port that nobody listens on',
      'connect_refused',
      async () => post(`http://127.0.0.1:${await freePort()}/`),
    ],
    [
      'a port that nobody listens on, without fetch',
      'connect_refused',
      async () => posted({ port: await freePort() }),
    ],
    ['a name that nobody knows', 'host_not_found', async () => post('http://no-such-host.invalid/')],
    [
      'a certificate that nobody vouches for',
      'tls_refused',
      async () => post(`https://127.0.0.1:${await secure()}/`),
    ],
    [
      'a certificate of another name',
      'tls_refused',
      async () => posted({ port: await secure(), ca: CERTIFICATE }, httpsRequest),
    ],
    [
      'a server that speaks no TLS, by fetch',
      'tls_refused',
      async () => post(`https://127.0.0.1:${await plain()}/`),
    ],
    ['a server that speaks no TLS', 'tls_refused', async () => posted({ port: await plain() }, httpsRequest)],
    [
      'a server without a certificate',
      'tls_refused',
      async () => posted({ port: await portOf(createTls({})) }, httpsRequest),
    ],
    [
      'a server that wants a certificate of the client',
      'tls_refused',
      async () => {
        const port = await secure({ requestCert: true, rejectUnauthorized: true })
        return posted({ port, rejectUnauthorized: false }, httpsRequest)
      },
    ],
    [
      'an end before the handshake, by fetch',
      'tls_cut',
      async () => post(`https://127.0.0.1:${await closing()}/`),
    ],
    ['an end before the handshake', 'tls_cut', async () => posted({ port: await closing() }, httpsRequest)],
    ['an HTTP/2 stream that was refused', 'stream_refused', async () => refusedStream()],
  ])('(%s) leaves nothing done', async (_, rule, call) => {
    const { ledger, store } = await aLedger()
    const outcome = await ledger.run(aCall({ maxAttempts: 1 }), call)
    expect(outcome).toMatchObject({ status: 'not_executed' })
    const { operation } = await recordOf(store)
    expect(operation).toMatchObject({ may_have_applied: false, last_error: { rule } })
  })
})

describe('a connection that was lost', () => {
  it.each<[string, string, () => Promise<unknown>]>([
    ['after the request, by fetch', 'connection_lost', async () => post(await dropping())],
    [
      'after the request',
      'connection_lost',
      async () => posted({ port: Number(new URL(await dropping()).port) }),
    ],
    ['in the middle of the answer', 'connection_lost', async () => (await post(await cutting())).json()],
    [
      'on a socket that was used before',
      'connection_lost',
      async () => {
        const url = await dropping({ after: 1 })
        await (await post(url)).text()
        return post(url)
      },
    ],
    [
      'by an abort',
      'aborted',
      async () => fetch(await silent(), { method: 'POST', signal: AbortSignal.timeout(20) }),
    ],
  ])('(%s) leaves it unknown', async (_, rule, call) => {
    const { ledger, store } = await aLedger()
    expect(await ledger.run(aCall({ maxAttempts: 1 }), call)).toMatchObject({ status: 'unknown' })
    const { operation } = await recordOf(store)
    expect(operation).toMatchObject({ may_have_applied: true, last_error: { rule } })
  })
})

describe('B3: the phase of a failure', () => {
  const mail = (task: string) => aCall({ id: `mail ${task}`, task, tool: 'send_email', maxAttempts: 1 })

  it('decides of a mail: refused while connecting it is not executed, silent after the data it is unknown', async () => {
    const { ledger } = await aLedger()
    const refusing = await freePort()
    const swallowing = await tcpServer(socket => {
      socket.write('220 mail.example\r\n')
      // it takes everything in and never says 250
      socket.on('data', () => {})
    })
    await ledger.run(mail('refused'), () => sentMail(refusing))
    await ledger.run(mail('silent'), () => sentMail(swallowing))
    await ledger.run(mail('no phase'), () => Promise.reject(new Error('timeout')))
    const listed = await ledger.list({ statuses: ['not_executed', 'unknown'] })
    const statuses = Object.fromEntries(
      listed.operations.map(({ operation_id, status }) => [operation_id, status]),
    )
    expect(statuses).toEqual({
      'mail refused': 'not_executed',
      'mail silent': 'unknown',
      'mail no phase': 'unknown',
    })
  })
})

/** A mail sent by hand: the message goes out, and the server's word that it has it is waited for. */
function sentMail(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = tcpConnect(port, '127.0.0.1')
    socket.once('error', reject)
    socket.once('data', () => {
      socket.write('DATA\r\nhello\r\n.\r\n')
      socket.setTimeout(20, () => {
        socket.destroy()
        const error = Object.assign(new Error('timeout'), {
          code: 'ETIMEDOUT',
          command: 'awaiting 250 after data',
        })
        reject(error)
      })
      socket.on('data', text => resolve(String(text)))
    })
  })
}

function posted(
  options: object,
  request: typeof httpRequest | typeof httpsRequest = httpRequest,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', method: 'POST', path: '/', ...options }, response => {
      response.resume()
      response.on('end', () => resolve(String(response.statusCode)))
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end('{"title":"x"}')
  })
}

function secure(options: object = {}): Promise<number> {
  return portOf(createHttps({ key: KEY, cert: CERTIFICATE, ...options }, (_, response) => response.end('ok')))
}

function plain(): Promise<number> {
  return portOf(createHttp((_, response) => response.end('ok')))
}

function closing(): Promise<number> {
  return tcpServer(socket => socket.once('data', () => socket.destroy()))
}

async function dropping({ after = 0 } = {}): Promise<string> {
  let count = 0
  const { url } = await httpServer(({ request }, response) => {
    count += 1
    if (count > after) request.socket.destroy()
    else response.end('ok')
  })
  return url
}

async function cutting(): Promise<string> {
  const { url } = await httpServer(({ request }, response) => {
    response.writeHead(201, { 'content-length': '100' })
    response.write('{"id":', () => request.socket.destroy())
  })
  return url
}

async function silent(): Promise<string> {
  return (await httpServer(() => {})).url
}

async function refusedStream(): Promise<never> {
  const server = createHttp2()
  server.on('stream', stream => {
    stream.on('error', () => {})
    stream.close(constants.NGHTTP2_REFUSED_STREAM)
  })
  const session = connect(`http://127.0.0.1:${await portOf(server)}`)
  onTestFinished(() => session.destroy())
  session.on('error', () => {})
  return new Promise((_, reject) => {
    const stream = session.request({ ':method': 'POST', ':path': '/' })
    stream.on('error', reject)
    stream.end('x')
  })
}
