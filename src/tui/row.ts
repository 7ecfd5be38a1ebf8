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
  readonly facts: RowFacts
}

/** What a filter asks about; lower case. */
export interface RowFacts {
  readonly text: string
  readonly state: string
  readonly risk: string
  readonly tool: string
  readonly task: string
  readonly cause: string
  /** who settled it by hand, or claims it */
  readonly by: string
  readonly ageMs: number
}

/** Longest id or reason a row carries; the whole of it stands in the detail. */
const LONGEST = 160

export function rowOf(listed: ListedOperation, show: Show): Row {
  const { operation_id, task_id, version, status, age_ms, risk, tool, by_hand, claimed_by, cause } = listed
  const name = show(operation_id, { max: LONGEST })
  const state = stateOf(listed, show)
  const why = whyOf(listed, show)
  const by = [by_hand?.by, claimed_by].map(actor => (typeof actor === 'string' ? actorName(actor) : ''))
  return {
    id: operation_id,
    taskId: task_id,
    version,
    status,
    glyph: glyphOf(listed),
    name,
    state,
    age: safe(formatAge(age_ms)),
    risk: safe(risk),
    tool: show(tool, { max: LONGEST }),
    task: show(task_id, { max: LONGEST }),
    why,
    cause: cause === null ? null : show(cause, { max: LONGEST }),
    facts: {
      text: `${operation_id} ${task_id} ${tool} ${state} ${why}`.toLowerCase(),
      state: state.toLowerCase(),
      risk,
      tool: tool.toLowerCase(),
      task: task_id.toLowerCase(),
      cause: (cause ?? '').toLowerCase(),
      by: by.join(' ').trim().toLowerCase(),
      ageMs: age_ms,
    },
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
