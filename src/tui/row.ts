import { actorName } from '../core/actor.js'
import type { ListedOperation } from '../core/documents/list.js'
import { formatAge } from '../core/duration.js'
import type { OperationStatus } from '../core/operation.js'
import { join, type Safe, type SafeShape, safe, words } from '../core/safe-text.js'

export type Show = (text: string, shape?: SafeShape) => Safe

/** An operation as a row of the screen: everything that is shown of it is safe. */
export interface Row {
  /** as it is recorded, for decisions and comparisons */
  readonly id: string
  readonly taskId: string
  readonly version: number
  readonly status: OperationStatus
  readonly glyph: '?' | '!' | '>' | '=' | '.'
  readonly name: Safe
  readonly state: Safe
  readonly age: Safe
  readonly risk: Safe
  readonly tool: Safe
  readonly task: Safe
  readonly why: Safe
  readonly cause: Safe | null
  /** who settled it by hand, or claims it; empty: nobody */
  readonly by: string
  readonly ageMs: number
}

/** Longest reason or name a row carries; the whole of it stands in the detail. */
const LONGEST = 160
/** Of an id the end counts, too: what a cut says about itself would stand in its place. */
const LONGEST_ID = 1_000

/** Gives one string for all that are the same. */
export type One = <T extends string>(text: T) => T

export function rowOf(listed: ListedOperation, show: Show, one: One = text => text): Row {
  const { operation_id, task_id, version, status, age_ms, risk, tool, by_hand, claimed_by, cause } = listed
  const by = [by_hand?.by, claimed_by].map(actor => (typeof actor === 'string' ? actorName(actor) : ''))
  return {
    id: one(operation_id),
    taskId: one(task_id),
    version,
    status: one(status),
    glyph: glyphOf(listed),
    name: one(show(operation_id, { max: LONGEST_ID })),
    state: one(stateOf(listed, show)),
    age: one(safe(formatAge(age_ms))),
    risk: one(safe(risk)),
    tool: one(show(tool, { max: LONGEST })),
    task: one(show(task_id, { max: LONGEST })),
    why: one(whyOf(listed, show)),
    cause: cause === null ? null : one(show(cause, { max: LONGEST })),
    by: one(by.join(' ').trim()),
    ageMs: age_ms,
  }
}

function stateOf({ status, in_doubt, stalled_by, by_hand, claimed_by }: ListedOperation, show: Show): Safe {
  const parts: Safe[] = [safe(status)]
  if (in_doubt && status !== 'unknown') parts.push(words`in doubt`)
  if (stalled_by.length > 0) parts.push(words`stalled`)
  if (by_hand !== null) parts.push(words`by hand (${show(actorName(by_hand.by), { max: 24 })})`)
  if (claimed_by !== null) parts.push(words`claimed by ${show(actorName(claimed_by), { max: 24 })}`)
  return join(parts, ', ')
}

function glyphOf({ status, in_doubt, stalled_by }: ListedOperation): Row['glyph'] {
  if (in_doubt) return '?'
  if (stalled_by.length > 0) return '!'
  if (status === 'in_flight') return '>'
  return status === 'prepared' ? '.' : '='
}

function whyOf({ stalled_by, last_error, next_action, in_doubt }: ListedOperation, show: Show): Safe {
  const [stall] = stalled_by
  if (!in_doubt && stall !== undefined) return show(`${stall.rule}: ${stall.reason}`, { max: LONGEST })
  return show(last_error?.message ?? stall?.reason ?? next_action.reason, { max: LONGEST })
}
