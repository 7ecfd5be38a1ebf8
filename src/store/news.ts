import { setTimeout as sleep } from 'node:timers/promises'
import { parseLocation } from './location.js'

/** Says that something was written, where it can; whoever waits looks again after a time of their own in any case. */
export interface News {
  /** Settles after so many milliseconds, once something was written, or when the signal is given. Never rejects. */
  wait(ms: number, signal?: AbortSignal): Promise<void>
  close(): Promise<void>
}

/** Only waits. */
export const SILENT: News = {
  wait: (ms, signal) => sleep(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined),
  close: async () => undefined,
}

/** A file says nothing. A server is listened to, on a connection of its own that keeps no program running. */
export async function newsOf(url: string): Promise<News> {
  if (parseLocation(url).engine === 'postgresql')
    return (await import('./postgres/news.js')).postgresNews(url)
  return SILENT
}
