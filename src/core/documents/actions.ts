import type { Approval } from '../approval.js'
import { compensationOf, UNDOING_WORDS, type Undoing } from '../compensation.js'
import type { NewEvidence } from '../evidence.js'
import { isSettled, type Operation } from '../operation.js'
import { ledgerCommand } from '../shell-word.js'
import { asSeenNow, refusalToApprove } from '../transitions/approving.js'
import { type Decision, previewDecision } from '../transitions/by-person.js'
import type { Context, Refusal, State } from '../transitions/requests.js'
import { decideTask } from '../transitions/task.js'
import type { ActionItem } from './show.js'
import { hasLeave, isApprovalThere, nothingToWithdraw } from './withdrawable.js'

/** One decision a person can take, as `show` offers it. */
interface Choice {
  readonly action: string
  readonly title: string
  readonly decision: (operation: Operation) => Decision
  readonly command: (operation: Operation) => string
  /** the same, saying more: tried where the plain one is refused, and told as a way on */
  readonly bolder?: {
    readonly words: string
    readonly decision: (operation: Operation) => Decision
    readonly command: (operation: Operation) => string
  }
  readonly note?: (operation: Operation, context: Context) => string | null
}

// Stands for what the person will say: whether it is enough is asked when they decide.
const SEEN: NewEvidence = { kind: 'attestation', origin: 'attested', attempt: null, body: '…' }

function base(operation: Operation) {
  return { operation_id: operation.operation_id, reason: '…', expected_version: null }
}

const OUTCOME = { external_ids: [], result: null, result_digest: null, other_target: false }

function notExecuted(operation: Operation, early: boolean): Decision {
  return {
    ...base(operation),
    type: 'resolve_not_executed',
    evidence: [SEEN],
    early,
    without_evidence: false,
  }
}

function plain(
  type: 'reopen' | 'abandon' | 'cancel' | 'deny' | 'withdraw' | 'acknowledge',
): (operation: Operation) => Decision {
  return operation => ({ ...base(operation), type })
}

function typed(verb: string, ...options: readonly string[]): (operation: Operation) => string {
  return ({ operation_id, version }) =>
    ledgerCommand(verb, [...options, '--reason', '…', '--expect-version', String(version)], operation_id)
}

/** Says what a decision on an operation in flight without a lease says besides. */
function writerGone({ status, lease_expires_at }: Operation): string | null {
  return status === 'in_flight' && lease_expires_at === null
    ? 'it says, too, that its writer is gone: nothing else can tell, it takes no leases'
    : null
}

const CHOICES: readonly Choice[] = [
  {
    action: 'resolve_confirmed',
    title: 'it took effect: you saw it',
    decision: operation => ({
      ...base(operation),
      ...OUTCOME,
      type: 'resolve_confirmed',
      evidence: [SEEN],
      without_evidence: false,
    }),
    command: typed('resolve', '--as', 'confirmed', '--evidence', '…'),
    note: writerGone,
  },
  {
    action: 'resolve_not_executed',
    title: 'it did not take effect: you looked, and it is not there',
    decision: operation => notExecuted(operation, false),
    command: typed('resolve', '--as', 'not-executed', '--evidence', '…'),
    bolder: {
      words: '--early',
      decision: operation => notExecuted(operation, true),
      command: typed('resolve', '--as', 'not-executed', '--early', '--evidence', '…'),
    },
    note: writerGone,
  },
  {
    action: 'allow_retry',
    title: 'one more attempt',
    decision: operation => ({ ...base(operation), type: 'allow_retry', accept_duplicate: null }),
    command: typed('allow-retry'),
    bolder: {
      words: '--accept-duplicate, which names what may happen twice',
      decision: operation => ({ ...base(operation), type: 'allow_retry', accept_duplicate: '…' }),
      command: typed('allow-retry', '--accept-duplicate', '…'),
    },
  },
  {
    action: 'cancel',
    title: 'no further attempt is made; this proves nothing undone',
    decision: plain('cancel'),
    command: typed('cancel'),
  },
  {
    action: 'deny',
    title: 'it must not be sent, and nobody can approve it any more',
    decision: plain('deny'),
    command: typed('deny'),
  },
  {
    action: 'withdraw',
    title: 'take back the leave to send it',
    decision: plain('withdraw'),
    command: typed('cancel', '--withdraw'),
  },
  {
    action: 'reopen',
    title: 'doubt how it was settled',
    decision: plain('reopen'),
    command: typed('reopen'),
  },
  {
    action: 'acknowledge',
    title: 'you know that more than one object carries its id, and what becomes of them',
    decision: plain('acknowledge'),
    command: typed('resolve', '--acknowledge-duplicates'),
  },
  {
    action: 'abandon',
    title: 'nobody knows, and nobody asks any more',
    decision: plain('abandon'),
    command: typed('abandon'),
    note: writerGone,
  },
]

/**
 * Every decision a person can take on an operation: allowed, or why not and what would satisfy it. The guards of the
 * transition table are asked, as the commit would ask them. Where it waits for leave to be sent, that question is first.
 */
export function actionsOf(acting: Acting): readonly ActionItem[] {
  const { state, context, approvals } = acting
  const given = { operation: state.operation, approvals }
  const asked = leave(acting)
  const choices = CHOICES.filter(
    // of nearly all there is nothing to acknowledge: it is not offered, and not denied either
    ({ action }) => action !== 'acknowledge' || state.operation.flags.duplicates,
  )
    .map(choice => tried(choice, state, context))
    .map(item =>
      item.action === 'withdraw' && item.allowed && !hasLeave({ ...given, now: context.now })
        ? nothingToWithdraw(item)
        : item,
    )
  const waits = asked.some(({ action, allowed }) => action === 'approve' && allowed)
  return [
    ...(waits ? [...asked, ...choices] : [...choices, ...asked]),
    undo(acting),
    ...attending(state, context),
  ]
}

interface Acting {
  readonly state: State
  readonly context: Context
  /** oldest first */
  readonly approvals: readonly Approval[]
  readonly compensations: readonly Undoing[]
}

function tried(
  { action, title, decision, command, bolder, note }: Choice,
  state: State,
  context: Context,
): ActionItem {
  const { operation } = state
  const { refusal, after } = previewDecision(state, decision(operation), context)
  const bold =
    refusal === null || bolder === undefined
      ? undefined
      : previewDecision(state, bolder.decision(operation), context)
  const isBoldAllowed = bolder !== undefined && bold !== undefined && bold.refusal === null
  return {
    action,
    title,
    allowed: refusal === null,
    command: refusal === null ? command(operation) : isBoldAllowed ? bolder.command(operation) : null,
    refusal: refusal === null ? null : said(refusal),
    to: refusal === null ? after.operation.status : null,
    note: isBoldAllowed
      ? `it would be allowed with ${bolder.words}`
      : refusal === null
        ? (note?.(operation, context) ?? null)
        : null,
  }
}

function said({ rule, reason, satisfy }: Refusal): NonNullable<ActionItem['refusal']> {
  return { rule, reason, satisfy }
}

/** Leave to send it, given and taken back. */
function leave({ state, context: { task, now }, approvals }: Acting): ActionItem[] {
  const { operation } = state
  const { operation_id } = operation
  const question = asSeenNow({ state, task, approvals, now })
  const toApprove = refusalToApprove(question)
  const isThere = isApprovalThere({ operation, approvals, now })
  const nothing = {
    rule: 'approval_there',
    reason: 'no approval of it permits anything',
    satisfy: 'nothing is to be taken back',
  }
  return [
    free('approve', 'give leave to send exactly this', {
      command:
        toApprove === null
          ? ledgerCommand('approve', ['--reason', '…', '--expect-digest', question.digest], operation_id)
          : null,
      refusal: toApprove === null ? null : said(toApprove),
    }),
    free('revoke', 'take back the leave to send it', {
      command: ledgerCommand('revoke', ['--reason', '…'], operation_id),
      refusal: isThere ? null : nothing,
    }),
  ]
}

/** What its tool declares as the way to undo it. */
function undo({ state: { operation }, context, compensations }: Acting): ActionItem {
  const answer = compensationOf({
    operation,
    external_ids: context.known_external_ids,
    undoings: compensations,
  })
  const command = ledgerCommand('compensate', ['--reason', '…'], operation.operation_id)
  const words = UNDOING_WORDS[operation.effect ?? 'undeclared']
  switch (answer.kind) {
    case 'new':
      return { ...free('compensate', 'undo it by what its tool declares', { command }), note: words }
    case 'refused':
      return free('compensate', 'undo it', { command, refusal: said(answer.refusal) })
    case 'there': {
      const { operation_id, status } = answer.undoing
      const refusal = {
        rule: 'not_undone_yet',
        reason: `${operation_id} undoes it already: ${status}`,
        satisfy: `see it: ${ledgerCommand('show', [], operation_id)}`,
      }
      return free('compensate', 'undo it', { command, refusal })
    }
  }
}

/** What is no move of the operation: putting it off, looking at it, noting, and who holds its task. */
function attending({ operation }: State, { task, actor, now }: Context): ActionItem[] {
  const { operation_id, status } = operation
  const settled = {
    rule: 'is_open',
    reason: `it is settled: ${status}`,
    satisfy: 'nothing is to be put off',
  }
  const reason = ['--reason', '…']
  const hands = (type: 'takeover' | 'handback') => {
    const decided = decideTask(task, { type, reason: '…' }, { actor, at: now.at, hasOpenSent: false })
    return decided.ok ? null : said(decided.refusal)
  }
  return [
    free('defer', 'not now', {
      command: ledgerCommand('defer', ['--until', '2h', ...reason], operation_id),
      refusal: isSettled(status) ? settled : null,
    }),
    free('claim', 'say that you are looking at it', { command: ledgerCommand('claim', [], operation_id) }),
    free('note', 'note what you found', { command: ledgerCommand('note', [], operation_id) }),
    free('takeover', 'hold its task: its executors are fenced off', {
      command: ledgerCommand('takeover', reason, task.task_id),
      refusal: hands('takeover'),
    }),
    free('handback', 'let its task go on', {
      command: ledgerCommand('handback', reason, task.task_id),
      refusal: hands('handback'),
    }),
  ]
}

function free(
  action: string,
  title: string,
  { command, refusal = null }: { readonly command: string | null; readonly refusal?: ActionItem['refusal'] },
): ActionItem {
  const allowed = refusal === null
  return { action, title, allowed, command: allowed ? command : null, refusal, to: null, note: null }
}
