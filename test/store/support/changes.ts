import { digestOf } from '../../../src/core/digest.js'
import type { NewEvidence } from '../../../src/core/evidence.js'
import type { Operation } from '../../../src/core/operation.js'
import type { Request, State, Step } from '../../../src/core/transitions/requests.js'
import type { By, Change, Changed, Store } from '../../../src/store/store.js'
import { anIntent, asked, NOON, stampAt } from '../../core/builders.js'

/** The first ten operations, whatever became of them. */
export const EVERYTHING = { scope: 'all', now: stampAt(NOON), goneOwners: [], sort: 'id', limit: 10 } as const

export const ANA: By = { actor: 'ana', clock: () => stampAt(NOON) }

/** The same person, some milliseconds after noon. */
export function later(ms: number, actor = 'ana'): By {
  return { actor, clock: () => stampAt(NOON + ms) }
}

/** A change of one operation by the steps given, which must all be allowed. */
export async function did(store: Store, id: string, steps: readonly Step[], by = ANA): Promise<State> {
  const { state, refusal } = await tried(store, id, steps, by)
  if (refusal !== null) throw new Error(`refused by ${refusal.rule}: ${refusal.reason}`)
  if (state === null) throw new Error(`${id} is not there`)
  return state
}

export function tried(
  store: Store,
  id: string,
  steps: readonly Step[],
  by = ANA,
  over: Partial<Change> = {},
): Promise<Changed> {
  return store.change({
    operation_id: id,
    by,
    isOwnerGone: () => false,
    plan: () => steps,
    onRefusal: 'keep',
    ...(steps[0]?.request.type === 'prepare' ? { task_id: steps[0].request.intent.task_id } : {}),
    ...over,
  })
}

export const PREPARE = (id: string, over: Partial<Operation> = {}): Step => ({
  request: { type: 'prepare', intent: anIntent({ operation_id: id, target: `target of ${id}`, ...over }) },
})

/** The same, asked for although the task has this tool and input under another id. */
export const PREPARE_AGAIN = (id: string, again: string, over: Partial<Operation> = {}): Step => ({
  request: {
    type: 'prepare',
    intent: anIntent({ operation_id: id, target: `target of ${id}`, ...over }),
    again,
  },
})

export const SEND = (over: object = {}): Step => ({ request: asked.send(over) })

export const CONFIRM = (over: object = {}, evidence: readonly NewEvidence[] = [receipt()]): Step => ({
  request: asked.confirm({ result_digest: digestOf({ id: 'T-1' }), ...over }),
  evidence,
})

export const LOSE = (over: object = {}): Step => ({ request: asked.lose(over) })

export function step(request: Request, evidence: readonly NewEvidence[] = []): Step {
  return { request, evidence }
}

export function receipt(attempt = 1, body: NewEvidence['body'] = { id: 'T-1' }): NewEvidence {
  return { kind: 'receipt', origin: 'observed', attempt, body }
}

export function attestation(body: NewEvidence['body'] = 'seen at https://tickets.example/T-1'): NewEvidence {
  return { kind: 'attestation', origin: 'attested', attempt: null, body }
}
