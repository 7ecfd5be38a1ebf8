import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTcp, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A real HTTP server on this machine for the length of a test; what arrived, in order. */
export async function httpServer(answer: (request: Arrived, response: ServerResponse) => void) {
  const arrived: Arrived[] = []
  const listener: RequestListener = async (request, response) => {
    const one = { request, body: await textOf(request) }
    arrived.push(one)
    answer(one, response)
  }
  const port = await portOf(createServer(listener))
  return { url: `http://127.0.0.1:${port}`, arrived }
}

export interface Arrived {
  readonly request: IncomingMessage
  readonly body: string
}

/** A server that answers with this. */
export function answering(
  status: number,
  body: unknown = '',
  headers: Readonly<Record<string, string>> = {},
) {
  return httpServer((_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
}

/** A server below HTTP. */
export async function tcpServer(onConnect: (socket: Socket) => void): Promise<number> {
  return portOf(createTcp(onConnect))
}

/** Listens on a free port, and closes with the test, connections too. */
export async function portOf(server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('it does not listen')
  return address.port
}

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createTcp()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise(resolve => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
