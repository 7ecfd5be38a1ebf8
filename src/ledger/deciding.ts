import type { PlanItem } from '../core/documents/plan.js'
import type { JsonObject } from '../core/json.js'
import type { Operation } from '../core/operation.js'
import type { Claim, Note, SubjectRef } from '../store/store.js'
import {
  type Approvable,
  type Approved,
  type ApproveOptions,
  approve,
  checkApproval,
  type RevokedApprovals,
  type RevokeOptions,
  revoke,
} from './approving.js'
import { type Ask, decisionOf } from './asked-decision.js'
import {
  type ClaimOptions,
  claim,
  type DeferOptions,
  defer,
  type NoteOptions,
  note,
  release,
} from './attending.js'
import { type Compensating, compensate } from './compensating.js'
import { type Decided, decideOn, decideOnAll, type Many, refused } from './decide.js'
import type { AllowRetryOptions, DecisionOptions, ResolveOptions } from './decisions.js'
import { type Foretelling, foretelling } from './foretelling.js'
import { leaveNote, type NoteTold } from './handoff.js'
import { type Applied, applyItem, recordPlanRefusal } from './planning.js'
import { type Previewed, preview } from './preview.js'
import { byOf, type Session } from './session.js'
import { type Superseded, type SupersedeOptions, supersede } from './superseding.js'
import { decideOnTask, type TaskDecided } from './task-decisions.js'

/**
 * What a person decides. Each is one commit, guarded by the version they looked at, and says afterwards what changed
 * and what takes it back. Refused ones are recorded. Errors: not_found with ids near it, conflict with who decided
 * what and when, refused with the rule and what would satisfy it, invalid_input; busy where nothing was written.
 */
export interface Deciding extends Foretelling {
  /** settles an operation by hand */
  resolve(operationId: string, how: ResolveOptions): Promise<Decided>
  /** settled, and doubted again */
  reopen(operationId: string, why: DecisionOptions): Promise<Decided>
  /** nobody knows, and nobody asks any more */
  abandon(operationId: string, why: DecisionOptions): Promise<Decided>
  /** no further attempt is sent; proves nothing undone */
  cancel(operationId: string, why: DecisionOptions): Promise<Decided>
  /** no attempt is sent any more, and nobody can approve it again; takes its approvals back in the same commit */
  deny(operationId: string, why: DecisionOptions): Promise<Decided>
  /** leave to send what `approvable` showed */
  approve(operationId: string, how: ApproveOptions): Promise<Approved>
  /** takes back the leave to send: of an operation all, or one approval by its id */
  revoke(id: string, why: RevokeOptions): Promise<RevokedApprovals>
  /** takes back the leave to send of a prepared one */
  withdraw(operationId: string, why: DecisionOptions): Promise<Decided>
  allowRetry(operationId: string, how: AllowRetryOptions): Promise<Decided>
  /** more than one object carries its id, and the person knows: it leaves the queue */
  acknowledge(operationId: string, why: DecisionOptions): Promise<Decided>
  defer(operationId: string, options: DeferOptions): Promise<Deferred>
  /** the same decision on several operations in one commit: all, or none */
  decideAll(asks: readonly AskOf[], options?: { readonly skipChanged?: boolean }): Promise<Many>
  /** carries out a decision of a plan where nothing changed since it was made; a refusal is its result */
  apply(item: PlanItem): Promise<Applied>
  /** an edit of what was not sent yet: cancels it and prepares another in its place, in one commit */
  supersede(operationId: string, edit: SupersedeOptions): Promise<Superseded>
  /** writes down the operation that undoes it, as its tool declares */
  compensate(operationId: string, why: DecisionOptions): Promise<Compensating>

  /** fences the executors of a task off */
  takeover(taskId: string, reason: string): Promise<TaskDecided>
  handback(taskId: string, reason?: string): Promise<TaskDecided>
  /** cancels its prepared operations and asks the others to */
  cancelTask(taskId: string, reason: string): Promise<TaskDecided>

  /** "I am looking at it", until a time; keeps nobody from deciding */
  claim(id: string, options: ClaimOptions): Promise<Claim>
  /** false: nobody had claimed it */
  release(id: string, as?: 'operation' | 'task'): Promise<boolean>
  /** a remark of a person on an operation or a task */
  note(id: string, text: string, options?: NoteOptions): Promise<Note>
  /**
   * A handoff note of an agent, kept as it goes on: a finding with its evidence, what is open, a hypothesis with its result,
   * where the work lies, or a summary that a model wrote. @throws LedgerError invalid_input, not_found
   */
  note(told: NoteTold & { readonly task: string }): Promise<Note>

  /** `preview` before a person is asked: one that would be refused is refused now, on the record */
  check(operationId: string, ask: Ask): Promise<Previewed>
  /** `approvable` before a person is asked: one that would be refused is refused now, on the record */
  checkApproval(operationId: string, seen: Parameters<typeof checkApproval>[2]): Promise<Approvable>
  /** records that a person was asked and said no; null: of what the body names */
  decline(about: SubjectRef | null, body: JsonObject): Promise<void>
}

/** One decision of many. */
export interface AskOf {
  readonly operationId: string
  readonly ask: Ask
}

export interface Deferred {
  readonly before: Operation
  readonly after: Operation
}

export function deciding(session: Session): Deciding {
  const decided = async (operationId: string, ask: Ask) =>
    decideOn(session, decisionOf(session, operationId, ask), ask.how.decisionId)
  return {
    ...foretelling(session),

    resolve: (operationId, how) => decided(operationId, { type: 'resolve', how }),
    reopen: (operationId, how) => decided(operationId, { type: 'reopen', how }),
    abandon: (operationId, how) => decided(operationId, { type: 'abandon', how }),
    cancel: (operationId, how) => decided(operationId, { type: 'cancel', how }),
    deny: (operationId, how) => decided(operationId, { type: 'deny', how }),
    approve: (operationId, how) => approve(session, operationId, how),
    revoke: (id, why) => revoke(session, id, why),
    withdraw: (operationId, how) => decided(operationId, { type: 'withdraw', how }),
    acknowledge: (operationId, how) => decided(operationId, { type: 'acknowledge', how }),
    allowRetry: (operationId, how) => decided(operationId, { type: 'allow_retry', how }),
    decideAll: async (asks, options) =>
      decideOnAll(
        session,
        asks.map(({ operationId, ask }) => decisionOf(session, operationId, ask)),
        options,
      ),
    apply: async item => {
      const applied = await applyItem(session, item, ask => decided(item.operation_id, ask))
      if (applied.outcome === 'not_done') await recordPlanRefusal(session, item, applied.error)
      return applied
    },
    supersede: (operationId, edit) => supersede(session, operationId, edit),
    compensate: (operationId, why) => compensate(session, operationId, why),
    defer: (operationId, options) => defer(session, { operationId, ...options }),

    takeover: (taskId, reason) => decideOnTask(session, { taskId, type: 'takeover', reason }),
    handback: (taskId, reason = '') => decideOnTask(session, { taskId, type: 'handback', reason }),
    cancelTask: (taskId, reason) => decideOnTask(session, { taskId, type: 'cancel', reason }),

    claim: (id, options) => claim(session, id, options),
    release: (id, as) => release(session, id, as),
    note: async (
      about: string | (NoteTold & { readonly task: string }),
      text?: string,
      options?: NoteOptions,
    ) => {
      if (typeof about === 'string') return note(session, { id: about, text: text ?? '', ...options })
      const { task, ...told } = about
      return leaveNote(session, task, told)
    },

    check: async (operationId, ask) => {
      const decision = decisionOf(session, operationId, ask)
      const previewed = await preview(session, decision)
      const { refusal } = previewed
      if (refusal !== null) throw await refused(session, { decision, refusal })
      return previewed
    },
    checkApproval: (operationId, seen) => checkApproval(session, operationId, seen),
    decline: (about, body) => session.store.record('declined', about, body, byOf(session)),
  }
}
