import type { IncomingMessage, ServerResponse } from 'node:http'
import type { JsonValue } from '../core/json.js'
import type { Answer } from './keys.js'

/** Bodies above this are cut off: this service is for tests. */
const MOST_BYTES = 1_048_576

/** A request's body. Without its end nothing of it counts; `json` is absent where it is not JSON, or too long. */
export type Body = { readonly complete: false } | { readonly complete: true; readonly json?: JsonValue }

export async function readBody(request: IncomingMessage): Promise<Body> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of request) {
      if (chunk instanceof Uint8Array) chunks.push(chunk)
      bytes += chunk.length
      if (bytes > MOST_BYTES) return { complete: true }
    }
  } catch {
    return { complete: false }
  }
  return parse(Buffer.concat(chunks).toString('utf8'))
}

function parse(text: string): Body {
  try {
    return { complete: true, json: JSON.parse(text) }
  } catch {
    return { complete: true }
  }
}

export function send(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(`${JSON.stringify(body)}\n`)
}

/** Announces the whole body, sends half of it, and cuts. */
export function sendHalf(response: ServerResponse, { status, headers, body }: Answer): void {
  const bytes = Buffer.from(`${JSON.stringify(body)}\n`)
  response.writeHead(status, {
    'content-type': 'application/json',
    ...headers,
    'content-length': bytes.length,
  })
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => cut(response))
}

/** The client sees the connection end with a reset or an EOF, as when a process or a network dies. */
export function cut({ socket }: IncomingMessage | ServerResponse): void {
  socket?.destroy()
}

export function header(request: IncomingMessage, name: string): string | null {
  const value = request.headers[name]
  return typeof value === 'string' ? value : null
}
