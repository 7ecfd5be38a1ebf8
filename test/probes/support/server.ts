import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface TestServer {
  /** `http://127.0.0.1:<port>` */
  readonly url: string
  readonly requests: { readonly url: string; readonly headers: IncomingMessage['headers'] }[]
}

/** A server that answers as it is told, and remembers what came. `afterwards`: who ends it; else the test. */
export async function aServer(
  answer: RequestListener,
  afterwards: (work: () => void) => void = onTestFinished,
): Promise<TestServer> {
  const requests: TestServer['requests'] = []
  const server = createServer((request, response) => {
    requests.push({ url: request.url ?? '', headers: request.headers })
    answer(request, response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  afterwards(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address() as AddressInfo // a server that listens on a port has one
  return { url: `http://127.0.0.1:${address.port}`, requests }
}

export function json(value: unknown, status = 200, headers: Record<string, string> = {}): RequestListener {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))
  }
}
