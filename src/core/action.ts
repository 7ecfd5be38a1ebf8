import { canonicalize, digestOf, sha256 } from './digest.js'
import type { ImportedAction } from './imported.js'
import type { JsonValue } from './json.js'
import { steadyInput, steadyResult } from './stall/volatile.js'

export const ACTION_KINDS = ['tool', 'message', 'condensation', 'input'] as const
/** `input`: a person or another agent said something, and what the agent did before it counts no more. */
export type ActionKind = (typeof ACTION_KINDS)[number]

/** Newest rows kept of a task. A loop shows in fewer; what is the same again is counted in one row. */
export const ACTIONS_KEPT = 64

/** One thing an agent did, as it is told. Times are milliseconds since 1970 UTC. */
export interface NewAction {
  readonly kind: ActionKind
  readonly tool: string | null
  /** over the input without what changes by itself; null where there is none */
  readonly input_digest: string | null
  /** over the result without what changes by itself; null while nothing came back */
  readonly result_digest: string | null
  readonly outcome: 'ok' | 'error' | null
  /** it waits on purpose until then */
  readonly wait_until: number | null
  /** what this step cost, in the unit of the task's budget */
  readonly cost: number
  /** thresholds of the stall rules that the tool's contract declares */
  readonly stall: Readonly<Record<string, number>> | null
  /** a short, masked text for a person */
  readonly excerpt: string
}

/** What the ledger keeps of it. What is the same again right after raises `times`. */
export interface Action extends Omit<NewAction, 'cost'> {
  /** 1 for the first action of the task; a row of several has the number of its last one */
  readonly n: number
  readonly times: number
  readonly first_at: number
  readonly at: number
}

export interface ActionGiven {
  readonly kind?: ActionKind
  readonly tool?: string | null
  readonly input?: JsonValue
  readonly result?: JsonValue | null
  readonly outcome?: 'ok' | 'error' | null
  readonly wait_until?: number | null
  readonly cost?: number
  readonly stall?: Readonly<Record<string, number>> | null
}

const EXCERPT = 160

/** Digests and an excerpt of what was told; `mask` hides secrets in the excerpt, and digests are over what was given. */
export function newAction(given: ActionGiven, mask: (value: JsonValue) => JsonValue): NewAction {
  const { kind = 'tool', tool = null, result = null, outcome = null, stall = null } = given
  const { input = null, wait_until = null, cost = 0 } = given
  return {
    kind,
    tool,
    input_digest: input === null ? null : digestOf(steadyInput(input)),
    result_digest: result === null ? null : digestOf(steadyResult(result)),
    outcome,
    wait_until,
    cost,
    stall,
    excerpt: excerptOf({ kind, tool, input, result }, mask),
  }
}

/** What another system's record says its agent did. */
export function importedAction(
  action: ImportedAction,
  {
    mask,
    stall = null,
  }: { readonly mask: (value: JsonValue) => JsonValue; readonly stall?: ActionGiven['stall'] },
): NewAction {
  const { kind, tool, input, result, outcome } = action
  return newAction({ kind, tool, input, result, outcome, stall }, mask)
}

/** Is `next` the same as the newest row, so that it is counted there? */
export function isSameAction(row: Action, next: NewAction): boolean {
  return (
    row.kind === next.kind &&
    row.tool === next.tool &&
    row.input_digest === next.input_digest &&
    row.result_digest === next.result_digest &&
    row.outcome === next.outcome &&
    (row.wait_until === null) === (next.wait_until === null) &&
    canonicalize(row.stall) === canonicalize(next.stall)
  )
}

/** Names the same step: tool, input, result and how it ended. */
export function fingerprintOf(
  action: Pick<Action, 'kind' | 'tool' | 'input_digest' | 'result_digest' | 'outcome'>,
): string {
  const { kind, tool, input_digest, result_digest, outcome } = action
  return sha256(JSON.stringify([kind, tool, input_digest, result_digest, outcome]))
}

function excerptOf(
  { kind, tool, input, result }: Required<Pick<ActionGiven, 'kind' | 'tool' | 'input' | 'result'>>,
  mask: (value: JsonValue) => JsonValue,
): string {
  const named = kind === 'tool' ? (tool ?? '') : kind
  const said = input === null ? '' : ` ${shortOf(mask(input), EXCERPT / 2)}`
  const answered = result === null ? '' : ` → ${shortOf(mask(result), EXCERPT / 2)}`
  return `${named}${said}${answered}`.slice(0, EXCERPT + 8).toWellFormed()
}

function shortOf(value: JsonValue, most: number): string {
  const text = (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll(/\s+/g, ' ')
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`
}
