import { statSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import { createStore, openStore } from '../../src/store/open.js'
import { openForWriting } from '../../src/store/sqlite/open.js'
import { NOON, stampAt } from '../core/builders.js'
import { conformance } from './conformance.js'
import { aDirectory } from './support/places.js'

conformance('SQLite', async () => {
  const url = `${aDirectory()}/ledger.db`
  const options = { url, waitMs: 5_000, clock: () => stampAt(NOON), program: 'a test' }
  await createStore(options)
  statSync(url)
  const again = async () => {
    const store = await openStore(options)
    onTestFinished(() => store.close())
    return store
  }
  const engine = await openForWriting({ path: url, waitMs: 5_000 })
  onTestFinished(() => engine.close())
  return { store: await again(), engine, again }
})
