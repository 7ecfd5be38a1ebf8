import { actorWords } from '../../core/actor.js'
import type { JudgedApproval } from '../../core/approval-digest.js'
import { LedgerError } from '../../core/errors.js'
import type { TimeGiven } from '../../core/iso-time.js'
import { join, type Safe, words } from '../../core/safe-text.js'
import { shellWord } from '../../core/shell-word.js'
import type { Approvable } from '../../ledger/approving.js'
import type { Deps } from '../deps.js'
import { confirmOnRecord } from './confirm-on-record.js'
import { withLedger } from './opened.js'
import { printOutcome } from './outcome.js'
import { textGiven } from './texts.js'
import { untilGiven } from './until.js'
import { differenceLines, sentLines } from './what-is-sent.js'

interface Asked {
  readonly op: string
  readonly reason: string | undefined
  readonly expires: TimeGiven | undefined
  readonly uses: number | undefined
  readonly expectDigest: string | undefined
  readonly label: Safe
}

/** Shows what would be sent, asks, and gives leave for exactly that. */
export function approveOne(asked: Asked, given: Deps): Promise<number> {
  const { op, uses = 1, expectDigest, label } = asked
  const reason = textGiven(asked.reason)
  return withLedger(given, async opened => {
    const { ledger, deps } = opened
    const expiresAt = asked.expires === undefined ? undefined : untilGiven(asked.expires, deps)
    const found = await ledger.checkApproval(op, { reason: reason ?? '', expectDigest })
    requireDigest(found, asked, deps)
    if (!deps.global.yes) await deps.say(summary(found, { reason, uses, expiresAt }, deps))
    await confirmOnRecord(opened, { label, about: { operation_id: op }, decision: 'approve' })
    const { approval, operation, undo } = await ledger.approve(op, {
      digest: found.digest,
      uses,
      ...(reason === undefined ? {} : { reason }),
      ...(expiresAt === undefined ? {} : { expiresAt }),
    })
    const { show, times } = deps
    const until = expiresAt === undefined ? words`` : words`, until ${times.exact(expiresAt)}`
    const sends = uses === 1 ? words`one send` : words`${uses} sends`
    await printOutcome(
      {
        decision: 'approve',
        operation_id: op,
        task_id: operation.task_id,
        after: operation,
        approvals: [approval],
        undo,
        line: words`${show(op)}: approved by ${show(actorWords(ledger.actor))} for ${sends}${until} (${show(approval.approval_id)})`,
      },
      opened,
    )
    return 0
  })
}

/** `--yes` says that nobody looks now: then what was looked at before must be named. */
function requireDigest({ digest }: Approvable, { op, expectDigest }: Asked, { io, global }: Deps): void {
  if (expectDigest !== undefined || (!global.yes && io.canAsk)) return
  throw new LedgerError('needs_confirmation', `not approved: ${op} was not shown, and no digest was named`, {
    id: op,
    hint: `Look at what would be sent (agent-ledger show ${shellWord(op)}), then give --yes --expect-digest ${digest}.`,
  })
}

interface Terms {
  readonly reason: string | undefined
  readonly uses: number
  readonly expiresAt: number | undefined
}

function summary(found: Approvable, { reason, uses, expiresAt }: Terms, deps: Deps): Safe {
  const { show, times } = deps
  const { operation, task, digest, approvals } = found
  const sends = uses === 1 ? words`one send` : words`${uses} sends`
  const until = expiresAt === undefined ? words`` : words`, until ${times.exact(expiresAt)}`
  return join(
    [
      words`${show(operation.operation_id)} of ${show(task.task_id)}: leave for ${sends}${until} of exactly this`,
      ...sentLines(operation, deps),
      words`  digest  ${show(digest)}`,
      ...approvals.flatMap(one => earlierLines(one, deps)),
      ...(reason === undefined ? [] : [words`  reason  ${show(reason, { max: 400 })}`]),
    ],
    '\n',
  )
}

/** An approval there is, and why it does not do. */
function earlierLines({ approval, digest_now, differences }: JudgedApproval, deps: Deps): Safe[] {
  const { show, times } = deps
  const { approver, granted_at, revoked_at, digest, used, uses } = approval
  const flaw =
    revoked_at !== null
      ? 'revoked'
      : digest !== digest_now
        ? 'given for something else'
        : used >= uses
          ? 'used up'
          : 'run out'
  return [
    words`  before  ${show(approver)}, ${times.exact(granted_at)}: ${show(flaw)}`,
    ...differenceLines(differences, deps),
  ]
}
