import type { JsonObject, JsonValue } from './json.js'
import type { Contract, Effect, ExternalId, Operation, OperationStatus, Repeat } from './operation.js'
import { operationId } from './operation-id.js'
import { type Filled, factsOf, fill } from './placeholders.js'
import { ledgerCommand } from './shell-word.js'
import type { Refusal } from './transitions/requests.js'

/** What a tool's contract declares as the way to undo it: another tool, and its input with {placeholders}. */
export interface Compensate {
  readonly tool: string
  readonly input: JsonValue
  readonly target?: string
  /** of the tool that undoes, copied with it: whoever undoes may not have the configuration */
  readonly effect?: Effect
  readonly repeat?: Repeat
  readonly contract?: Contract
}

/** The outside write that undoes an operation, ready to be written down as one of its own. */
export interface Compensation {
  readonly operation_id: string
  readonly declared: Compensate
  readonly input: JsonValue
  readonly target: string | null
}

export interface Undoing {
  readonly operation_id: string
  readonly status: OperationStatus
}

export interface CompensationQuestion {
  readonly operation: Operation
  readonly external_ids: readonly ExternalId[]
  /** every operation that undoes it, or was to, oldest first */
  readonly undoings: readonly Undoing[]
}

export type CompensationAnswer =
  /** one is on its way, or done: a second one would undo it twice */
  | { readonly kind: 'there'; readonly undoing: Undoing }
  | { readonly kind: 'new'; readonly compensation: Compensation }
  | { readonly kind: 'refused'; readonly refusal: Refusal }

/** What undoing can come to, by the effect of what is undone. */
export const UNDOING_WORDS: Readonly<Record<Effect | 'undeclared', string>> = {
  read: 'it changed nothing: there is nothing to undo',
  reversible: 'it is undone by its exact inverse',
  compensable: 'what it did stays visible: undoing it is a new effect that makes up for it',
  mitigable: 'it cannot be undone, only softened',
  irreversible: 'nothing undoes it: what follows can only correct or explain it',
  undeclared: 'nobody declared what undoing it takes',
}

/** Statuses in which an earlier attempt at undoing is over without having undone anything. */
const OVER: readonly OperationStatus[] = ['cancelled', 'abandoned']

/** What starting the declared compensation of an operation comes to. Pure. */
export function compensationOf(question: CompensationQuestion): CompensationAnswer {
  const { operation, undoings } = question
  const there = undoings.find(({ status }) => !OVER.includes(status))
  if (there !== undefined) return { kind: 'there', undoing: there }
  if (operation.status !== 'confirmed') return refused(notConfirmed(operation))
  const declared = declaredOf(operation.contract.compensate)
  if (declared === null) return refused(notDeclared(operation))
  const { value, missing } = filledBy(declared.input, question)
  const target = declared.target === undefined ? null : filledBy(declared.target, question)
  const gaps = [...missing, ...(target?.missing ?? [])]
  if (gaps.length > 0) return refused(notFilled(operation, gaps))
  const n = undoings.length === 0 ? {} : { n: undoings.length + 1 }
  return {
    kind: 'new',
    compensation: {
      operation_id: operationId({ task: operation.operation_id, step: 'undo', tool: declared.tool, ...n }),
      declared,
      input: value,
      target: target === null ? null : String(target.value),
    },
  }
}

function filledBy(template: JsonValue, { operation, external_ids }: CompensationQuestion): Filled {
  return fill(template, factsOf(operation, external_ids))
}

// Checked where it came in: the configuration's schema, or the contract that a caller gave.
function declaredOf(compensate: JsonObject | undefined): Compensate | null {
  if (compensate === undefined || typeof compensate.tool !== 'string') return null
  return { input: null, ...compensate, tool: compensate.tool }
}

function notConfirmed({ operation_id, status }: Operation): Refusal {
  const isOpen = status === 'unknown' || status === 'in_flight' || status === 'prepared'
  return {
    rule: 'is_confirmed',
    code: 'refused',
    reason: `${operation_id} is ${status}, not confirmed: nobody knows that there is something to undo`,
    satisfy: isOpen
      ? `find out first whether it took effect: ${ledgerCommand('show', [], operation_id)}, then resolve it`
      : 'nothing is to be undone',
  }
}

function notDeclared({ operation_id, tool, effect }: Operation): Refusal {
  return {
    rule: 'compensation_declared',
    code: 'refused',
    reason: `${tool} declares no compensation, and ${UNDOING_WORDS[effect ?? 'undeclared']}`,
    satisfy: `undo it where it was done and leave a note (${ledgerCommand('note', [], operation_id)}), or declare compensate: for ${tool} before its next run`,
  }
}

function notFilled({ operation_id }: Operation, gaps: readonly string[]): Refusal {
  return {
    rule: 'compensation_filled',
    code: 'refused',
    reason: `its compensation wants ${gaps.join(', ')}, and the record of ${operation_id} has none, or more than one`,
    satisfy: 'undo it where it was done and leave a note, or prepare the operation that undoes it yourself',
  }
}

function refused(refusal: Refusal): CompensationAnswer {
  return { kind: 'refused', refusal }
}
