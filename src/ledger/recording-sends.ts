import { externalIdItem, isoOrNull, nextActionItem } from '../core/documents/parts.js'
import { errorItemOf, type RecordPrevious, type RecordReply } from '../core/documents/record.js'
import type { RecordInput } from '../core/documents/record-input-schema.js'
import { LedgerError } from '../core/errors.js'
import { isoTime } from '../core/iso-time.js'
import type { JsonValue } from '../core/json.js'
import type { RunOutcome } from '../core/run-outcome.js'
import { type Announced, announce, type Live, type Previous } from '../execute/announce.js'
import { prepare } from '../execute/prepare.js'
import { refusedBy } from '../execute/refused.js'
import { askingOf, intentOf } from './call.js'
import { warnOfRandomId } from './random-id.js'
import type { Recorder } from './recorder.js'

/** Writes an intent down; an operation that is there is attached to, and answers how it stands. */
export async function recordPrepare(
  { session, executor }: Recorder,
  given: RecordInput['prepare'],
): Promise<RecordReply> {
  const { operation_id, task_id, max_attempts, deadline_at, timeout_ms, idempotency_key, ...rest } = given
  const call = {
    ...rest,
    id: operation_id,
    task: task_id,
    ...(max_attempts === undefined ? {} : { maxAttempts: max_attempts }),
    ...(deadline_at === undefined ? {} : { deadlineAt: deadline_at }),
    ...(timeout_ms === undefined ? {} : { timeoutMs: timeout_ms }),
    ...(idempotency_key === undefined ? {} : { idempotencyKey: idempotency_key }),
  }
  warnOfRandomId(session, operation_id)
  const intent = intentOf(session, call, 'record')
  const { standing, outcome, refusal } = await prepare(executor, intent, askingOf(call))
  const { status, version, next_action } = standing
  return {
    ok: refusal === null,
    operation_id: standing.operation_id,
    status,
    version,
    next_action: nextActionItem(next_action),
    ...whatIsConfirmed(outcome),
    ...(refusal === null ? {} : { error: errorItemOf(refusedBy(refusal, operation_id)) }),
  }
}

/** Announces an attempt: only an answer with `ok` lets the caller send. */
export async function recordSend(
  { session, executor, ownerOf }: Recorder,
  { operation_id, epoch, lease_ms, pid }: RecordInput['send'],
): Promise<RecordReply> {
  const announced = await announce(executor, {
    operation_id,
    intent: null,
    lease_ms: lease_ms === undefined ? session.config.lease_ms : lease_ms,
    owner: ownerOf(pid),
    ...(epoch === undefined ? {} : { epoch }),
  })
  if (announced.sent) return sentReply(announced.live)
  if (announced.operation === null) throw refusedBy(announced.refusal, operation_id)
  return notSentReply(announced)
}

type NotSent = Exclude<Announced, { sent: true } | { operation: null }>

function sentReply({ operation, attempt, epoch, previous }: Live): RecordReply {
  const { operation_id, status, version, idempotency_key, lease_expires_at } = operation
  return {
    ok: true,
    operation_id,
    status,
    version,
    attempt: attempt.n,
    fence: attempt.fence,
    idempotency_key,
    previous: previousItem(previous),
    send_by: isoTime(attempt.send_by),
    lease_expires_at: isoOrNull(lease_expires_at),
    epoch,
  }
}

function previousItem({ attempts, progress, external_ids }: Previous): RecordPrevious {
  return {
    attempts: attempts.map(({ n, sent_at, ended_at, end, error }) => ({
      n,
      sent_at: isoTime(sent_at),
      ended_at: isoOrNull(ended_at),
      end,
      error: error?.message ?? null,
    })),
    progress,
    external_ids: external_ids.map(externalIdItem),
  }
}

function notSentReply(announced: NotSent): RecordReply {
  const { operation, next_action, outcome } = announced
  const { operation_id, status, version } = operation
  return {
    ok: false,
    operation_id,
    status,
    version,
    next_action: nextActionItem(next_action),
    ...whatIsConfirmed(outcome),
    error: errorItemOf(whyNotSent(announced)),
  }
}

function whyNotSent({ operation, outcome, refusal }: NotSent): LedgerError {
  const { operation_id: id, status } = operation
  switch (outcome.status) {
    case 'in_progress': {
      const until = outcome.until === null ? '' : ` until ${isoTime(outcome.until)}`
      const where = outcome.here ? 'in this very process' : 'elsewhere'
      return new LedgerError('conflict', `${id} is in flight ${where}${until}: do not send it`, {
        id,
        rule: outcome.here ? 'already_running_here' : 'in_flight_elsewhere',
        hint: 'Wait until its executor tells how it ended, or its lease ends.',
      })
    }
    case 'confirmed':
    case 'cancelled':
    case 'abandoned':
      return new LedgerError('refused', `${id} is ${status} already: do not send it`, {
        id,
        rule: 'already_settled',
        hint: 'Go on with what is on record.',
      })
    default: {
      if (refusal === null) return new LedgerError('refused', `${id} is ${status}: do not send it`, { id })
      const { reason, ...rest } = refusal
      const doubt = outcome.status === 'unknown' ? ' is in doubt' : ''
      return refusedBy({ ...rest, reason: `${id}${doubt}: ${reason}` }, id)
    }
  }
}

function whatIsConfirmed(outcome: RunOutcome<JsonValue>): Pick<RecordReply, 'result' | 'external_ids'> {
  if (outcome.status !== 'confirmed') return {}
  return {
    ...(outcome.result === undefined ? {} : { result: outcome.result }),
    external_ids: outcome.external_ids.map(externalIdItem),
  }
}
