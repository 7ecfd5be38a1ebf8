import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Request } from '../../../src/core/transitions/requests.js'
import { createStore, openStore } from '../../../src/store/open.js'
import type { Store } from '../../../src/store/store.js'
import { testClock } from '../../../src/testing/test-clock.js'
import { anIntent } from '../../core/builders.js'

/** A ledger of operations whose answers were lost two hours ago, and decisions on all of them as JSONL. */
export interface LostMails {
  readonly ledger: string
  readonly decisions: string
  /** where `plan` may write */
  readonly plan: string
  readonly count: number
}

const HOUR = 3_600_000
/** They share a commit. */
const AT_ONCE = 100

export async function lostMails(folder: string, count: number): Promise<LostMails> {
  const ledger = join(folder, 'ledger', 'ledger.db')
  mkdirSync(join(folder, 'ledger'), { mode: 0o700 })
  const options = { url: ledger, clock: testClock(Date.now() - 2 * HOUR), program: 'test' }
  await createStore(options)
  const store = await openStore(options)
  const ids = Array.from({ length: count }, (_, n) => `mail-${n + 1}`)
  for (let from = 0; from < count; from += AT_ONCE)
    await Promise.all(ids.slice(from, from + AT_ONCE).map(id => lose(store, options.clock, id)))
  await store.close()
  const decisions = join(folder, 'decisions.jsonl')
  const said = { as: 'not_executed', evidence: 'no line in the log of 10:00 to 11:00', reason: 'it was down' }
  writeFileSync(decisions, ids.map(operation_id => `${JSON.stringify({ operation_id, ...said })}\n`).join(''))
  return { ledger, decisions, plan: join(folder, 'plan.jsonl'), count }
}

async function lose(store: Store, clock: ReturnType<typeof testClock>, id: string): Promise<void> {
  const intent = anIntent({ operation_id: id, task_id: 'news', input: { id } })
  const error = { rule: 'thrown', message: 'socket hang up', at: clock().at, attempt: 1 }
  const requests: readonly Request[] = [
    { type: 'prepare', intent },
    { type: 'send', owner: 'host/boot/42/ns/1/abc', lease_ms: 60_000, epoch: null, fence: null },
    { type: 'lose', attempt: 1, fence: 2, error },
  ]
  const { state, refusal } = await store.change({
    operation_id: id,
    task_id: 'news',
    by: { actor: 'agent', clock },
    isOwnerGone: () => false,
    onRefusal: 'undo',
    plan: () => requests.map(request => ({ request })),
  })
  if (refusal !== null || state?.operation.status !== 'unknown')
    throw new Error(`${id}: ${refusal?.reason ?? state?.operation.status}`)
}
