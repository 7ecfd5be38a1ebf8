import { type Classified, classify } from '../core/classify/classify.js'
import type { JsonObject } from '../core/json.js'
import { keptResult } from '../core/kept-result.js'
import type { ExternalId, LastError } from '../core/operation.js'
import type { Ended } from '../core/transitions/settle.js'
import type { Settled, Stopped } from './call-handler.js'
import type { Mask } from './executor.js'

interface Run {
  readonly sent: { readonly n: number; readonly fence: number }
  /** null: its time was up and it did not stop */
  readonly settled: Settled<unknown> | null
  readonly stopped: Stopped | null
  readonly external_ids: readonly ExternalId[]
  /** when it ended, milliseconds since 1970 UTC */
  readonly at: number
}

export interface RunEnd {
  readonly ended: Ended
  /** why the result is kept by digest only; null where it is kept, or there is none */
  readonly left_out: string | null
}

/** What a handler's run comes to: a value is a receipt, whatever it is; a failure is read by the rules. */
export function endOf(run: Run, mask: Mask): RunEnd {
  const { settled } = run
  if (settled === null) return failure(run, { end: 'ambiguous', ...told(run.stopped) }, mask)
  return settled.kind === 'returned'
    ? receipt(run, settled.value, mask)
    : failure(run, read(run, settled.thrown), mask)
}

/** Results up to this many bytes stand in the receipt too, masked, for whoever reads the evidence alone. */
const LARGEST_RECEIPT_RESULT = 4_096

function receipt({ sent, external_ids, at }: Run, value: unknown, mask: Mask): RunEnd {
  const { result, result_digest, bytes, left_out } = keptResult(value)
  const body: JsonObject = {
    result_digest,
    result_bytes: bytes,
    ...(left_out === null && bytes > 0 && bytes <= LARGEST_RECEIPT_RESULT
      ? { result: mask.value(result) }
      : {}),
    ...(left_out === null ? {} : { result_left_out: left_out }),
    ...idsOf(external_ids),
    observed_at: at,
  }
  const ended: Ended = {
    attempt: sent.n,
    fence: sent.fence,
    end: 'applied',
    external_ids,
    result,
    result_digest,
    evidence: [{ kind: 'receipt', origin: 'observed', attempt: sent.n, body }],
  }
  return { ended, left_out }
}

type Failure = Pick<Classified, 'end' | 'rule' | 'title' | 'message' | 'code' | 'host'> &
  Partial<Pick<Classified, 'retryable' | 'retry_after_ms'>>

function failure({ sent, external_ids, at }: Run, failed: Failure, mask: Mask): RunEnd {
  const { end, rule, title, code, host } = failed
  const message = mask.text(failed.message)
  const where = { ...(code === null ? {} : { code }), ...(host === null ? {} : { host }) }
  const error: LastError = { rule, message, at, attempt: sent.n, ...where }
  const body: JsonObject = { end, rule, title, message, ...where, ...idsOf(external_ids), observed_at: at }
  const evidence = [{ kind: 'error', origin: 'observed', attempt: sent.n, body } as const]
  const retry = retryOf(failed)
  const ended = { attempt: sent.n, fence: sent.fence, end, external_ids, error, evidence, ...retry }
  return { ended, left_out: null }
}

// A handler that did not stop may still be at it: nothing follows by itself.
function retryOf({
  retryable,
  retry_after_ms = null,
}: Failure): Pick<Extract<Ended, { end: 'not_applied' | 'ambiguous' }>, 'retry'> {
  return retryable === undefined ? {} : { retry: { retryable, retry_after_ms } }
}

function read({ stopped, external_ids }: Run, thrown: unknown): Failure {
  const found = classify(thrown)
  if (found.end === 'not_applied') return external_ids.length === 0 ? found : { ...found, ...CONTRADICTED }
  if (stopped === null) return found
  const { rule, title, message } = told(stopped)
  return { ...found, rule, title, message: `${message}: ${found.message}` }
}

/** The handler named an object that its call made or touched: no failure says that nothing happened. */
const CONTRADICTED = {
  end: 'ambiguous',
  rule: 'id_named',
  title: 'the handler named an external id and then failed',
} as const

function told(stopped: Stopped | null): Omit<Failure, 'end'> {
  const { rule, message } = stopped ?? { rule: 'timeout', message: 'the handler gave no answer' }
  return { rule, title: STOP_TITLES[rule], message, code: null, host: null }
}

const STOP_TITLES: Readonly<Record<Stopped['rule'], string>> = {
  timeout: 'the time limit passed without an answer',
  hold_lost: 'the lease was lost while the call was made',
}

function idsOf(ids: readonly ExternalId[]): JsonObject {
  return ids.length === 0 ? {} : { external_ids: ids.map(id => ({ ...id })) }
}
