import { setTimeout as sleep } from 'node:timers/promises'
import { isLedgerError, type Ledger, openLedger } from '../../../src/index.js'
import type { FakeService } from '../../../src/testing/index.js'
import { settling } from './decisions.js'
import { callOf, TASK } from './job.js'
import { writeOutside } from './outside.js'
import type { ServiceKind } from './services.js'

interface Recovery {
  readonly path: string
  readonly service: FakeService
  readonly kind: ServiceKind
  readonly ids: readonly string[]
  readonly isGambler: boolean
}

interface Recovered {
  /** how many of the operations were found in doubt */
  readonly inDoubt: number
  /** by operation: how often a person sent again what may have been done, and said so */
  readonly allowed: Map<string, number>
}

const MOST_STEPS = 16
const REASON = 'recovering'

/**
 * What comes after a crash: the agent runs again, and a person settles by what they see outside what is in doubt.
 * `untilArrived` is their waiting until nothing of it can arrive any more.
 */
export async function recovered(
  { path, service, kind, ids, isGambler }: Recovery,
  untilArrived: () => Promise<void>,
): Promise<Recovered> {
  const ledger = await openLedger(path)
  const allowed = new Map<string, number>()
  const doubted = new Set<string>()
  try {
    await ledger.handback(TASK).catch(() => undefined) // where nobody took it over there is nothing to hand back
    for (const id of ids) await settle(ledger, id)
    return { inDoubt: doubted.size, allowed }
  } finally {
    await ledger.close()
  }

  async function settle(opened: Ledger, id: string): Promise<void> {
    for (let step = 0; step < MOST_STEPS; step++)
      if (await isSettledAfter(opened, id).catch(lookAgainIfOvertaken)) return
    throw new Error(
      `${id} is not settled after ${MOST_STEPS} steps: ${JSON.stringify(await opened.show(id))}`,
    )
  }

  /** One step: true when there is nothing more to do. */
  async function isSettledAfter(opened: Ledger, id: string): Promise<boolean> {
    const outside = { url: service.url, mode: kind.mode.kind, id, pass: () => {} }
    const outcome = await opened.run(callOf(kind, id), context => writeOutside(outside, context))
    switch (outcome.status) {
      case 'confirmed':
      case 'cancelled':
        return true
      case 'abandoned':
        await opened.reopen(id, { reason: REASON })
        return false
      case 'unknown':
        doubted.add(id)
        await decideOn(opened, id)
        return false
      case 'not_executed':
        return !(await isAllowedAgain(opened, id))
      case 'waiting':
        if (outcome.for === 'retry') await sleep(Math.max(0, (outcome.until ?? 0) - Date.now()))
        else await goOnWith(opened, id)
        return false
      case 'in_progress':
      case 'unrecorded':
        throw new Error(`${id} is ${outcome.status} although nobody is left: ${JSON.stringify(outcome)}`)
    }
  }

  /** A budget that is spent holds the whole task back, until somebody says that it goes on. */
  async function goOnWith(opened: Ledger, id: string): Promise<void> {
    const task = await opened.task(TASK)
    const { document } = await opened.show(id)
    if (document.task.status === 'budget_exhausted') await task.setStatus('running', REASON)
    else await decideOn(opened, id)
  }

  async function decideOn(opened: Ledger, id: string): Promise<void> {
    if (isGambler && !allowed.has(id) && (await isAllowedAgain(opened, id))) {
      allowed.set(id, 1)
      return
    }
    await untilArrived()
    const wasDone = service.effects().some(({ body }) => Reflect.get(Object(body), 'of') === id)
    await opened.resolve(id, settling(wasDone))
  }
}

/** A late answer settled it between the look and the decision, which is refused for that: they look again. */
function lookAgainIfOvertaken(error: unknown): false {
  if (isLedgerError(error) && (error.code === 'conflict' || error.rule === 'no_such_move')) return false
  throw error
}

/** False: a cancel was asked, so nothing of it is sent again. */
async function isAllowedAgain(ledger: Ledger, id: string): Promise<boolean> {
  try {
    await ledger.allowRetry(id, { reason: REASON, acceptDuplicate: 'there may be two of them' })
    return true
  } catch (error) {
    if (isLedgerError(error) && error.rule === 'no_cancel_asked') return false
    throw error
  }
}
