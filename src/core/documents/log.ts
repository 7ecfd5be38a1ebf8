import { isoTime } from '../iso-time.js'
import type { JsonValue } from '../json.js'

/** The body of `log@1`. */
export interface LogDocument {
  readonly events: readonly EventItem[]
}

export interface EventItem {
  /** place in the ledger's history; grows with time, with gaps */
  readonly seq: number
  readonly at: string
  readonly actor: string
  readonly type: string
  readonly subject: 'operation' | 'task' | 'ledger'
  readonly subject_id: string
  /** what an event of the ledger itself concerns */
  readonly about: string | null
  /** number within its subject; of an operation or a task, also the version it made */
  readonly n: number
  readonly from: string | null
  readonly to: string | null
  readonly reason: string | null
  /** the rule that refused, of a refused decision */
  readonly rule: string | null
  readonly body: JsonValue
  readonly hash: string
}

export const LOG_FIELDS = [
  'seq',
  'at',
  'actor',
  'type',
  'subject',
  'subject_id',
  'about',
  'n',
  'from',
  'to',
  'reason',
  'rule',
  'body',
  'hash',
] as const satisfies readonly (keyof EventItem)[]

/** An event as the store keeps it. */
export interface EventView {
  readonly seq: number
  readonly subject: 'operation' | 'task' | 'ledger'
  readonly subject_id: string
  readonly n: number
  readonly about: string | null
  readonly type: string
  readonly at: number
  readonly actor: string
  readonly body: JsonValue
  readonly hash: string
}

export function eventItem(event: EventView): EventItem {
  const { seq, at, actor, type, subject, subject_id, about, n, body, hash } = event
  return {
    seq,
    at: isoTime(at),
    actor,
    type,
    subject,
    subject_id,
    about,
    n,
    from: textIn(body, 'from'),
    to: textIn(body, 'to'),
    reason: textIn(body, 'reason') ?? textIn(body, 'why'),
    rule: textIn(body, 'rule'),
    body,
    hash,
  }
}

function textIn(body: JsonValue, name: string): string | null {
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, name)) return null
  const found: unknown = Reflect.get(body, name)
  return typeof found === 'string' ? found : null
}
