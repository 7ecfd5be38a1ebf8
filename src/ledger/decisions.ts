import { LedgerError } from '../core/errors.js'
import type { NewEvidence } from '../core/evidence.js'
import { checkKeys } from '../core/given.js'
import { evidenceBody, evidenceProblem, type GivenEvidence } from '../core/given-evidence.js'
import type { JsonValue } from '../core/json.js'
import { keptResult } from '../core/kept-result.js'
import type { ExternalId } from '../core/operation.js'
import { checkId } from '../core/operation-id.js'
import type { Decision } from '../core/transitions/by-person.js'
import type { Mask } from '../execute/executor.js'

/** What every decision of a person says. */
export interface DecisionOptions {
  /** why, in the person's words; stays in the record */
  readonly reason: string
  /** the version they looked at: the decision is refused when it changed since */
  readonly expectVersion?: number
  /** names this decision for ever: carried out again, it changes nothing */
  readonly decisionId?: string
}

/** How a person settles an operation. */
export interface ResolveOptions extends DecisionOptions {
  readonly as: 'confirmed' | 'not_executed'
  /** what they saw, in words or as something that can be looked at again; at least one, unless `withoutEvidence` */
  readonly evidence?: readonly GivenEvidence[]
  /** the value a resumed run goes on with; `confirmed` only */
  readonly result?: JsonValue
  /** what the service calls it; `confirmed` only */
  readonly externalIds?: readonly ExternalId[]
  /** `not_executed` although an attempt may still arrive */
  readonly early?: boolean
  /** `confirmed` although it touched another target than was asked for */
  readonly otherTarget?: boolean
  /** there is none, and the person takes the risk; stays on the record */
  readonly withoutEvidence?: boolean
}

export interface AllowRetryOptions extends DecisionOptions {
  /**
   * send it although an earlier attempt may have taken effect and a repeat is not safe: names the risk that is taken,
   * which stays on the record
   */
  readonly acceptDuplicate?: string
}

const DECISION_KEYS: Readonly<Record<keyof DecisionOptions, true>> = {
  reason: true,
  expectVersion: true,
  decisionId: true,
}
const RESOLVE_KEYS: Readonly<Record<keyof ResolveOptions, true>> = {
  ...DECISION_KEYS,
  as: true,
  evidence: true,
  result: true,
  externalIds: true,
  early: true,
  otherTarget: true,
  withoutEvidence: true,
}
const ALLOW_RETRY_KEYS: Readonly<Record<keyof AllowRetryOptions, true>> = {
  ...DECISION_KEYS,
  acceptDuplicate: true,
}

/** Longest reason or piece of evidence. It is what a person read, not the log they read it in. */
const LONGEST_TEXT = 65_536

/** Makes the decision of what was given, with secrets masked. Throws `invalid_input` naming what does not fit. */
export function resolveDecision(operationId: string, given: ResolveOptions, mask: Mask): Decision {
  checkKeys(given, RESOLVE_KEYS, `the decision on ${operationId}`)
  const { as, early = false, otherTarget = false, withoutEvidence = false, externalIds = [], result } = given
  const base = { ...baseOf(operationId, given, mask), evidence: evidenceOf(operationId, given, mask) }
  if (as === 'not_executed') {
    const senseless = result !== undefined ? 'result' : externalIds.length > 0 ? 'external ids' : undefined
    if (senseless !== undefined)
      throw invalid(
        operationId,
        `${senseless} belong to what took effect`,
        'Leave them out, or resolve it as confirmed.',
      )
    return { ...base, type: 'resolve_not_executed', early, without_evidence: withoutEvidence }
  }
  if (early) throw invalid(operationId, 'early is for not_executed', 'Leave it out.')
  return {
    ...base,
    type: 'resolve_confirmed',
    external_ids: externalIds.map(id => checkedExternalId(operationId, id)),
    ...resultOf(operationId, result),
    other_target: otherTarget,
    without_evidence: withoutEvidence,
  }
}

/** A decision that says a reason and nothing else. */
export function plainDecision(
  operationId: string,
  type: 'reopen' | 'abandon' | 'cancel' | 'deny' | 'withdraw' | 'acknowledge',
  { given, mask }: { readonly given: DecisionOptions; readonly mask: Mask },
): Decision {
  checkKeys(given, DECISION_KEYS, `the decision on ${operationId}`)
  return { ...baseOf(operationId, given, mask), type }
}

export function allowRetryDecision(operationId: string, given: AllowRetryOptions, mask: Mask): Decision {
  checkKeys(given, ALLOW_RETRY_KEYS, `the decision on ${operationId}`)
  const { acceptDuplicate = null } = given
  const accept_duplicate =
    acceptDuplicate === null ? null : storedText(acceptDuplicate, 'risk accepted', mask)
  if (accept_duplicate?.trim() === '')
    throw invalid(operationId, 'the risk accepted is empty', 'Say what may happen twice.')
  return { ...baseOf(operationId, given, mask), type: 'allow_retry', accept_duplicate }
}

/** A text of a person as it is stored: well-formed, masked. */
export function storedText(text: string, what: string, mask: Mask): string {
  const bad =
    typeof text !== 'string'
      ? 'is no text'
      : text.length > LONGEST_TEXT
        ? `has ${text.length} characters, at most ${LONGEST_TEXT} fit`
        : !text.isWellFormed() || text.includes('\0')
          ? 'has characters that no text has (lone surrogates, NUL)'
          : null
  if (bad !== null) throw new LedgerError('invalid_input', `the ${what} ${bad}`, { path: what })
  return mask.text(text)
}

function baseOf(operationId: string, given: DecisionOptions, mask: Mask) {
  const { expectVersion = null } = given
  if (expectVersion !== null && !(Number.isSafeInteger(expectVersion) && expectVersion >= 1))
    throw invalid(operationId, `version ${String(expectVersion)} is no version`, 'Versions count from 1.')
  return {
    operation_id: checkId(operationId, 'operation id'),
    reason: storedText(given.reason, 'reason', mask),
    expected_version: expectVersion,
  }
}

function evidenceOf(operationId: string, given: ResolveOptions, mask: Mask): NewEvidence[] {
  const { evidence = [], withoutEvidence = false } = given
  const said = evidence.filter(one => typeof one !== 'string' || one.trim() !== '')
  if (!withoutEvidence) return said.map(one => attested(storedEvidence(one, mask)))
  if (said.length > 0)
    throw invalid(operationId, 'evidence was given, and that there is none', 'Give one or the other.')
  return [attested({ without_evidence: true, says: 'a person settled it and has no evidence' })]
}

function storedEvidence(given: GivenEvidence, mask: Mask): JsonValue {
  if (typeof given === 'string') return storedText(given, 'evidence', mask)
  const problem = evidenceProblem(given)
  if (problem !== null)
    throw new LedgerError('invalid_input', `the evidence ${problem}`, { path: 'evidence' })
  return evidenceBody(given, text => storedText(text, 'evidence', mask))
}

function attested(body: JsonValue): NewEvidence {
  return { kind: 'attestation', origin: 'attested', attempt: null, body }
}

function resultOf(operationId: string, returned: JsonValue | undefined) {
  const { result, result_digest, left_out } = keptResult(returned)
  if (returned !== undefined && result_digest === null)
    throw invalid(operationId, `the result cannot be kept: ${left_out}`, 'Give a JSON value.')
  return { result, result_digest }
}

function checkedExternalId(operationId: string, id: ExternalId): ExternalId {
  const texts = [id.kind, id.value, id.url ?? '-', id.scope ?? '-']
  const isFit = texts.every(text => typeof text === 'string' && text.trim() !== '' && text.isWellFormed())
  if (isFit && texts.every(text => !/[\u0000-\u001f\u007f]/.test(text) && text.length <= 2048)) return id
  throw invalid(
    operationId,
    `the external id ${JSON.stringify(id)} does not fit`,
    'Kind and value are texts of 1 to 2048 characters without control characters.',
  )
}

function invalid(id: string, message: string, hint: string): LedgerError {
  return new LedgerError('invalid_input', `${id}: ${message}`, { id, hint })
}
