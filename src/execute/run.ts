import { setTimeout as sleep } from 'node:timers/promises'
import { isLedgerError } from '../core/errors.js'
import type { ExternalId, Intent, Operation } from '../core/operation.js'
import { outcomeOf, type RunOutcome } from '../core/run-outcome.js'
import { elapsedAtMost } from '../core/time.js'
import type { Asking } from '../core/transitions/requests.js'
import type { Ended } from '../core/transitions/settle.js'
import { announce, type Live } from './announce.js'
import { type Called, callHandler, type Settled } from './call-handler.js'
import { endOf } from './ended.js'
import type { Executor } from './executor.js'
import type { Handler } from './handler.js'
import { look } from './look.js'
import { prepare } from './prepare.js'
import { neverSent, type Recorded, recordEnd } from './record-end.js'
import { keepUnrecorded, refuseWhileUnrecorded, unrecordedOutcome } from './unrecorded.js'

export interface Run {
  readonly intent: Intent
  readonly asking: Asking
  readonly lease_ms: number
  /** how long it may wait, in all, for a retry that is due later; then the answer is `waiting` */
  readonly wait_ms: number
  /** false: nothing follows the end of an attempt by itself; whoever asks again gets the next one */
  readonly retries: boolean
}

/**
 * Carries an operation out: its intent is durable before the handler runs, its outcome is recorded after. Where the
 * record answers already, or forbids a repeat, the handler is not run. Rejects only with the ledger's own failure
 * or a call that does not fit, and then nothing was sent.
 */
export async function run<T>(
  executor: Executor,
  { intent, asking, lease_ms, wait_ms, retries }: Run,
  handler: Handler<T>,
): Promise<RunOutcome<T>> {
  const { operation_id, task_id, timeout_ms } = intent
  const until_ms = executor.monotonicMs() + wait_ms
  let isSent = false
  let outcome = await once()
  for (;;) {
    const waitMs = waitFor(outcome, executor.clock().at)
    const isOver = isSent && !retries
    if (waitMs === null || isOver || executor.monotonicMs() + waitMs > until_ms) return outcome
    // What is decided meanwhile (a cancel, a takeover) is seen by the commit that would send it again.
    await sleep(waitMs)
    try {
      outcome = await once()
    } catch (error) {
      // What was answered before is on record and holds: whoever asks next goes on from there.
      if (isLedgerError(error)) return outcome
      throw error
    }
  }

  async function once(): Promise<RunOutcome<T>> {
    await refuseWhileUnrecorded(executor, task_id)
    if ((await executor.askFirst?.(intent)) === 'hold') return heldOutcome<T>(executor, intent)
    const announced = await announce(executor, { operation_id, intent, asking, lease_ms })
    // What is on record under this id is what this handler returned, as JSON holds it.
    if (!announced.sent) return announced.outcome as RunOutcome<T>
    isSent = true
    return carryOut(executor, { live: announced.live, timeout_ms, retries }, handler)
  }
}

/** Who asks with another input under this id is refused as ever, before the record answers. */
async function heldOutcome<T>(executor: Executor, intent: Intent): Promise<RunOutcome<T>> {
  await prepare(executor, intent, {})
  // As above: the result on record is this handler's.
  return (await look(executor, intent.operation_id)).outcome as RunOutcome<T>
}

/** How long until a retry is due; null where the answer is no such wait. */
function waitFor(outcome: RunOutcome, now: number): number | null {
  const isRetry = outcome.status === 'waiting' && outcome.for === 'retry' && outcome.until !== undefined
  return isRetry ? Math.max(1, outcome.until - now) : null
}

export interface Sending {
  readonly live: Live
  readonly timeout_ms: number | null
  /** as in `Run` */
  readonly retries: boolean
}

/** One announced sending, from the last look before its first byte to its outcome on record. */
export async function carryOut<T>(
  executor: Executor,
  { live, timeout_ms, retries }: Sending,
  handler: Handler<T>,
): Promise<RunOutcome<T>> {
  if (isTooLate(executor, live)) return notCalled(executor, live)
  const called = await callHandler(executor, { live, timeout_ms }, handler)
  if (called.settled === null) void keepLate(executor, live, called)
  const ended = endOfCall(executor, live, called)
  return finish<T>(executor, live, { ended: retries ? ended : unrepeated(ended), settled: called.settled })
}

function unrepeated(ended: Ended): Ended {
  if (!('retry' in ended)) return ended
  const { retry: _, ...rest } = ended
  return rest
}

/** The last look before the first byte, by the clock that says more: waiting and sleeping count against the lease. */
function isTooLate({ clock, monotonicMs }: Executor, { attempt, began }: Live): boolean {
  const allowed = attempt.send_by - attempt.sent_at
  return monotonicMs() - began.monotonic_ms >= allowed || elapsedAtMost(began.stamp, clock()) >= allowed
}

function notCalled<T>(executor: Executor, live: Live): Promise<RunOutcome<T>> {
  const { attempt } = live
  const message =
    'its time to be sent had passed when the ledger had written it down, so the call was not made'
  const error = { rule: 'send_by_passed', message, at: executor.clock().at, attempt: attempt.n }
  return finish<T>(executor, live, { ended: neverSent(attempt, error), settled: null })
}

interface Finish<T> {
  readonly ended: Ended
  readonly settled: Settled<T> | null
}

async function finish<T>(
  executor: Executor,
  live: Live,
  { ended, settled }: Finish<T>,
): Promise<RunOutcome<T>> {
  const recorded = await recordEnd(executor, sentOf(live), ended)
  const returned = settled?.kind === 'returned' ? { result: settled.value } : null
  if (!recorded.done) {
    const kept = keepUnrecorded(executor, live, ended)
    return unrecordedOutcome(executor, live, { ended, returned, kept })
  }
  const external_ids = merged(recorded.seen.context.known_external_ids, ended.external_ids)
  const outcome = await answerOf<T>(executor, recorded, external_ids)
  if (outcome.status !== 'confirmed' || returned === null) return outcome
  const { status, by } = outcome
  return { status, ...(returned.result === undefined ? {} : returned), external_ids, by, replayed: false }
}

/** What a handler brings after its time was up: late evidence, or the outcome if nothing else was recorded yet. */
async function keepLate<T>(executor: Executor, live: Live, called: Called<T>): Promise<void> {
  const settled = await called.later
  const ended = endOfCall(executor, live, { ...called, settled })
  const recorded = await recordEnd(executor, sentOf(live), ended)
  if (!recorded.done) keepUnrecorded(executor, live, ended)
}

function endOfCall<T>(executor: Executor, { attempt, operation }: Live, called: Called<T>): Ended {
  const { settled, stopped, external_ids } = called
  const { at } = executor.clock()
  const { contract } = operation
  const { ended, left_out } = endOf(
    { sent: attempt, settled, stopped, external_ids, contract, at },
    executor.mask,
  )
  if (left_out !== null) warnLeftOut(executor, operation, left_out)
  return ended
}

function warnLeftOut({ warn }: Executor, { operation_id }: Operation, left_out: string): void {
  const message = `${operation_id}: its result is not kept: ${left_out}; a resumed run gets none`
  warn({ code: 'result_not_kept', message, operation_id })
}

function sentOf({ operation, attempt }: Live) {
  return { operation_id: operation.operation_id, owner: attempt.owner }
}

async function answerOf<T>(
  { store }: Executor,
  { seen, operation }: Extract<Recorded, { done: true }>,
  external_ids: readonly ExternalId[],
): Promise<RunOutcome<T>> {
  // Whether another write touched the target is read only for what may have applied, which this was not until now.
  const isAsked = operation.status === 'unknown' && operation.target !== null
  const target_touched = isAsked
    ? ((await store.operation(operation.operation_id).catch(() => null))?.target_touched ?? null)
    : null
  const context = { ...seen.context, owner_gone: false, target_touched }
  // As above: the result on record is this handler's.
  return outcomeOf({ operation, refusal: null, external_ids, context }) as RunOutcome<T>
}

function merged(known: readonly ExternalId[], more: readonly ExternalId[]): readonly ExternalId[] {
  const isKnown = ({ kind, value, scope }: ExternalId) =>
    known.some(other => other.kind === kind && other.value === value && other.scope === scope)
  return [...known, ...more.filter(id => !isKnown(id))]
}
