import { sha256 } from '../core/digest.js'
import type { JsonValue } from '../core/json.js'
import type { Tombstone } from '../core/tombstone.js'
import type { StoredBody } from './stored-body.js'
import type { Blanked } from './verify/links.js'

/** What of an operation can be blanked. `n` is the number of the event or evidence, 0 for input and result. */
export const PARTS = ['input', 'result', 'event', 'evidence'] as const
export type Part = (typeof PARTS)[number]

/** A part as the ledger's own chain names it once it was blanked: the tombstone. */
export interface RedactedPart extends Blanked {
  readonly part: Part
  readonly n: number
}

/** The body of such an event of the ledger. */
export interface RedactionBody {
  readonly reason: string
  readonly parts: readonly RedactedPart[]
}

/** A redaction with who carried it out, and when. */
export interface Redaction extends RedactionBody {
  readonly at: number
  readonly actor: string
}

/** What stands in place of a body: nothing of it but its digest and its length. */
export function tombstone(text: string): string {
  const left: Tombstone = { redacted: { digest: sha256(text), bytes: Buffer.byteLength(text) } }
  return JSON.stringify(left)
}

export const BLANK = '(redacted)'

/** Texts that people, agents and services wrote into events. All else of an event is needed to recompute its row. */
const TEXTS: ReadonlySet<string> = new Set([
  'reason',
  'message',
  'retry_reason',
  'budget_spent',
  'again',
  'accepted_duplicate',
  'acknowledged_duplicates',
])

/** An event's body without its texts; null where it holds none, or was blanked before. */
export function withoutTexts(text: string): string | null {
  const stored: StoredBody = JSON.parse(text)
  if (stored.redacted !== undefined) return null
  const { facts, ...rest } = stored
  const blanked = {
    ...blankNamed(rest),
    ...(facts === undefined ? {} : { facts: blankAll({ ...facts }) }),
  }
  if (JSON.stringify(blanked) === JSON.stringify({ ...rest, ...(facts === undefined ? {} : { facts }) }))
    return null
  return JSON.stringify({ ...blanked, redacted: { digest: sha256(text) } })
}

function blankNamed<T extends object>(record: T): T {
  const entries = Object.entries(record).map(([name, value]: [string, unknown]) => {
    if (name === 'progress' && value !== null) return [name, null]
    if (typeof value === 'string') return [name, TEXTS.has(name) ? BLANK : value]
    if (Array.isArray(value)) return [name, value.map(one => (isRecord(one) ? blankNamed(one) : one))]
    return [name, isRecord(value) ? blankNamed(value) : value]
  })
  // the same names with values of the same kinds, which Object.fromEntries cannot know
  return Object.fromEntries(entries) as T
}

function blankAll(value: JsonValue): JsonValue {
  if (typeof value === 'string') return BLANK
  if (Array.isArray(value)) return value.map(blankAll)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, blankAll(one)]))
}

function isRecord<T>(value: T): value is T & Record<string, never> {
  return typeof value === 'object' && value !== null
}

/** The blanked bodies of one part by their numbers. */
export function blankedOf(redactions: readonly Redaction[], part: Part): ReadonlyMap<number, Blanked> {
  return new Map(
    redactions.flatMap(({ parts }) =>
      parts.filter(one => one.part === part).map(one => [one.n, one] as const),
    ),
  )
}
