import { externalIdOf, type IdAbout } from '../core/external-id.js'
import type { JsonValue } from '../core/json.js'
import { tooDeep } from '../core/json-depth.js'
import type { ExternalId } from '../core/operation.js'
import type { Signal } from '../store/store.js'
import { type ActivityAbout, actionTold, isEmpty } from './activity.js'
import type { Live, Previous } from './announce.js'
import type { Executor } from './executor.js'
import { type Hold, type Keeper, signalOf } from './heartbeat.js'

/** What the outside call is made with. Send `idempotencyKey` where the service takes one, and obey `signal`. */
export interface HandlerContext {
  /** the same for every attempt of this operation; for the service's idempotency header or a name of its own */
  readonly idempotencyKey: string
  /** 1 for the first sending */
  readonly attempt: number
  /** raised by every change of hands; for services that can refuse an older writer */
  readonly fence: number
  /** aborted when the time is up, or when the lease is lost: stop sending */
  readonly signal: AbortSignal
  /** what earlier attempts left */
  readonly previous: Previous
  /**
   * Names an object that the call made or touched, as soon as it is known: kept even if this process dies right
   * after. Never rejects.
   */
  externalId(kind: string, value: string | number | bigint, about?: IdAbout): Promise<void>
  /** the process lives; renews the lease, which also happens by itself. Never rejects. */
  heartbeat(): Promise<Hold>
  /** it did something; `about` says what, so that going round is seen. Never rejects. */
  activity(about?: ActivityAbout): Promise<Hold>
  /** something was achieved; `evidence` says what: a batch id, a count. A later attempt finds it in `previous`. Never rejects. */
  progress(evidence: JsonValue): Promise<Hold>
}

export type Handler<T> = (context: HandlerContext) => T | Promise<T>

interface Parts {
  readonly live: Live
  readonly keeper: Keeper
  readonly aborting: AbortController
  /** takes what the handler names, to be told again with the outcome */
  readonly external_ids: ExternalId[]
}

/**
 * What the handler is given. The ledger's own failure is no failure of the handler: what it names goes into the
 * outcome too, and what it writes is queued before the outcome, so it is never written after it.
 */
export function handlerContext(executor: Executor, parts: Parts): HandlerContext {
  const { live, keeper, aborting, external_ids } = parts
  const { operation, attempt, previous } = live
  return {
    idempotencyKey: operation.idempotency_key,
    attempt: attempt.n,
    fence: attempt.fence,
    // made when it is first asked for: it is dear, and many handlers do without
    get signal() {
      return aborting.signal
    },
    previous,
    externalId: async (kind, value, about = {}) => {
      const id = externalIdOf(kind, value, about)
      if (id === null) return unfit('an external id it named is none')
      external_ids.push(id)
      await keepId(executor, live, id).catch(() => {})
    },
    heartbeat: () => keeper.renew(),
    activity: async about => {
      const action = told(about)
      return tell('activity', action === undefined ? {} : { action })
    },
    progress: async evidence => {
      const progress = asJson(evidence)
      if (progress === undefined) unfit('a progress it reported cannot be written as JSON')
      // without evidence it is activity
      return isEmpty(progress) ? tell('activity', {}) : tell('progress', { progress })
    },
  }

  async function tell(
    kind: 'activity' | 'progress',
    about: Pick<Signal, 'action' | 'progress'>,
  ): Promise<Hold> {
    const lost = { held: false, cancel_requested: false }
    if (aborting.signal.aborted) return lost
    const answer = await signalOf(executor, live, { kind, ...about }).catch(() => null)
    if (answer === null) return { held: true, cancel_requested: false }
    return answer.held ? { held: true, cancel_requested: answer.cancel_requested } : lost
  }

  function told(about: ActivityAbout | undefined) {
    try {
      return actionTold(executor, about)
    } catch {
      unfit('an activity it reported is none')
      return undefined
    }
  }

  function unfit(what: string): void {
    const { operation_id } = operation
    executor.warn({
      code: 'evidence_unfit',
      message: `${operation_id}: ${what}; it was left out`,
      operation_id,
    })
  }
}

function keepId({ store, clock, actor }: Executor, { operation, attempt }: Live, id: ExternalId) {
  return store.addEvidence({
    operation_id: operation.operation_id,
    evidence: [
      { kind: 'receipt', origin: 'observed', attempt: attempt.n, body: { external_ids: [{ ...id }] } },
    ],
    external_ids: [id],
    by: { actor, clock },
  })
}

function asJson(value: unknown): JsonValue | undefined {
  try {
    const text = JSON.stringify(value)
    return text === undefined || tooDeep(text) !== null ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}
