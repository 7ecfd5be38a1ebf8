import { factsOfAnswer } from '../core/classify/answer.js'
import { type Classified, classify, classifyFacts, classifyResult } from '../core/classify/classify.js'
import { isResponseLike } from '../core/classify/response-facts.js'
import { fieldOf } from '../core/field.js'
import type { JsonObject } from '../core/json.js'
import { type KeptResult, keptResult } from '../core/kept-result.js'
import type { Contract, ExternalId, LastError } from '../core/operation.js'
import type { Ended } from '../core/transitions/settle.js'
import type { Settled, Stopped } from './call-handler.js'
import type { Mask } from './executor.js'

interface Run {
  readonly sent: { readonly n: number; readonly fence: number }
  /** null: its time was up and it did not stop */
  readonly settled: Settled<unknown> | null
  readonly stopped: Stopped | null
  /** what the handler named */
  readonly external_ids: readonly ExternalId[]
  /** as it stands in the operation's row */
  readonly contract: Contract
  /** when it ended, milliseconds since 1970 UTC */
  readonly at: number
}

export interface RunEnd {
  readonly ended: Ended
  /** why the result is kept by digest only; null where it is kept, or there is none */
  readonly left_out: string | null
}

/** What a handler's run comes to: a value is a receipt unless the rules know better; a failure is read by them. */
export function endOf(run: Run, mask: Mask): RunEnd {
  const { settled } = run
  if (settled === null) return { ended: failure(run, stoppedEnd(run.stopped), mask), left_out: null }
  const found = settled.kind === 'returned' ? readValue(run, settled.value) : readThrown(run, settled.thrown)
  const external_ids = merged(run.external_ids, found.external_ids)
  switch (found.end) {
    case 'applied':
      return receipt(run, { found, kept: resultOf(settled, found), external_ids }, mask)
    case 'accepted':
      return { ended: taken({ ...run, external_ids }, found, mask), left_out: null }
    case 'not_applied':
    case 'ambiguous':
      return { ended: failure({ ...run, external_ids }, { ...found, end: found.end }, mask), left_out: null }
  }
}

function readValue({ contract, at }: Run, value: unknown): Classified {
  const facts = factsOfAnswer(value)
  if (facts !== null) return classifyFacts(value, facts, { contract, at })
  return isResponseLike(value) ? classify(value, { contract, at }) : classifyResult(value, { contract })
}

function readThrown({ stopped, external_ids, contract, at }: Run, thrown: unknown): Classified {
  const found = classify(thrown, { contract, at })
  if (found.end === 'not_applied') return external_ids.length === 0 ? found : { ...found, ...CONTRADICTED }
  if (stopped === null || found.end !== 'ambiguous') return found
  const { rule, title, message } = stoppedEnd(stopped)
  // a handler that hands the signal on throws the very reason it was stopped for
  const said = found.message === message ? message : `${message}: ${found.message}`
  return { ...found, rule, title, message: said }
}

/** The handler named an object that its call made or touched: no failure says that nothing happened. */
const CONTRADICTED = {
  end: 'ambiguous',
  rule: 'id_named',
  title: 'the handler named an external id and then failed',
  retryable: false,
} as const

/** What is kept of a call that took effect; an error has no result to keep, nor has a body that nobody read. */
function resultOf(settled: Settled<unknown>, { title }: Classified): KeptResult {
  if (settled.kind === 'threw') return { ...keptResult(undefined), left_out: title }
  if (!isResponseLike(settled.value)) return keptResult(settled.value)
  const left_out = 'its body was not read: return what the next step needs of it'
  return { ...keptResult({ status: fieldOf(settled.value, 'status') }), left_out }
}

/** Results up to this many bytes stand in the receipt too, masked, for whoever reads the evidence alone. */
const LARGEST_RECEIPT_RESULT = 4_096

interface Receipt {
  readonly found: Classified
  readonly kept: KeptResult
  readonly external_ids: readonly ExternalId[]
}

function receipt({ sent, at }: Run, { found, kept, external_ids }: Receipt, mask: Mask): RunEnd {
  const { result, result_digest, bytes, left_out } = kept
  const body: JsonObject = {
    ...(found.rule === 'returned' ? {} : answered(found, mask)),
    result_digest,
    result_bytes: bytes,
    ...(left_out === null && bytes > 0 && bytes <= LARGEST_RECEIPT_RESULT
      ? { result: mask.value(result) }
      : {}),
    ...(left_out === null ? {} : { result_left_out: left_out }),
    ...idsOf('external_ids', external_ids),
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

function taken({ sent, external_ids: known, at }: Run, found: Classified, mask: Mask): Ended {
  const { remote, patience_ms } = found
  const external_ids = merged(known, remote === null ? [] : [remote])
  const body: JsonObject = {
    ...answered(found, mask),
    accepted: remote === null ? null : { ...remote },
    ...idsOf('external_ids', external_ids),
    observed_at: at,
  }
  return {
    attempt: sent.n,
    fence: sent.fence,
    end: 'accepted',
    remote,
    patience_ms,
    external_ids,
    evidence: [{ kind: 'receipt', origin: 'observed', attempt: sent.n, body }],
  }
}

function answered({ rule, title, message, status }: Classified, mask: Mask): JsonObject {
  return { rule, title, message: mask.text(message), ...(status === null ? {} : { status }) }
}

type Failure = Pick<Classified, 'rule' | 'title' | 'message' | 'code' | 'host'> &
  Partial<Pick<Classified, 'status' | 'compare_with' | 'retryable' | 'retry_said' | 'retry_after_ms'>> & {
    readonly end: 'not_applied' | 'ambiguous'
  }

function failure({ sent, external_ids, at }: Run, failed: Failure, mask: Mask): Ended {
  const { end, rule, title, code, host, status = null, compare_with = [] } = failed
  const message = mask.text(failed.message)
  const where = { ...(code === null ? {} : { code }), ...(host === null ? {} : { host }) }
  const error: LastError = { rule, message, at, attempt: sent.n, ...where }
  const body: JsonObject = {
    end,
    rule,
    title,
    message,
    ...where,
    ...(status === null ? {} : { status }),
    ...idsOf('compare_with', compare_with),
    ...idsOf('external_ids', external_ids),
    observed_at: at,
  }
  const evidence = [{ kind: 'error', origin: 'observed', attempt: sent.n, body } as const]
  return { attempt: sent.n, fence: sent.fence, end, external_ids, error, evidence, ...retryOf(failed) }
}

// A handler that did not stop may still be at it, and a service may forbid it: then nothing follows by itself.
function retryOf({ retryable, retry_said = null, retry_after_ms = null }: Failure) {
  return retryable === undefined || retry_said === false ? {} : { retry: { retryable, retry_after_ms } }
}

function stoppedEnd(stopped: Stopped | null): Failure {
  const { rule, message } = stopped ?? { rule: 'timeout', message: 'the handler gave no answer' }
  return { end: 'ambiguous', rule, title: STOP_TITLES[rule], message, code: null, host: null }
}

const STOP_TITLES: Readonly<Record<Stopped['rule'], string>> = {
  timeout: 'the time limit passed without an answer',
  hold_lost: 'the lease was lost while the call was made',
}

function merged(named: readonly ExternalId[], found: readonly ExternalId[]): readonly ExternalId[] {
  const isNamed = ({ kind, value }: ExternalId) => named.some(id => id.kind === kind && id.value === value)
  return [...named, ...found.filter(id => !isNamed(id))]
}

function idsOf(name: string, ids: readonly ExternalId[]): JsonObject {
  return ids.length === 0 ? {} : { [name]: ids.map(id => ({ ...id })) }
}
