import { describe, expect, it } from 'vitest'
import type { Context, State } from '../../src/core/transitions/requests.js'
import { openStore } from '../../src/store/open.js'
import type { Change, Store } from '../../src/store/store.js'
import { NOON, stampAt } from '../core/builders.js'
import { CONFIRM, did, later, PREPARE, SEND, tried } from './support/changes.js'
import { aLedger } from './support/ledgers.js'

// What a process remembers of its own last commits must never be what is there no more.

describe('what a store remembers of its last commits', () => {
  it('is what a store that remembers nothing reads', async () => {
    const { store, another } = await opened()
    const sent = await did(store, 'op-1', [PREPARE('op-1'), SEND()])
    const seen: unknown[] = []
    const look = (of: Store) =>
      of.change({ ...LOOK, plan: seenBy(seen, (state, context) => [{ state, context }]) })
    await look(store)
    await look(await another())
    expect(seen[0]).toEqual(seen[1])
    expect(seen[0]).toMatchObject({ state: { operation: sent.operation } })
  })

  it('is forgotten when another process writes', async () => {
    const { store, another } = await opened()
    await did(store, 'op-1', [PREPARE('op-1'), SEND()])
    await (await another()).changeTask({
      task_id: 'task-1',
      request: { type: 'takeover', reason: 'it hangs' },
      by: later(1),
      isOwnerGone: () => false,
    })
    const seen: unknown[] = []
    await store.change({
      ...LOOK,
      plan: seenBy(seen, (state, { task }) => [state?.operation.status, task.epoch]),
    })
    expect(seen).toEqual(['unknown', 2])
  })

  it('is forgotten when this store writes otherwise', async () => {
    const { store } = await opened()
    await did(store, 'op-1', [PREPARE('op-1'), SEND()])
    await store.signal({
      kind: 'activity',
      subject: { operation_id: 'op-1', attempt: 1, fence: 2 },
      clock: () => stampAt(NOON + 5),
    })
    const { operation } = await did(store, 'op-1', [CONFIRM()], later(6))
    expect(operation.activity_at).toBe(NOON + 5)
  })

  it('is forgotten when a change that shared its commit was undone', async () => {
    const { store } = await opened()
    const lost = store.change({
      ...LOOK,
      operation_id: 'op-1',
      task_id: 'task-1',
      plan: () => [PREPARE('op-1'), SEND()],
      isOwnerGone: () => false,
      // the event cannot be written: the row is undone with it
      decision_id: 'a\ud800',
    })
    await Promise.allSettled([lost, did(store, 'op-2', [PREPARE('op-2')])])
    await expect(lost).rejects.toMatchObject({ code: 'invalid_input' })
    expect((await tried(store, 'op-1', [CONFIRM()], later(2))).state).toBeNull()
  })
})

const LOOK = { operation_id: 'op-1', by: later(2), isOwnerGone: () => false, onRefusal: 'keep' } as const

/** A plan that writes down what it is shown, and changes nothing. */
function seenBy(seen: unknown[], what: (state: State | null, context: Context) => unknown[]): Change['plan'] {
  return (state, context) => {
    seen.push(...what(state, context))
    return []
  }
}

async function opened() {
  const { path } = aLedger()
  const open = () => openStore({ url: path, clock: () => stampAt(NOON), program: 'test' })
  return { store: await open(), another: open }
}
