import { digestOf, sha256 } from '../../core/digest.js'
import { LedgerError } from '../../core/errors.js'
import type { Operation } from '../../core/operation.js'
import { ATTEMPTS, OPERATIONS } from '../columns.js'
import { changesOf, later, lock, type Query, type Sql } from '../engine.js'
import { blankedOf, type Part, type RedactedPart, tombstone, withoutTexts } from '../redaction.js'
import type { By } from '../store.js'
import { checkOperation, type OperationBundle, replayed } from '../verify/operation.js'
import type { Ledger } from './change.js'
import { timeOfCommit } from './clock.js'
import { appendLedgerEvent } from './events.js'
import { updateOf } from './records.js'
import { operationBundle } from './verify-reads.js'

export interface PartChosen {
  readonly part: Part
  /** of an event or evidence; 0 for input and result */
  readonly n: number
}

export interface Redactable {
  readonly operation_id: string
  /** null: all that can be blanked */
  readonly parts: readonly PartChosen[] | null
}

export interface Redacting extends Redactable {
  readonly reason: string
}

export interface Redacted {
  readonly operation: Operation
  /** blanked, or to be blanked; empty where all of it was blanked before */
  readonly parts: readonly RedactedPart[]
}

/** A body that is blanked, with what is written in its place. */
interface Blanking extends RedactedPart {
  readonly text: string | null
}

/**
 * Blanks bodies of a settled operation. Each leaves its digest, named in the ledger's own chain with who did it and why, so
 * the chains go on fitting; of an event only the texts go, since the rest is what its row is recomputed from.
 * @throws LedgerError not_found, refused, ledger_damaged
 */
export function* redact({ ledger_id }: Ledger, asked: Redacting, by: By): Sql<Redacted> {
  const { operation_id, reason } = asked
  yield* lock({ kind: 'operation', name: operation_id })
  const { bundle, blanking } = yield* toBlank(ledger_id, asked)
  const done = whatGoes(bundle, blanking)
  if (blanking.length === 0) return done
  const { stamp } = yield* timeOfCommit(by.clock)
  const body = { reason, parts: done.parts }
  // The guards of the tables look for it, so it comes first.
  yield* appendLedgerEvent(
    { ledger_id, stamp },
    { about: operation_id, type: 'redact', actor: by.actor, body },
  )
  for (const one of bodyUpdates(operation_id, blanking)) {
    if (changesOf(yield one) !== 1) throw new Error(`a body of ${operation_id} is not there any more`)
  }
  yield* later(rowUpdates(bundle, blanking))
  return { ...done, operation: { ...bundle.operation, result: null } }
}

/** What `redact` would blank, and nothing is written. Throws as it does. */
export function* redactable({ ledger_id }: Pick<Ledger, 'ledger_id'>, asked: Redactable): Sql<Redacted> {
  const { bundle, blanking } = yield* toBlank(ledger_id, asked)
  return whatGoes(bundle, blanking)
}

function* toBlank(ledger_id: string, { operation_id, parts }: Redactable) {
  const bundle = yield* operationBundle(operation_id)
  if (bundle === null)
    throw new LedgerError('not_found', `there is no operation ${operation_id}`, { id: operation_id })
  refuseOpen(bundle)
  refuseUnsound(ledger_id, bundle)
  return { bundle, blanking: blankings(bundle, parts) }
}

function whatGoes({ operation }: OperationBundle, blanking: readonly Blanking[]): Redacted {
  return { operation, parts: blanking.map(({ text: _, ...part }) => part) }
}

function refuseOpen({ operation: { operation_id, status, settled_at } }: OperationBundle): void {
  if (settled_at !== null) return
  throw new LedgerError('refused', `${operation_id} is ${status}: what it is decided by must stay`, {
    id: operation_id,
    rule: 'settled',
    hint: 'Settle it first (resolve, cancel, abandon).',
  })
}

/** A digest of what is there now would make what was changed look right. */
function refuseUnsound(ledger_id: string, bundle: OperationBundle): void {
  const [finding] = checkOperation(ledger_id, bundle)
  if (finding === undefined) return
  const { operation_id } = bundle.operation
  throw new LedgerError('ledger_damaged', `${operation_id} does not verify: ${finding.message}`, {
    id: operation_id,
    hint: 'See `agent-ledger verify`. Nothing was blanked.',
    facts: { rule: finding.rule },
  })
}

function blankings(bundle: OperationBundle, chosen: readonly PartChosen[] | null): Blanking[] {
  const { operation, events, evidence, input, redactions } = bundle
  const wants = (part: Part, n: number) =>
    chosen === null || chosen.some(one => one.part === part && one.n === n)
  refuseUnknown(bundle, chosen ?? [])
  const blanked = (part: Part, n: number) => blankedOf(redactions, part).has(n)
  const found: Blanking[] = []
  const add = (part: Part, n: number, before: string, text: string | null) => {
    if (text !== null && wants(part, n) && !blanked(part, n))
      found.push({ part, n, digest: sha256(before), left: sha256(text), text })
  }
  if (operation.input !== null) add('input', 0, input, tombstone(input))
  // some events alone know the digest of a result
  const { result } = operation
  if (result !== null && wants('result', 0)) {
    const digest = operation.result_digest ?? digestOf(result)
    found.push({ part: 'result', n: 0, digest, left: sha256('null'), text: null })
  }
  for (const { n, body } of evidence) add('evidence', n, body, tombstone(body))
  for (const { n, body } of events) add('event', n, body, withoutTexts(body))
  return found
}

/** @throws LedgerError not_found for a number that the operation does not have */
function refuseUnknown(
  { operation: { operation_id, result }, events, evidence }: OperationBundle,
  chosen: readonly PartChosen[],
): void {
  const wrong = chosen.find(
    ({ part, n }) =>
      (part === 'event' && !events.some(one => one.n === n)) ||
      (part === 'evidence' && !evidence.some(one => one.n === n)),
  )
  if (wrong === undefined) return
  throw new LedgerError('not_found', `${operation_id} has no ${wrong.part} ${wrong.n}`, {
    id: operation_id,
    hint: `It has ${events.length} events and ${evidence.length} evidence${result === null ? '' : ', and a result'}.`,
  })
}

function bodyUpdates(operation_id: string, blanking: readonly Blanking[]): Query[] {
  return blanking.flatMap(({ part, n, text }) => {
    if (part === 'event')
      return [
        {
          text: `update ledger_event
set body = $1
where subject = 'operation' and subject_id = $2 and n = $3`,
          params: [text, operation_id, n],
        },
      ]
    if (part === 'evidence')
      return [
        {
          text: `update ledger_evidence
set body = $1
where operation_id = $2 and n = $3`,
          params: [text, operation_id, n],
        },
      ]
    if (part === 'input')
      return [
        {
          text: `update ledger_operation
set input = $1
where operation_id = $2`,
          params: [text, operation_id],
        },
      ]
    return []
  })
}

/** Row and attempts as the events lead to them now, without their texts; what nobody recomputes goes with them. */
function rowUpdates(bundle: OperationBundle, blanking: readonly Blanking[]): Query[] {
  const { operation, attempts } = bundle
  const texts = new Map(
    blanking.flatMap(({ part, n, text }) => (part === 'event' && text !== null ? [[n, text] as const] : [])),
  )
  const events = bundle.events.map(event => ({ ...event, body: texts.get(event.n) ?? event.body }))
  const state = replayed(operation, events)
  if (state === null) return []
  const { last_error, retry_reason, flags } = state.operation
  const isTextless = texts.size > 0
  const after: Operation = {
    ...operation,
    ...(isTextless ? { last_error, retry_reason, flags, progress: null } : {}),
    ...(blanking.some(({ part }) => part === 'result') ? { result: null } : {}),
  }
  const { operation_id } = operation
  return [
    updateOf(OPERATIONS, {
      before: operation,
      after,
      where: { operation_id, version: operation.version },
    }),
    ...attempts.map(attempt => {
      const error = state.attempts.find(({ n }) => n === attempt.n)?.error ?? null
      return updateOf(ATTEMPTS, {
        before: attempt,
        after: isTextless ? { ...attempt, error, progress: null } : attempt,
        where: { operation_id, n: attempt.n },
      })
    }),
  ].filter(one => one !== null)
}
