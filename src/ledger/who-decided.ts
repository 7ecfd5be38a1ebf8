import { isoTime } from '../core/iso-time.js'
import type { JsonValue } from '../core/json.js'
import type { LoggedEvent, StoreReader } from '../store/store.js'

export interface Second {
  readonly operation_id: string
  /** the version they looked at */
  readonly since: number | null
  /** only events of this type */
  readonly type?: string
}

/**
 * Who decided, what and when: shown to whoever comes second. With `since` the last change after that version, else the
 * one that led to the status there is now.
 */
export async function whoDecided(
  store: StoreReader,
  { operation_id, since, type }: Second,
): Promise<Readonly<Record<string, string>>> {
  const events = await eventsOf(store, operation_id)
  const later = events.filter(event => {
    if (type !== undefined) return event.type === type
    return since === null ? isMove(event) : event.n > since
  })
  const last = later.at(-1) ?? events.at(-1)
  if (last === undefined) return {}
  const [to, reason] = [textOf(last.body, 'to'), textOf(last.body, 'reason')]
  const saw = since === null ? undefined : events.find(({ n }) => n === since)
  const seen = saw === undefined ? undefined : textOf(saw.body, 'to')
  return {
    // side by side: what they looked at, and what became of it
    ...(seen === undefined ? {} : { you_saw: `${seen} (version ${since})` }),
    decided: `${last.type.replaceAll('_', ' ')}${to === undefined ? '' : `, now ${to}`}`,
    by: last.actor,
    at: isoTime(last.at),
    ...(reason === undefined ? {} : { because: reason }),
  }
}

function isMove({ body }: LoggedEvent): boolean {
  return textOf(body, 'from') !== textOf(body, 'to')
}

// Few operations have more than a dozen events; the pages end with the chain.
async function eventsOf(store: StoreReader, operation_id: string): Promise<LoggedEvent[]> {
  const found: LoggedEvent[] = []
  for (;;) {
    const page = await store.events({
      about: { operation_id },
      after_seq: found.at(-1)?.seq ?? 0,
      limit: PAGE,
    })
    found.push(...page)
    if (page.length < PAGE) return found.filter(({ subject }) => subject === 'operation')
  }
}

const PAGE = 500

function textOf(body: JsonValue, name: string): string | undefined {
  const found: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined
  return typeof found === 'string' ? found : undefined
}
