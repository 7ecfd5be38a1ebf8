import type { Engine } from '../../../src/store/engine.js'
import { newKey, publicKey, signingKey } from '../../../src/store/sealing/keys.js'
import { parseAnchors, signedNote } from '../../../src/store/sealing/note.js'
import type { Store } from '../../../src/store/store.js'
import { type Verified, verify } from '../../../src/store/verify.js'
import { CONFIRM, did, later, PREPARE, SEND } from './changes.js'

export const MADE = newKey('a-test')
const KEY = signingKey(MADE.privatePem, 'a-test')

/** Seals a ledger, and gives the note that would be kept elsewhere. */
export async function sealed(store: Store, ms: number, waitMs = 5_000) {
  return store.seal({ waitMs, sign: checkpoint => signedNote(checkpoint, KEY) }, later(ms))
}

/** Verifies against notes that were kept elsewhere. */
export function verifiedWith(engine: Engine, notes: string, key: string | null = null): Promise<Verified> {
  return verify(engine, {
    anchors: { anchors: parseAnchors(notes), key: key === null ? null : publicKey(key) },
  })
}

/** An operation that is over, in a task that is closed. */
export async function over(store: Store, id: string, ms: number): Promise<void> {
  const input = { title: `secret of ${id}` }
  await did(store, id, [PREPARE(id, { input }), SEND()], later(ms))
  await did(store, id, [CONFIRM()], later(ms + 1))
}

export async function closed(store: Store, ms: number): Promise<void> {
  const request = { type: 'set_status', status: 'completed', reason: null } as const
  await store.changeTask({ task_id: 'task-1', request, by: later(ms), isOwnerGone: () => false })
}
