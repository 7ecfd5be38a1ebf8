import type { Intent } from '../operation.js'
import type { Large, Settable } from './events.js'
import type { Context, RequestOf } from './requests.js'

/** The columns that an intent fills, beside what stands in the row alone. */
export function setOfIntent(intent: Intent): Settable {
  const set: Record<string, unknown> = {}
  let name: keyof Intent
  for (name in intent) {
    const value = intent[name]
    if (value !== null && !isEmptyList(value) && !BESIDE.has(name)) set[name] = value
  }
  return set
}

export function additionOfPrepare(
  { intent, again, cleanup }: RequestOf<'prepare'>,
  { same_write }: Context,
): {
  set: Settable
  large: Partial<Large>
} {
  const { input, repeat, contract } = intent
  const retention = repeat?.kind === 'idempotency_key' ? repeat.retention_ms : null
  const set: Settable = {
    ...(retention === null ? {} : { key_retention_ms: retention }),
    ...(same_write === null ? {} : { same_as: same_write }),
    ...(again === undefined && cleanup === undefined
      ? {}
      : { flags: { ...(again === undefined ? {} : { again }), ...(cleanup ? { cleanup } : {}) } }),
    lease_fence: 1,
    ...setOfIntent(intent),
  }
  return { set, large: { input, repeat, contract } }
}

/** What of an intent no event sets: the id is the event's own subject, the rest stands in the row alone. */
const BESIDE: ReadonlySet<string> = new Set<keyof Intent>(['operation_id', 'input', 'repeat', 'contract'])

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}
