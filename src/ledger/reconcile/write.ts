import type { NewEvidence } from '../../core/evidence.js'
import { keptResult } from '../../core/kept-result.js'
import { isSettled, type LastError, type Operation, type OperationStatus } from '../../core/operation.js'
import type { Context, Refusal, Request, State, Step } from '../../core/transitions/requests.js'
import { isHeld } from '../../core/transitions/settle.js'
import type { Verdict } from '../../core/verdict.js'
import { byOf, type Session } from '../session.js'

export interface Judged {
  readonly operation_id: string
  readonly verdict: Verdict
  readonly evidence: readonly NewEvidence[]
  /** how it was settled already: then only what says the opposite changes anything; null where it was not */
  readonly settled: OperationStatus | null
  /** the attempt count and version before the first read */
  readonly seen: { readonly attempts: number; readonly version: number }
}

export interface Written {
  readonly operation: Operation
  /** why the verdict was not written; null where it was, or there was nothing to write but the evidence */
  readonly refusal: Refusal | null
}

/**
 * One commit: the verdict with the evidence it rests on. What a rule refuses, and what concludes nothing, is kept as
 * evidence alone, with the time of the next useful look.
 */
export async function writeVerdict(session: Session, judged: Judged): Promise<Written> {
  const { operation_id, verdict } = judged
  let refusal: Refusal | null = null
  const isNews =
    verdict.verdict === 'absent'
      ? judged.settled === null || judged.settled === 'confirmed'
      : judged.settled === null
  if (verdict.verdict === 'confirmed' || (verdict.verdict !== 'inconclusive' && isNews)) {
    const changed = await session.store.change({
      operation_id,
      by: byOf(session),
      isOwnerGone: session.isOwnerGone,
      onRefusal: 'undo',
      plan: (state, context) =>
        state === null || saysNothingNew(state, judged) ? [] : stepsOf(state, judged, context),
    })
    if (changed.refusal === null && changed.state !== null && changed.events.length > 0)
      return { operation: changed.state.operation, refusal: null }
    refusal = changed.refusal
  }
  await session.store.addEvidence({
    operation_id,
    evidence: judged.evidence,
    next_look_at: verdict.verdict === 'inconclusive' ? verdict.next_look_at : null,
    by: byOf(session),
  })
  const record = await session.store.operation(operation_id)
  if (record === null) throw new Error(`${operation_id} is not there any more`)
  return { operation: record.operation, refusal }
}

/** Confirmed by a person's word: that a look-up agrees is evidence beside it, and changes nothing else. */
function saysNothingNew({ operation }: State, { verdict }: Judged): boolean {
  return operation.status === 'confirmed' && verdict.verdict === 'confirmed'
}

function stepsOf(state: State, { verdict, evidence, seen }: Judged, context: Context): readonly Step[] {
  switch (verdict.verdict) {
    case 'confirmed':
      return [{ request: found(state, verdict), evidence }]
    case 'absent':
      // Only what a person confirmed is asked about again.
      if (state.operation.status === 'confirmed')
        return [
          {
            request: { type: 'contradict', reason: verdict.reason, attempt: null, external_ids: [] },
            evidence,
          },
        ]
      return [
        {
          request: {
            type: 'absent',
            rules_version: verdict.rules_version,
            seen_attempts: seen.attempts,
            seen_version: seen.version,
          },
          evidence,
        },
      ]
    case 'not_applied':
      return verdict.attempts.flatMap(n => cameToNothing(state, n, { verdict, evidence, context }))
    case 'inconclusive':
      return []
  }
}

function found({ operation }: State, verdict: Extract<Verdict, { verdict: 'confirmed' }>): Request {
  const { external_ids, duplicates, reason } = verdict
  if (isSettled(operation.status) && operation.status !== 'confirmed')
    return { type: 'contradict', reason, attempt: null, external_ids }
  const { result, result_digest } = keptResult(verdict.result)
  return {
    type: 'confirm',
    by: 'probe',
    attempt: null,
    fence: null,
    external_ids,
    duplicates,
    result,
    result_digest,
  }
}

/** The end of one attempt, told by the service: the outcome where that attempt is the live one, else late evidence. */
function cameToNothing(
  state: State,
  n: number,
  { verdict, evidence, context }: { verdict: Verdict; evidence: readonly NewEvidence[]; context: Context },
): readonly Step[] {
  const attempt = state.attempts.find(one => one.n === n)
  if (attempt === undefined) return []
  const { operation } = state
  const error: LastError = { rule: verdict.rule, message: verdict.reason, at: context.now.at, attempt: n }
  const held = { attempt: n, fence: operation.lease_fence }
  if (isHeld(state, held)) return [{ request: { type: 'reject', ...held, error }, evidence }]
  const late = { external_ids: [], result: null, result_digest: null, error }
  return [
    {
      request: { type: 'late_result', attempt: n, fence: attempt.fence, end: 'not_applied', ...late },
      evidence,
    },
  ]
}
