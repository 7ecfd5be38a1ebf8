import { digestOf } from './digest.js'
import { LedgerError } from './errors.js'
import type { JsonValue } from './json.js'

export const MAX_ID_BYTES = 512

export interface IntentOfId {
  readonly task: string
  readonly step?: string
  readonly tool: string
  readonly input?: JsonValue
  /** ordinal, where one step makes the same call more than once on purpose */
  readonly n?: number
}

/**
 * An id derived from what is meant, so that a replay of the same step finds the same operation:
 * `<task>/<step>/<tool>/<first 12 hex of the input's digest>/<n>`, parts that are not given left out.
 */
export function operationId({ task, step, tool, input, n }: IntentOfId): string {
  const parts = [task, step, tool, input === undefined ? undefined : shortDigest(input), n]
  const id = parts.filter(part => part !== undefined).join('/')
  const bytes = new TextEncoder().encode(id).length
  const fits = bytes <= MAX_ID_BYTES ? id : `${shortDigest(id)}/${[...tool].slice(0, 64).join('')}`
  return checkId(fits, 'operation id')
}

/** 1 to 512 bytes, well-formed, no control characters; else `invalid_input`. Returns the id. */
export function checkId(id: string, what: string): string {
  const bad = problemOfId(id)
  if (bad === null) return id
  throw new LedgerError('invalid_input', `the ${what} ${bad}`, {
    id: id.slice(0, 80),
    hint: `An ${what} has 1 to ${MAX_ID_BYTES} bytes of well-formed text without control characters.`,
  })
}

function problemOfId(id: string): string | null {
  if (id === '') return 'is empty'
  if (!id.isWellFormed()) return 'has a lone surrogate'
  if (/[\u0000-\u001f\u007f-\u009f]/u.test(id)) return 'has control characters'
  if (id.length * 3 <= MAX_ID_BYTES) return null // no unit of UTF-16 takes more than three bytes of UTF-8
  const bytes = new TextEncoder().encode(id).length
  return bytes > MAX_ID_BYTES ? `has ${bytes} bytes, at most ${MAX_ID_BYTES} fit` : null
}

const UUID_V4 = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/i
const NANOID = /(?:^|[/:_-])(?=[\w-]*\d)(?=[\w-]*[a-z])(?=[\w-]*[A-Z])[\w-]{21}$/

/** Does the id look made by chance? After a replay such an id defeats every protection. */
export function looksRandom(id: string): boolean {
  return UUID_V4.test(id) || NANOID.test(id)
}

function shortDigest(value: JsonValue): string {
  return digestOf(value).slice('sha256:'.length, 'sha256:'.length + 12)
}
