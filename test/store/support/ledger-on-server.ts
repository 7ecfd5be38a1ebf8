import { onTestFinished } from 'vitest'
import { createStore, openStore } from '../../../src/store/open.js'
import { NOON, stampAt } from '../../core/builders.js'

/** How these tests ask for a ledger on a server: its times are those of the test. */
export const asked = (url: string, waitMs = 5_000) => ({
  url,
  waitMs,
  clock: () => stampAt(NOON),
  program: 'a test',
})

export async function aLedgerAt(url: string) {
  await createStore(asked(url))
  return { url, store: await opened(url) }
}

/** Open until the test is over. */
export async function opened(url: string, waitMs?: number) {
  const store = await openStore(asked(url, waitMs))
  onTestFinished(() => store.close())
  return store
}

export const refusalOf = (
  work: Promise<unknown>,
): Promise<{ code?: string; exitCode?: number; message?: string }> =>
  work.then(
    () => ({}),
    (error: Error) => Object.assign(error, { message: error.message }),
  )
