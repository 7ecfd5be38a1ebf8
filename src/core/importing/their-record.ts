import { contractDigest, deriveIdempotencyKey, digestOf, inputDigest } from '../digest.js'
import type { NewEvidence } from '../evidence.js'
import { externalIdOf } from '../external-id.js'
import type { ImportedOperation, OwnRecord } from '../imported.js'
import type { JsonObject, JsonValue } from '../json.js'
import { keptResult } from '../kept-result.js'
import {
  type Contract,
  type Effect,
  type ExternalId,
  type Intent,
  isSettled,
  type LastError,
  type Repeat,
} from '../operation.js'
import type { TheirRecord } from '../transitions/requests.js'
import { cleanId, cleanJson, cleanText, cleanTextOrNull, cleanTime } from './clean.js'
import { sendingsOf } from './their-attempts.js'

export interface TakingIn {
  /** id of the source: scope of the keys, and named in the evidence */
  readonly source: string
  /** milliseconds since 1970 UTC */
  readonly now: number
  readonly mask: { readonly text: (text: string) => string; readonly value: (value: JsonValue) => JsonValue }
  /** what the configuration here declares of the tool; null: nothing */
  readonly declared: (tool: string) => Declared | null
}

export interface Declared {
  readonly effect: Effect | null
  readonly repeat: Repeat | null
  readonly contract: Contract
}

/** An operation of another system, ready to be stored. */
export interface TakenIn {
  readonly theirs: TheirRecord
  /** pieces of evidence for a first reading; a later one brings the first of them alone */
  readonly evidence: readonly [NewEvidence, ...NewEvidence[]]
  /** names this state of their record: the same state again changes nothing */
  readonly digest: string
  /** when their record was last changed, milliseconds since 1970 UTC; null where it does not say */
  readonly as_of: number | null
  /** why another status than theirs was taken */
  readonly corrected: string | null
}

export function takenIn(record: ImportedOperation, taking: TakingIn): TakenIn {
  const { source, now, mask } = taking
  const { own } = record
  const { status, attempts, corrected } = sendingsOf(record, now)
  const kept = keptResult(record.result === null ? undefined : cleanJson(record.result))
  const as_of = cleanTime(record.updated_at)
  const external_ids = idsOf(record)
  const digest = digestOfRecord(record, external_ids)
  const said: JsonObject = {
    source,
    foreign_status: mask.text(cleanText(record.foreign_status)),
    rule: cleanText(record.rule),
    why: mask.text(cleanText(record.why)),
    record: digest,
    ...(as_of === null ? {} : { as_of }),
    ...(record.foreign_digest === null ? {} : { foreign_digest: cleanText(record.foreign_digest) }),
    ...(corrected === null ? {} : { corrected }),
    ...(kept.left_out === null ? {} : { result_left_out: kept.left_out }),
    ...(own === undefined ? {} : { ledger_id: own.ledger_id, version: own.version }),
  }
  const newest = attempts.at(-1)
  return {
    theirs: {
      intent: intentOf(record, taking),
      status,
      attempts: attempts.map(attempt => ({ ...attempt, error: masked(attempt.error, mask) })),
      external_ids,
      result: kept.result,
      result_digest: own?.result_digest ?? kept.result_digest,
      last_error: masked(
        own?.last_error ?? attempts.findLast(({ error }) => error !== null)?.error ?? null,
        mask,
      ),
      settled_by:
        status === 'confirmed' || status === 'not_executed' ? (own?.settled_by ?? 'imported') : null,
      lease_expires_at: cleanTime(record.lease_expires_at),
      kept: own === undefined ? {} : keptOf(own),
      heartbeat_at: cleanTime(record.heartbeat_at),
      progress: record.progress === null ? null : cleanJson(record.progress),
      created_at: Math.min(cleanTime(record.created_at) ?? newest?.sent_at ?? now, now),
      settled_at: isSettled(status) ? (own?.settled_at ?? newest?.ended_at ?? as_of) : null,
      said,
    },
    evidence: [
      { kind: 'record', origin: 'imported', attempt: newest?.n ?? null, body: said },
      ...(own?.evidence ?? []).map(({ kind, origin, attempt, body, ...where }) => ({
        kind,
        origin: 'imported' as const,
        attempt,
        body: mask.value({ body, first: { ledger_id: own?.ledger_id ?? '', origin, ...where } }),
      })),
    ],
    digest,
    as_of,
    corrected,
  }
}

function keptOf(own: OwnRecord): TheirRecord['kept'] {
  const { flags, by_hand, cancel_requested_at, next_attempt_at, retry_reason } = own
  const { defer_until, next_look_at, activity_at, progress_at } = own
  const when = { cancel_requested_at, next_attempt_at, retry_reason, defer_until, next_look_at }
  return { flags, by_hand, ...when, activity_at, progress_at }
}

function intentOf(record: ImportedOperation, { source, declared }: TakingIn): Intent {
  const { own } = record
  const operation_id = cleanId(record.operation_id)
  const tool = cleanText(record.tool) || 'unnamed'
  const input = cleanJson(record.input)
  const here = own === undefined ? declared(tool) : null
  const effect = record.effect ?? here?.effect ?? null
  const repeat = own?.repeat ?? repeatHere(here)
  const contract = own?.contract ?? here?.contract ?? {}
  return {
    operation_id,
    task_id: cleanId(record.task_id),
    phase: cleanTextOrNull(record.phase),
    step: cleanTextOrNull(record.step),
    tool,
    effect,
    target: cleanTextOrNull(record.target),
    input,
    input_digest: own?.input_digest ?? digestOfInput(record, { input, operation_id }),
    idempotency_key: cleanTextOrNull(record.idempotency_key) || deriveIdempotencyKey(operation_id),
    key_scope: own?.key_scope ?? `imported/${source}`,
    repeat,
    contract,
    contract_digest: contractDigest(effect, repeat, contract),
    amount: own?.amount ?? null,
    max_attempts: own?.max_attempts ?? Math.max(1, record.attempts.length),
    deadline_at: own?.deadline_at ?? null,
    timeout_ms: own?.timeout_ms ?? null,
    compensates: own?.compensates ?? (record.compensates === undefined ? null : cleanId(record.compensates)),
    supersedes: own?.supersedes ?? null,
    checkpoint: record.checkpoint,
    provenance: 'imported',
    links: own?.links ?? [],
  }
}

/** A key declared here was not what the other system sent, so that nothing safe follows from it. */
function repeatHere(here: Declared | null): Repeat | null {
  return here === null || here.repeat?.kind === 'idempotency_key' ? null : here.repeat
}

/** Where they keep no input, their digest tells equal writes; without one, nothing is like another. */
function digestOfInput(
  { foreign_digest }: ImportedOperation,
  { input, operation_id }: { readonly input: JsonValue; readonly operation_id: string },
): string {
  if (input !== null) return inputDigest(input)
  return digestOf(
    foreign_digest === null ? { input_of: operation_id } : { digest: cleanText(foreign_digest) },
  )
}

function idsOf({ external_ids }: ImportedOperation): ExternalId[] {
  return external_ids.flatMap(({ kind, value, url, scope }) => {
    const id = externalIdOf(kind, value, {
      ...(url === undefined ? {} : { url }),
      ...(scope === undefined ? {} : { scope }),
    })
    return id === null ? [] : [id]
  })
}

/** What a later reading must differ in to be news; signs of life are none. */
function digestOfRecord(record: ImportedOperation, external_ids: readonly ExternalId[]): string {
  const { status, foreign_status, rule, attempts, result, tool, target, input, own } = record
  return digestOf(
    JSON.parse(
      JSON.stringify({
        status,
        foreign_status: cleanText(foreign_status),
        rule: cleanText(rule),
        attempts: cleanJson(JSON.parse(JSON.stringify(attempts))),
        external_ids,
        result: cleanJson(result),
        tool: cleanText(tool),
        input: own === undefined ? cleanJson(input) : own.input_digest,
        target: cleanTextOrNull(target),
        ...(own === undefined
          ? {}
          : { version: own.version, ledger_id: own.ledger_id, evidence: own.evidence.length }),
      }),
    ),
  )
}

function masked(error: LastError | null, { text }: TakingIn['mask']): LastError | null {
  return error === null ? null : { ...error, message: text(error.message) }
}
