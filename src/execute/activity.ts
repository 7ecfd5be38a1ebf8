import { ACTION_KINDS, type ActionKind, type NewAction, newAction } from '../core/action.js'
import { LedgerError } from '../core/errors.js'
import { type Check, checkFields, isAny, isOneOf, isSomeText, isText, isTime } from '../core/given.js'
import type { JsonValue } from '../core/json.js'
import { jsonText } from '../core/json-depth.js'
import type { Executor } from './executor.js'

/**
 * What an agent did, so that going round is seen: reads and thoughts as well as writes. Digests are kept, and a short
 * masked excerpt; not the values.
 */
export interface ActivityAbout {
  /** left out: `tool` where a tool is named, `message` where a message is */
  readonly kind?: ActionKind
  readonly tool?: string
  /** JSON; what a model thinks (`thought`, `reasoning`) does not count */
  readonly input?: JsonValue
  /** JSON; left out while nothing came back, and then it speaks neither for a loop nor against one */
  readonly result?: JsonValue
  readonly outcome?: 'ok' | 'error'
  /** what it said, where it said something instead of doing something */
  readonly message?: string
  /** what it cost, in the unit of the task's budget */
  readonly cost?: number
  /** it waits on purpose until then, milliseconds since 1970 UTC: standing still until then is no trouble */
  readonly waitUntil?: number
}

const FIELDS: Readonly<Record<keyof ActivityAbout, Check>> = {
  kind: isOneOf(ACTION_KINDS),
  tool: isSomeText,
  input: isAny,
  result: isAny,
  outcome: isOneOf(['ok', 'error']),
  message: isText,
  cost: value => (Number.isFinite(value) && Number(value) >= 0 ? null : 'must be a number of 0 or more'),
  waitUntil: isTime,
}

type Telling = Pick<Executor, 'mask' | 'stallOf'>

/** Undefined where nothing was told but that it did something. @throws LedgerError invalid_input */
export function actionTold(executor: Telling, about: ActivityAbout = {}): NewAction | undefined {
  checkFields(about, { fields: FIELDS, what: 'the activity' })
  const told = Object.values(about).filter(value => value !== undefined)
  if (told.length === 0) return undefined
  const { tool, message, outcome, cost, waitUntil } = about
  const kind = about.kind ?? (message !== undefined && tool === undefined ? 'message' : 'tool')
  if (kind === 'tool' && tool === undefined && waitUntil === undefined)
    throw new LedgerError('invalid_input', 'the activity: "tool" is missing', {
      path: 'tool',
      hint: 'Name the tool that was called, or give a message or a time until which it waits.',
    })
  return newAction(
    {
      kind,
      tool: kind === 'tool' ? (tool ?? 'wait') : null,
      input: asJson(about.input ?? message ?? null, 'input'),
      result: asJson(about.result ?? null, 'result'),
      outcome: outcome ?? null,
      cost: cost ?? 0,
      wait_until: waitUntil ?? null,
      stall: tool === undefined ? null : (executor.stallOf?.(tool) ?? null),
    },
    executor.mask.value,
  )
}

/** The part of a signal that says what was done. */
export function toldOf(executor: Telling, about: ActivityAbout | undefined): { readonly action?: NewAction } {
  const action = actionTold(executor, about)
  return action === undefined ? {} : { action }
}

/** Progress is what its evidence says: without any it is activity. @throws LedgerError invalid_input */
export function checkEvidence(evidence: JsonValue): JsonValue {
  if (!isEmpty(evidence)) return evidence
  throw new LedgerError('invalid_input', 'the progress names no evidence', {
    path: 'progress',
    hint: 'Say what was achieved: a batch id, a count, a hypothesis excluded. What achieved nothing is activity.',
  })
}

/** Nothing that could tell one progress from another. */
export function isEmpty(evidence: JsonValue | undefined): boolean {
  if (evidence === undefined || evidence === null || evidence === true || evidence === false) return true
  if (typeof evidence === 'string') return evidence.trim() === ''
  return typeof evidence === 'object' && Object.keys(evidence).length === 0
}

function asJson(value: JsonValue, name: string): JsonValue {
  const text = jsonText(value, `the activity: "${name}"`)
  if (text === undefined)
    throw new LedgerError('invalid_input', `the activity: "${name}" has no JSON form`, { path: name })
  return JSON.parse(text)
}
