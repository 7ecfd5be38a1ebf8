import { LedgerError } from '../core/errors.js'
import type { NewEvidence } from '../core/evidence.js'
import type { LastError, Operation } from '../core/operation.js'
import type { Refusal, State, Step } from '../core/transitions/requests.js'
import { settleOrRetry } from '../core/transitions/retrying.js'
import { type Ended, isHeld } from '../core/transitions/settle.js'
import { change, isCommitUnknown, type Seen } from './change.js'
import type { Executor } from './executor.js'
import { notFound } from './refused.js'

/** What became of telling the ledger how an attempt ended. */
export type Recorded =
  | { readonly done: true; readonly seen: Seen<EndPlan>; readonly operation: Operation }
  | { readonly done: false; readonly error: unknown }

type Failed = Extract<Ended, { end: 'not_applied' | 'ambiguous' }>

export interface EndPlan {
  readonly steps: readonly Step[]
  /** the attempt still held the fence, so that its end was the outcome */
  readonly wasHeld: boolean
}

export interface Sent {
  readonly operation_id: string
  /** who sent it; null where only attempt and fence are known */
  readonly owner: string | null
}

/**
 * One commit with the outcome, its evidence and its external ids; late evidence where the attempt no longer
 * holds the fence. Never rejects for the ledger's own failure: the caller then keeps the end elsewhere.
 */
export async function recordEnd(executor: Executor, sent: Sent, ended: Ended): Promise<Recorded> {
  const first = await tryOnce(executor, sent, ended)
  // A commit that may have been written is told again on a new connection: a known end gives no step.
  return first.done || !isCommitUnknown(first.error) ? first : tryOnce(executor, sent, ended)
}

async function tryOnce(executor: Executor, sent: Sent, ended: Ended): Promise<Recorded> {
  const { operation_id } = sent
  const jitter = Math.random()
  try {
    const seen = await change(executor, { operation_id }, (state, context): EndPlan => {
      if (state === null || !isSentBy(state, sent, ended)) return { steps: [], wasHeld: false }
      return { steps: settleOrRetry(state, ended, context, jitter), wasHeld: isHeld(state, ended) }
    })
    const state = seen?.changed.state ?? null
    if (seen === null || state === null) throw notFound(operation_id)
    if (!isSentBy(state, sent, ended)) throw unknownAttempt(operation_id, ended)
    if (seen.changed.refusal !== null) throw refusedEnd(operation_id, seen.changed.refusal)
    return { done: true, seen, operation: state.operation }
  } catch (error) {
    return { done: false, error }
  }
}

/** Is that attempt on record, under that fence, by that holder? */
export function isSentBy(
  { attempts }: State,
  { owner }: Sent,
  { attempt, fence }: Pick<Ended, 'attempt' | 'fence'>,
): boolean {
  return attempts.some(sent => {
    return sent.n === attempt && sent.fence === fence && (owner === null || sent.owner === owner)
  })
}

export function unknownAttempt(
  operation_id: string,
  { attempt, fence }: Pick<Ended, 'attempt' | 'fence'>,
): LedgerError {
  return new LedgerError(
    'conflict',
    `the ledger knows no attempt ${attempt} of ${operation_id} that was sent under fence ${fence}`,
    {
      id: operation_id,
      rule: 'attempt_known',
      hint: 'Give the attempt and fence that `send` answered with.',
    },
  )
}

function refusedEnd(id: string, { reason, rule }: Refusal): LedgerError {
  return new LedgerError('internal', `the end of an attempt of ${id} was refused: ${reason}`, { id, rule })
}

/** The end of an attempt that was announced and for which no call was made. */
export function neverSent(sent: { n: number; fence: number }, error: LastError): Failed {
  const evidence: NewEvidence = {
    kind: 'call_never_made',
    origin: 'observed',
    attempt: sent.n,
    body: { rule: error.rule, message: error.message },
  }
  return {
    attempt: sent.n,
    fence: sent.fence,
    end: 'not_applied',
    error,
    external_ids: [],
    evidence: [evidence],
  }
}
