import { LedgerError } from '../core/errors.js'
import { externalIdOf } from '../core/external-id.js'
import { isSomeText } from '../core/given.js'
import type { JsonValue } from '../core/json.js'
import type { ExternalId, LastError } from '../core/operation.js'
import { DEFAULT_PATIENCE_MS, type Ended } from '../core/transitions/settle.js'
import { change } from './change.js'
import { endOf } from './ended.js'
import type { Executor } from './executor.js'
import { isSentBy, recordEnd, unknownAttempt } from './record-end.js'
import { notFound, refusedBy } from './refused.js'
import { type Standing, standingOf } from './standing.js'

/** One sending, as `send` answered it. */
export interface Held {
  readonly operation_id: string
  readonly attempt: number
  readonly fence: number
}

/** Where it stands, and whether what was told is what became of it. */
export interface Told extends Standing {
  /** the attempt held the operation, so that what it told is the outcome */
  readonly held: boolean
  /** it did not, and what it told was kept as late evidence; false too where it was on record already */
  readonly late: boolean
}

export interface Receipt {
  /** absent: there is none */
  readonly result?: JsonValue
  /** of a result that is not handed over: `sha256:<hex>` over its canonical JSON */
  readonly result_digest?: string
  readonly external_ids?: readonly ExternalId[]
  /** what was seen, for the evidence: an answer, a page, a log line */
  readonly receipt?: JsonValue
}

export interface Failure {
  readonly reason: string
  readonly rule?: string
  readonly code?: string
  readonly host?: string
  readonly external_ids?: readonly ExternalId[]
  /** of a refusal: it is of the moment, so a retry is scheduled while the budget lasts */
  readonly retryable?: boolean
  /** the service asks to wait at least so long, milliseconds */
  readonly retry_after_ms?: number
}

/** It took effect, and here is the receipt. @throws LedgerError conflict for an attempt that was never made */
export async function confirm(executor: Executor, held: Held, receipt: Receipt): Promise<Told> {
  const { result, result_digest, external_ids = [] } = receipt
  const run = {
    sent: { n: held.attempt, fence: held.fence },
    settled: { kind: 'returned', value: result } as const,
    stopped: null,
    external_ids,
    // what the executor says itself needs no reading
    contract: {},
    at: executor.clock().at,
  }
  const { ended } = endOf(run, executor.mask)
  if (ended.end !== 'applied') throw new Error('a receipt is no failure')
  if (result !== undefined && result_digest !== undefined && result_digest !== ended.result_digest)
    throw new LedgerError(
      'invalid_input',
      `the result of ${held.operation_id} has another digest than the one given`,
      {
        id: held.operation_id,
        path: 'result_digest',
        hint: 'Leave the digest out where the result is given.',
      },
    )
  const digest = ended.result_digest ?? result_digest ?? null
  const evidence = ended.evidence.map(piece => ({ ...piece, body: withReceipt(piece.body) }))
  return tell(executor, held, { ...ended, result_digest: digest, evidence })

  function withReceipt(body: JsonValue): JsonValue {
    const seen = receipt.receipt
    return {
      ...(typeof body === 'object' ? body : {}),
      result_digest: digest,
      ...(seen === undefined ? {} : { receipt: executor.mask.value(seen) }),
    }
  }
}

/** It certainly did not take effect. */
export async function reject(executor: Executor, held: Held, failure: Failure): Promise<Told> {
  const { retryable = false, retry_after_ms = null } = failure
  const ended = failed(executor, held, { ...failure, end: 'not_applied' })
  return tell(executor, held, retryable ? { ...ended, retry: { retryable, retry_after_ms } } : ended)
}

/** Nobody can tell whether it took effect. */
export async function lose(executor: Executor, held: Held, failure: Failure): Promise<Told> {
  return tell(executor, held, failed(executor, held, { ...failure, end: 'ambiguous' }))
}

/** The service took it in and works on it: its answer comes later, by the same attempt and fence. */
export async function accept(
  executor: Executor,
  held: Held,
  { remote, patience_ms }: { readonly remote: ExternalId; readonly patience_ms?: number },
): Promise<Told> {
  const { operation_id, attempt, fence } = held
  const seen = await change(executor, { operation_id }, state => {
    if (state === null || !isSentBy(state, { operation_id, owner: null }, held)) return { steps: [] }
    const patience = patience_ms ?? state.operation.contract.patience_ms ?? DEFAULT_PATIENCE_MS
    const body = { accepted: { ...remote } }
    return {
      steps: [
        {
          request: { type: 'accept', attempt, fence, remote, patience_ms: patience },
          evidence: [{ kind: 'receipt', origin: 'observed', attempt, body } as const],
        },
      ],
    }
  })
  const state = seen?.changed.state ?? null
  if (seen === null || state === null) throw notFound(operation_id)
  if (!isSentBy(state, { operation_id, owner: null }, held)) throw unknownAttempt(operation_id, held)
  if (seen.changed.refusal !== null) throw refusedBy(seen.changed.refusal, operation_id)
  return { ...standingOf(state.operation, seen.context), held: true, late: false }
}

async function tell(executor: Executor, { operation_id }: Held, given: Ended): Promise<Told> {
  const ended = { ...given, external_ids: given.external_ids.map(id => checkedId(operation_id, id)) }
  const recorded = await recordEnd(executor, { operation_id, owner: null }, ended)
  if (!recorded.done) throw recorded.error
  const { seen, operation } = recorded
  const { wasHeld: held, steps } = seen.plan
  return { ...standingOf(operation, seen.context), held, late: !held && steps.length > 0 }
}

function checkedId(operation_id: string, given: ExternalId): ExternalId {
  const id = externalIdOf(given.kind, given.value, given)
  if (id !== null) return id
  throw new LedgerError(
    'invalid_input',
    `an external id of ${operation_id} is none: ${JSON.stringify(given)}`,
    {
      id: operation_id,
      path: 'external_ids',
      hint: 'It has a kind of up to 100 and a value of up to 2,000 characters, well-formed and without NUL.',
    },
  )
}

function failed(
  executor: Executor,
  { attempt, fence }: Held,
  { end, reason, rule, code, host, external_ids = [] }: Failure & { end: 'not_applied' | 'ambiguous' },
): Extract<Ended, { end: 'not_applied' | 'ambiguous' }> {
  const problem = isSomeText(reason)
  if (problem !== null) throw new LedgerError('invalid_input', `the reason ${problem}`, { path: 'reason' })
  const where = { ...(code === undefined ? {} : { code }), ...(host === undefined ? {} : { host }) }
  const { at } = executor.clock()
  const message = executor.mask.text(reason)
  const error: LastError = { rule: rule ?? RULES[end], message, at, attempt, ...where }
  const body = { end, rule: error.rule, message, ...where, observed_at: at }
  return {
    attempt,
    fence,
    end,
    external_ids,
    error,
    evidence: [{ kind: 'error', origin: 'observed', attempt, body }],
  }
}

/** What the cause of a failure is called when the executor names none. */
const RULES = { not_applied: 'said_not_executed', ambiguous: 'said_unknown' } as const
