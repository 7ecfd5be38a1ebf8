import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'

/** What stands between a client and its server, and does as it is told. */
export interface Proxy {
  /** the connection string that leads through it */
  readonly url: string
  /** cuts the connection at the next COMMIT of a client: before the server sees it, or before the client sees the answer */
  cutAtCommit(when: 'before' | 'after'): void
  /** how often it did */
  readonly cuts: () => number
  close(): Promise<void>
}

interface ProxyOptions {
  /** tells clients another process number than the server's, as a pooler does */
  readonly isPooler?: boolean
  /** asked at each COMMIT; left out: only cutAtCommit cuts */
  readonly cut?: () => 'before' | 'after' | null
}

/** A proxy on a port of this machine, in front of the Unix socket of a server. */
export async function startProxy(
  { socketFolder, url }: { readonly socketFolder: string; readonly url: string },
  { isPooler = false, cut }: ProxyOptions = {},
): Promise<Proxy> {
  let next: 'before' | 'after' | null = null
  let cuts = 0
  const sockets = new Set<Socket>()
  const server = createServer(client => {
    const upstream = connect(join(socketFolder, '.s.PGSQL.5432'))
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
    }
    const end = () => {
      client.destroy()
      upstream.destroy()
    }
    client.on('close', end)
    upstream.on('close', end)
    let isDeaf = false
    client.on('data', data => {
      const isCommit = data.includes('commit\0') && !data.includes('read only')
      const how = isCommit ? (next ?? cut?.() ?? null) : null
      if (how !== null) {
        next = null
        cuts += 1
        if (how === 'before') return end()
        isDeaf = true
      }
      upstream.write(data)
    })
    upstream.on('data', data => {
      // The server has answered, so it is done; the client never learns.
      if (isDeaf) return end()
      client.write(isPooler ? withOtherProcess(data) : data)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const through = new URL(url.replace('@/', '@127.0.0.1/'))
  through.port = String(port)
  through.searchParams.delete('host')
  through.searchParams.set('sslmode', 'disable')
  return {
    url: through.href,
    cutAtCommit: when => {
      next = when
    },
    cuts: () => cuts,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** BackendKeyData: 'K', its length, the process number, a key. */
function withOtherProcess(data: Buffer): Buffer {
  const at = data.indexOf(Buffer.from([0x4b, 0, 0, 0, 12]))
  if (at < 0) return data
  const changed = Buffer.from(data)
  changed.writeInt32BE(4_242_424, at + 5)
  return changed
}
