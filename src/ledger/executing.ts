import type { RecordReply } from '../core/documents/record.js'
import { LedgerError } from '../core/errors.js'
import type { JsonValue } from '../core/json.js'
import { checkValueDepth } from '../core/json-depth.js'
import type { ExternalId } from '../core/operation.js'
import type { RunOutcome } from '../core/run-outcome.js'
import { type ActivityAbout, checkEvidence, toldOf } from '../execute/activity.js'
import type { Dispatched } from '../execute/dispatch.js'
import { type Executor, nextOwner } from '../execute/executor.js'
import type { Handler } from '../execute/handler.js'
import { prepare } from '../execute/prepare.js'
import { run } from '../execute/run.js'
import type { Standing } from '../execute/standing.js'
import {
  accept,
  confirm,
  type Failure,
  type Held,
  lose,
  type Receipt,
  reject,
  type Told,
} from '../execute/tell.js'
import type { Signalled } from '../store/store.js'
import { askingFirst } from './asking-first.js'
import { askingOf, type Call, DEFAULT_WAIT_FOR_RETRY_MS, intentOf } from './call.js'
import { type Executed, execCall, type GuardedCommand } from './exec-call.js'
import { type DispatchOptions, dispatchFrom, type PrepareIn, prepareIn } from './outbox.js'
import type { PhaseAbout, PhaseDone } from './phases.js'
import { warnOfRandomId } from './random-id.js'
import type { Recorder } from './recorder.js'
import { record } from './recording.js'
import { type SendOptions, type Sent, send, signal } from './sending.js'
import type { Session } from './session.js'
import type { SuperviseOptions, Supervisor } from './supervisor.js'
import { openTask, type TaskAbout, type TaskHandle } from './tasks.js'

export type { IdAbout } from '../core/external-id.js'
export type { ActivityAbout } from '../execute/activity.js'
export type { Previous } from '../execute/announce.js'
export type { Dispatched, DispatchHandler, Dispatching } from '../execute/dispatch.js'
export type { Handler, HandlerContext } from '../execute/handler.js'
export type { Hold } from '../execute/heartbeat.js'
export type { Standing } from '../execute/standing.js'
export type { Failure, Held, Receipt, Told } from '../execute/tell.js'

export type { GuestClient, GuestConnection } from '../store/store.js'

/** What an executor does with a ledger. */
export interface Executing {
  /**
   * Opens a task (one run of an agent toward a goal), or says more of it, and claims its epoch.
   * @throws LedgerError invalid_input; refused or conflict when it was cancelled or taken over
   */
  task(taskId: string, about?: TaskAbout): Promise<TaskHandle>
  /**
   * Carries one outside write out: the intent is durable before the handler runs, the outcome is recorded after. An
   * operation that is confirmed already answers with its record; one in doubt is not run again unless its contract
   * says that a repeat is safe. A missing task is opened. Retries of the write belong here alone: switch off those
   * of the client below and of the framework above.
   * @throws LedgerError invalid_input, different_input (the id stands for another input), conflict, or the ledger's
   * own failure (busy, ledger_unwritable, …); in every case nothing was sent
   */
  run<T>(call: Call, handler: Handler<T>): Promise<RunOutcome<T>>

  /**
   * Guards a command line, as `agent-ledger exec` does: `run` with the command as its handler. Its exit code is read
   * by the contract of the tool; `end` is null where it was not run. @throws LedgerError as `run`
   */
  exec(call: Call, command: GuardedCommand): Promise<Executed>

  /**
   * The steps of `run` one by one, for an executor that cannot hand its call over as a function. `prepare` writes the
   * intent down; an operation that is there already is attached to.
   * @throws LedgerError invalid_input, different_input, conflict
   */
  prepare(call: Call): Promise<Standing>
  /**
   * The outbox: writes the intent down inside a transaction that the caller holds open on the ledger's own file, with
   * better-sqlite3; it is there with what they commit, or not at all. `dispatch` sends it.
   * @throws LedgerError invalid_input for a connection on another file, without a transaction, or with `synchronous`
   * below full; different_input, refused, conflict. Of a ledger in PostgreSQL a client of pg is given, between its begin
   * and commit, and the answer awaited.
   */
  prepareIn: PrepareIn
  /**
   * Sends what was prepared and is due, whoever prepared it, and what earlier executors left: due retries, doubts
   * whose repeat is safe now, operations whose executor is gone. Any number of dispatchers may run. Operations whose
   * tool has no handler are left and counted; the handler is told the operation and given what `run` gives.
   * @throws LedgerError invalid_input, or the ledger's own failure; what runs is waited for first
   */
  dispatch(options: DispatchOptions): Promise<Dispatched>
  /** Announces an attempt. Only after `sent: true` may bytes leave. @throws LedgerError not_found */
  send(operationId: string, options?: SendOptions): Promise<Sent>
  /** The service took it in and works on it; its outcome is told later by the same attempt and fence. */
  accept(held: Held, accepted: { readonly remote: ExternalId; readonly patience_ms?: number }): Promise<Told>
  /** It took effect. @throws LedgerError not_found, conflict for an attempt that was never made */
  confirm(held: Held, receipt?: Receipt): Promise<Told>
  /** It certainly did not take effect. */
  reject(held: Held, failure: Failure): Promise<Told>
  /** Nobody can tell whether it took effect. */
  lose(held: Held, failure: Failure): Promise<Told>
  /** The executor lives; `leaseMs` renews the lease for so long from now. */
  heartbeat(held: Held, options?: { readonly leaseMs?: number }): Promise<Signalled>
  /**
   * It did something: of a sending. What it did is told of the task as well, so that going round is seen.
   * @throws LedgerError invalid_input
   */
  activity(held: Held, about?: ActivityAbout): Promise<Signalled>
  /** Something was achieved; the evidence says what. The same evidence again is no progress. @throws LedgerError invalid_input without any */
  progress(held: Held, evidence: JsonValue): Promise<Signalled>

  /**
   * A part of a task that is done once. It is written down with the revision of what it is made from and the digest of what
   * it leaves; asked for again it is reused while both are as they were, and done anew where they are not.
   * @throws LedgerError invalid_input, refused, conflict; and whatever `work` throws
   */
  phase<T>(
    name: string,
    about: PhaseAbout,
    work: (why: readonly string[]) => T | Promise<T>,
  ): Promise<PhaseDone<T>>

  /**
   * Holds a run to a budget of steps, time and cost, and stops it gracefully: what runs ends, nothing but reads is newly
   * sent, LangGraph is drained, and after the grace all of it is aborted and the task fenced off.
   * @throws LedgerError invalid_input; refused or conflict as `task` does
   */
  supervise(options: SuperviseOptions): Promise<Supervisor>
  /** A framework's run was told to stop at its next safe point: kept, because its checkpoint does not show it. */
  drained(taskId: string, reason: string): Promise<void>

  /**
   * One verb of `agent-ledger record`, for programs in other languages: the object as JSON has it, the answer too.
   * Expected failures are answers with `ok: false`.
   */
  record(verb: string, given: unknown, options?: Partial<Pick<Recorder, 'ownerOf'>>): Promise<RecordReply>
}

export function executing(session: Session): Executing {
  const { tools } = session.config
  const stallOf = (tool: string) => tools[tool]?.contract.stall ?? null
  const executor: Executor = { ...session, epochs: new Map(), stallOf, askFirst: askingFirst(session) }
  const { lease_ms } = session.config
  const executes: Executing = {
    task: (taskId, about = {}) => openTask(executor, taskId, about),
    run: async (call, handler) => {
      const intent = intentOf(session, call)
      if (typeof handler !== 'function')
        throw new LedgerError('invalid_input', `${intent.operation_id}: the handler is no function`)
      warnOfRandomId(session, intent.operation_id)
      const { leaseMs = lease_ms, waitForRetryMs = DEFAULT_WAIT_FOR_RETRY_MS } = call
      const asked = {
        intent,
        asking: askingOf(call),
        lease_ms: leaseMs,
        wait_ms: waitForRetryMs,
        retries: true,
      }
      return run(executor, asked, handler)
    },
    exec: (call, command) => execCall(session, executor, { call, command }),
    prepare: async call => {
      const intent = intentOf(session, call)
      warnOfRandomId(session, intent.operation_id)
      return (await prepare(executor, intent, askingOf(call))).standing
    },
    prepareIn: prepareIn(session, executor),
    dispatch: options => dispatchFrom(executor, options, lease_ms),
    send: (operationId, options = {}) => send(executor, { operationId, options, leaseMs: lease_ms }),
    accept: (held, accepted) => accept(executor, held, accepted),
    confirm: (held, receipt = {}) => confirm(executor, held, receipt),
    reject: (held, failure) => reject(executor, held, failure),
    lose: (held, failure) => lose(executor, held, failure),
    heartbeat: (held, { leaseMs } = {}) =>
      signal(executor, held, { kind: 'heartbeat', ...(leaseMs === undefined ? {} : { lease_ms: leaseMs }) }),
    activity: async (held, about) => signal(executor, held, { kind: 'activity', ...toldOf(executor, about) }),
    progress: async (held, evidence) => {
      checkValueDepth(checkEvidence(evidence), 'the progress')
      return signal(executor, held, { kind: 'progress', progress: evidence })
    },
    supervise: async options => (await import('./supervisor.js')).supervise(executor, executes, options),
    drained: async (taskId, reason) => (await import('./drains.js')).recordDrain(executor, taskId, reason),
    phase: async (name, about, work) =>
      (await import('./phases.js')).runPhase(executor, { name, about }, work),
    record: (verb, given, { ownerOf = () => nextOwner(executor) } = {}) =>
      record({ session, executor, ownerOf }, verb, given),
  }
  return executes
}
