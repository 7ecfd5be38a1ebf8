import { type Call, isLedgerError, type Ledger, notExecuted, type Sending } from '../../../src/index.js'
import { at } from '../seeded.js'
import type { Action, CallEnd } from './actions.js'
import type { Machine } from './machine.js'
import { KINDS, type Kind, type Outside } from './outside.js'

/** A request that has left and may still arrive, until nothing of its attempt can any more. */
interface InTheAir {
  readonly kind: Kind
  readonly sending: Pick<Sending, 'attempt' | 'fence' | 'operation_id'>
  /** in true time */
  readonly until: number
  readonly by: Ledger
}

export interface Scene {
  readonly machine: Machine
  readonly outside: Outside
  readonly air: InTheAir[]
  /** by operation: how often a person accepted a duplicate */
  readonly accepted: Map<string, number>
  /** what the person last saw of each: its version */
  readonly seen: Map<string, number>
}

export const TASK = 'task-1'
const REASON = 'part of a sequence'

/** What a person or a program may be told; anything else is a fault of the ledger. */
const EXPECTED = ['conflict', 'refused', 'not_found', 'invalid_input', 'different_input']

/** Plays one action. What is refused is refused, and changes nothing that the laws do not allow. */
export async function play(scene: Scene, action: Action): Promise<void> {
  try {
    await played(scene, action)
  } catch (error) {
    if (!isLedgerError(error) || !EXPECTED.includes(error.code)) throw error
  }
}

async function played(scene: Scene, action: Action): Promise<void> {
  const { machine } = scene
  switch (action.do) {
    case 'prepare':
      await machine.executor(action.by).prepare(callOf(at(KINDS, action.op)))
      return
    case 'send':
      return send(scene, at(KINDS, action.op), machine.executor(action.by))
    case 'run':
      return run(scene, action)
    case 'run_and_die': {
      const { op, by, call } = action
      await send(scene, at(KINDS, op), machine.executor(by), { isPrepared: false, call })
      machine.die(by)
      return
    }
    case 'arrive':
      return arrive(scene, scene.air[action.sending])
    case 'end':
      return end(scene, scene.air[action.sending], action.call)
    case 'heartbeat': {
      const one = scene.air[action.sending]
      if (one !== undefined && machine.lives(one.by)) await one.by.heartbeat(one.sending, { leaseMs: 60_000 })
      return
    }
    case 'die':
    case 'start_again':
      machine.die(action.by)
      return
    case 'wait':
      machine.wait(action.ms)
      return
    case 'set_clock':
      machine.setClock(action.aheadMs)
      return
    case 'reboot':
      machine.reboot()
      return
    case 'reopen_ledger':
      await machine.reopen()
      return
    case 'look':
      for (const { id } of KINDS)
        scene.seen.set(id, (await machine.store().operation(id))?.operation.version ?? 0)
      return
    case 'decide':
      return decide(scene, at(KINDS, action.op), action.as)
    case 'task': {
      const person = machine.person()
      if (action.as === 'takeover') await person.takeover(TASK, REASON)
      else if (action.as === 'handback') await person.handback(TASK, REASON)
      else await person.cancelTask(TASK, REASON)
    }
  }
}

/** The clock stands still while a run waits: a retry that is due later is left to a later action. */
function callOf({ id, repeat }: Kind): Call {
  const call = { id, task: TASK, tool: `things.${id}`, input: { id }, repeat, maxAttempts: 2 }
  return { ...call, waitForRetryMs: 0 }
}

async function send(
  scene: Scene,
  kind: Kind,
  by: Ledger,
  { isPrepared, call }: { readonly isPrepared: boolean; readonly call: CallEnd } = {
    isPrepared: true,
    call: 'in_the_air',
  },
): Promise<void> {
  if (!isPrepared) await by.prepare(callOf(kind))
  const sent = await by.send(kind.id)
  if (!sent.sent) return
  const one = await left(scene, kind, sent.sending, by)
  if (call === 'done' || call === 'done_unheard') arrive(scene, one)
}

/** From here on the request is under way, and the ledger says how long it can be. */
async function left(scene: Scene, kind: Kind, sending: InTheAir['sending'], by: Ledger): Promise<InTheAir> {
  const attempts = (await scene.machine.store().operation(kind.id))?.attempts ?? []
  const attempt = attempts.find(({ n }) => n === sending.attempt)
  if (attempt === undefined)
    throw new Error(`attempt ${sending.attempt} of ${kind.id} left and is not on record`)
  const longest = (attempt.latest_arrival ?? Number.POSITIVE_INFINITY) - attempt.sent_at
  const one = { kind, sending, by, until: scene.machine.trueNow() + longest }
  scene.air.push(one)
  return one
}

function arrive({ machine, outside }: Scene, one: InTheAir | undefined): void {
  if (one === undefined || machine.trueNow() > one.until) return
  if (outside.hasArrived(one.kind.id, one.sending.attempt)) return
  outside.arrive(one.kind, one.sending.attempt, machine.trueNow())
}

/** An executor says how its call ended; it tells the truth, or that it does not know. */
async function end(scene: Scene, one: InTheAir | undefined, call: CallEnd): Promise<void> {
  const { machine, outside } = scene
  if (one === undefined || !machine.lives(one.by)) return
  const { kind, sending, by } = one
  if (call === 'done') {
    arrive(scene, one)
    if (outside.hasArrived(kind.id, sending.attempt)) await by.confirm(sending, { result: { id: kind.id } })
  } else if (call === 'refused') {
    if (outside.hasArrived(kind.id, sending.attempt)) return
    remove(scene, one)
    await by.reject(sending, { reason: 'refused before anything happened' })
  } else {
    if (call === 'done_unheard') arrive(scene, one)
    await by.lose(sending, { reason: 'no answer' })
  }
}

function remove({ air }: Scene, one: InTheAir): void {
  air.splice(air.indexOf(one), 1)
}

async function run(
  scene: Scene,
  { op, by, call }: { readonly op: number; readonly by: number; readonly call: CallEnd },
): Promise<void> {
  const kind = at(KINDS, op)
  const ledger = scene.machine.executor(by)
  await ledger.run(callOf(kind), async ({ attempt, fence }) => {
    if (call === 'refused') throw notExecuted('refused before anything happened')
    const one = await left(scene, kind, { operation_id: kind.id, attempt, fence }, ledger)
    if (call === 'in_the_air') throw new Error('the connection ended')
    arrive(scene, one)
    if (call === 'done_unheard') throw new Error('the connection ended')
    return { id: kind.id }
  })
}

async function decide(
  scene: Scene,
  { id }: Kind,
  as: Extract<Action, { do: 'decide' }>['as'],
): Promise<void> {
  const { machine, outside, accepted, seen } = scene
  const person = machine.person()
  const isDone = outside.effects(id).length > 0
  const settling = isDone
    ? ({ as: 'confirmed', reason: REASON, evidence: ['it is there'] } as const)
    : ({ as: 'not_executed', reason: REASON, evidence: ['it is not there'] } as const)
  switch (as) {
    case 'resolve':
      await person.resolve(id, settling)
      return
    case 'resolve_early':
      await person.resolve(id, isDone ? settling : { ...settling, early: true })
      return
    case 'resolve_what_was_seen':
      await person.resolve(id, { ...settling, expectVersion: Math.max(1, seen.get(id) ?? 1) })
      return
    case 'allow_retry':
      await person.allowRetry(id, { reason: REASON })
      return
    case 'accept_duplicate':
      await person.allowRetry(id, { reason: REASON, acceptDuplicate: 'there may be two of them' })
      accepted.set(id, (accepted.get(id) ?? 0) + 1)
      return
    case 'reopen':
      await person.reopen(id, { reason: REASON })
      return
    case 'abandon':
      await person.abandon(id, { reason: REASON })
      return
    case 'cancel':
      await person.cancel(id, { reason: REASON })
      return
    case 'withdraw':
      await person.withdraw(id, { reason: REASON })
  }
}
