import type { JsonValue } from '../core/json.js'
import type { ExternalId } from '../core/operation.js'
import type { Live, Previous } from './announce.js'
import type { Executor } from './executor.js'
import { externalIdOf, type IdAbout } from './external-id.js'
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
  /** it did something. Never rejects. */
  activity(): Promise<Hold>
  /** something was achieved; `evidence` says what: a batch id, a count. A later attempt finds it in `previous`. Never rejects. */
  progress(evidence: JsonValue): Promise<Hold>
}

export type Handler<T> = (context: HandlerContext) => T | Promise<T>

/** What the handler said while it ran, beside its end. */
export interface Said {
  readonly external_ids: readonly ExternalId[]
  /** settles when everything said is durable, or has failed to become so */
  written(): Promise<void>
}

interface Parts {
  readonly live: Live
  readonly keeper: Keeper
  readonly signal: AbortSignal
}

export function handlerContext(
  executor: Executor,
  { live, keeper, signal }: Parts,
): { context: HandlerContext; said: Said } {
  const { operation, attempt, previous } = live
  const { operation_id } = operation
  const external_ids: ExternalId[] = []
  const writes: Promise<unknown>[] = []
  const context: HandlerContext = {
    idempotencyKey: operation.idempotency_key,
    attempt: attempt.n,
    fence: attempt.fence,
    signal,
    previous,
    externalId: (kind, value, about = {}) => {
      const id = externalIdOf(kind, value, about)
      if (id === null) return unfit('an external id it named is none')
      external_ids.push(id)
      return write(keepId(executor, live, id))
    },
    heartbeat: () => keeper.renew(),
    activity: () => send('activity'),
    progress: evidence => {
      const progress = asJson(evidence)
      if (progress === undefined) void unfit('a progress it reported cannot be written as JSON')
      return send('progress', progress)
    },
  }
  return { context, said: { external_ids, written: async () => void (await Promise.all(writes)) } }

  async function send(kind: 'activity' | 'progress', progress?: JsonValue): Promise<Hold> {
    const lost = { held: false, cancel_requested: false }
    if (signal.aborted) return lost
    let held: Hold = { held: true, cancel_requested: false }
    await write(
      signalOf(executor, live, { kind, ...(progress === undefined ? {} : { progress }) }).then(answer => {
        held = answer.held ? { held: true, cancel_requested: answer.cancel_requested } : lost
      }),
    )
    return held
  }

  /** The ledger's failure is no failure of the handler: what counts is told again with the outcome. */
  function write(writing: Promise<unknown>): Promise<void> {
    const quiet = writing.then(
      () => {},
      () => {},
    )
    writes.push(quiet)
    return quiet
  }

  async function unfit(what: string): Promise<void> {
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
    by: { actor, now: clock() },
  })
}

function asJson(value: unknown): JsonValue | undefined {
  try {
    const text = JSON.stringify(value)
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}
