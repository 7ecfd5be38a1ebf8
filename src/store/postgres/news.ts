import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { News } from '../news.js'
import { type PostgresPlace, placeOf } from './place.js'
import { hold, listening, type Session } from './pool.js'

/** Between two attempts to listen to a server that is away, or that lets nobody listen. */
const AGAIN_MS = 30_000
/** For its first answer, before looks begin without it. */
const FIRST_MS = 2_000

/** The channel of a ledger. Names are those of a whole database. */
export function channelOf(schema: string): string {
  return `agent_ledger_${hash('sha256', schema).slice(0, 16)}`
}

/**
 * Listens to what writers tell each other after their commits. Only a hint: a pooler that shares the server's processes
 * out hands none on, a replica takes no listeners, and a notice can be lost with its connection.
 */
export function postgresNews(url: string): News {
  const place = placeOf(url)
  let wake: (() => void) | null = null
  let isNews = false
  let session: Session | null = null
  let isResting = false

  const heard = () => {
    isNews = true
    wake?.()
  }

  return {
    async wait(ms, signal) {
      await listen(place)
      if (isNews || signal?.aborted === true) {
        isNews = false
        return
      }
      const over = new AbortController()
      wake = () => over.abort()
      const signals = signal === undefined ? over.signal : AbortSignal.any([over.signal, signal])
      await sleep(ms, undefined, { signal: signals }).catch(() => undefined)
      wake = null
      isNews = false
    },
    async close() {
      await session?.client.end().catch(() => undefined)
    },
  }

  async function listen(at: PostgresPlace): Promise<void> {
    if (session?.isUsable === true || isResting) return
    isResting = true
    const rest = setTimeout(() => {
      isResting = false
    }, AGAIN_MS)
    rest.unref()
    try {
      session = await listening(at, FIRST_MS, channelOf(at.schema), heard)
      hold(session, false)
      // What was written before it listened was not told.
      heard()
    } catch {
      session = null
    }
  }
}
