import { Socket } from 'node:net'
import type { Pass } from './outside.js'

// As in passing.ts, for PostgreSQL: what the driver sends and is sent shows in its sockets.

const BEGIN = 'begin isolation level read committed'
const COMMIT = 'commit\0'
/** CommandComplete of a COMMIT: what the server says once it is durable. */
const DONE = 'COMMIT\0'

/** Names the passings of BEGIN and COMMIT of every writing transaction by what this process is doing. */
export function watchPostgres(doing: () => string, pass: Pass): void {
  const { write, emit } = Socket.prototype
  const committing = new WeakSet<Socket>()
  Object.assign(Socket.prototype, {
    write(this: Socket, data: unknown, ...rest: unknown[]) {
      const sent = Buffer.isBuffer(data) ? data.toString('latin1') : ''
      if (sent.includes(BEGIN)) pass(`${doing()}_before_begin`)
      const isCommit = sent.includes(COMMIT)
      if (isCommit) pass(`${doing()}_before_commit`)
      const written = Reflect.apply(write, this, [data, ...rest])
      if (isCommit) {
        committing.add(this)
        const what = doing()
        setImmediate(() => pass(`${what}_commit_sent`))
      }
      return written
    },
    emit(this: Socket, event: string, ...given: unknown[]) {
      const [data] = given
      if (event === 'data' && committing.has(this) && Buffer.isBuffer(data) && data.includes(DONE)) {
        committing.delete(this)
        pass(`${doing()}_after_commit`)
      }
      return Reflect.apply(emit, this, [event, ...given])
    },
  })
}
