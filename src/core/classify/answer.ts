import type { JsonValue } from '../json.js'
import { parseForeignJson } from '../parse-json.js'
import { excerpt } from './excerpt.js'
import { type ErrorFacts, NO_FACTS } from './facts.js'
import { readBody } from './response-facts.js'

// Another copy of this module may read it: an answer whose facts were missed would count as a receipt.
const FACTS = Symbol.for('agent-ledger/answer')

/** An HTTP answer that was read whole, as `ledger.fetch` gives and keeps it. */
export interface Answer {
  readonly status: number
  /** those that name what was made, or the request: see `KEPT_HEADERS` */
  readonly headers: Readonly<Record<string, string>>
  /** JSON where it is JSON (whole numbers beyond 2^53 as texts), else text; absent where there was none, or where it was left out */
  readonly body?: JsonValue
  /** why the body is not here */
  readonly body_left_out?: string
}

/** Headers that help to find again what a write made; others may carry secrets and are left out. */
const KEPT_HEADERS = [
  'content-location',
  'etag',
  'idempotent-replayed',
  'last-modified',
  'location',
  'operation-location',
  'request-id',
  'x-request-id',
] as const

export interface ReadAnswer {
  readonly status: number
  /** all of them, by lower-case name */
  readonly headers: Readonly<Record<string, string>>
  /** null where it broke off or is too long */
  readonly text: string | null
  readonly left_out: string | null
  /** what broke while the body was read */
  readonly broke: ErrorFacts | null
  readonly host: string
  /** what was asked, in a few words: `POST https://…` */
  readonly asked: string
}

/** Long enough for what services say of a refusal. */
const LONGEST_EXCERPT = 300

/** The answer as it is handed over; what the rules read of it goes along unseen. */
export function answerOf(read: ReadAnswer): Answer {
  const { status, headers, text, left_out, broke } = read
  const kept = KEPT_HEADERS.flatMap(name => {
    const value = headers[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  const said = text === null || text === '' ? '' : `: ${excerpt(text, LONGEST_EXCERPT)}`
  const body = text === null ? null : (parseForeignJson(text) ?? text)
  const facts: ErrorFacts = {
    ...NO_FACTS,
    name: broke?.name ?? 'Response',
    code: broke?.code ?? null,
    message: `${read.asked} answered ${status}${said}`.toWellFormed().replaceAll('\0', '␀'),
    host: read.host,
    response: {
      status,
      headers,
      body: readBody(body),
      ...(text === null ? { isUnread: true } : {}),
    },
    isAnswer: broke === null,
    cause: broke,
  }
  const answer: Answer = {
    status,
    headers: Object.fromEntries(kept),
    ...(text === null || text === '' ? {} : { body: text.trim() === 'null' ? null : body }),
    ...(left_out === null ? {} : { body_left_out: left_out }),
  }
  return Object.defineProperty(answer, FACTS, { value: facts })
}

/** The facts of an answer that `answerOf` made; null for any other value. */
export function factsOfAnswer(value: unknown): ErrorFacts | null {
  if (typeof value !== 'object' || value === null) return null
  const facts = Object.getOwnPropertyDescriptor(value, FACTS)
  return facts === undefined ? null : facts.value
}
