import { channelOf } from './news.js'
import { plain, type Send } from './transaction.js'

/** One process tells at most so often: whoever hears it looks at everything anyway. */
const EVERY_MS = 250

export interface Teller {
  /** passes statements on, and notes where one of them writes an event */
  noting(send: Send): Send
  /** an event was committed, and it is time to tell */
  isDue(): boolean
  /** Tells in a transaction of its own, after the commit: inside it all writers would wait for one another. */
  tell(send: Send, done: () => void): void
  /** settles when nothing is being told any more */
  told(): Promise<void>
}

/** Tells those who listen to a ledger that it was written. That it fails, or is late, is nothing to anybody. */
export function teller(schema: string): Teller {
  let isWritten = false
  let isResting = false
  let telling: Promise<void> = Promise.resolve()
  return {
    noting: send => statements => {
      if (statements.some(({ text }) => ADDS_EVENT.test(text))) isWritten = true
      return send(statements)
    },
    isDue: () => isWritten && !isResting,
    tell(send, done) {
      isWritten = false
      isResting = true
      const rest = setTimeout(() => {
        isResting = false
      }, EVERY_MS)
      rest.unref()
      telling = send([plain(`select pg_notify('${channelOf(schema)}', '')`)])
        .then(done, done)
        .catch(() => undefined)
    },
    told: () => telling,
  }
}

const ADDS_EVENT = /insert into "(?:[^"]|"")*"\.ledger_event /
