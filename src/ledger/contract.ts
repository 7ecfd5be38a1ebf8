import { isLedgerError } from '../core/errors.js'
import { type Check, checkFields, isObject, isOneOf, isSomeText, isText, isWhole } from '../core/given.js'
import type { RetryPolicy } from '../core/operation.js'

const isMs = isWhole(0, Number.MAX_SAFE_INTEGER)

const REPEAT_FIELDS: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  idempotency_key: {
    kind: isText,
    retention_ms: value => (value === null ? null : isMs(value)),
    scope: isText,
  },
  idempotent: { kind: isText },
  conditional: { kind: isText, names: isOneOf(['permanent', 'reusable']) },
  none: { kind: isText },
}

const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  idempotency_key: ['retention_ms'],
  conditional: ['names'],
}

const RETRY_FIELDS: Readonly<Record<keyof RetryPolicy, Check>> = {
  base_ms: isMs,
  cap_ms: isMs,
  max_elapsed_ms: isMs,
  quota: fieldsAre(
    {
      retries: isWhole(1, 1_000_000),
      per_ms: isWhole(1, Number.MAX_SAFE_INTEGER),
      destination: isSomeText,
    },
    ['retries', 'per_ms'],
  ),
}

/** How a write is sent again. */
export const isRetry: Check = fieldsAre(RETRY_FIELDS)

const CONTRACT_FIELDS: Readonly<Record<string, Check>> = {
  arrival_bound_ms: value => (value === 'unbounded' ? null : isMs(value)),
  settle_ms: isMs,
  patience_ms: isMs,
  approval: isOneOf(['required']),
  probe: isObject,
  compensate: isObject,
  retry: isRetry,
  look_here: fieldsAre({ url: isText, check: isText }),
  stall: value =>
    isObject(value) ??
    (Object.values(Object(value)).every(item => isMs(item) === null) ? null : 'must hold milliseconds'),
}

/** A repeat contract as it is kept in a row. */
export const isRepeat: Check = value => {
  const problem = isObject(value)
  if (problem !== null) return problem
  const kind: unknown = Reflect.get(Object(value), 'kind')
  const fields =
    typeof kind === 'string' && Object.hasOwn(REPEAT_FIELDS, kind) ? REPEAT_FIELDS[kind] : undefined
  if (fields === undefined) return `must have a kind: ${Object.keys(REPEAT_FIELDS).join(', ')}`
  return fieldsAre(fields, REQUIRED[String(kind)])(value)
}

/** What of a tool's contract is copied into a row. */
export const isContract: Check = fieldsAre(CONTRACT_FIELDS)

function fieldsAre(fields: Readonly<Record<string, Check>>, required: readonly string[] = []): Check {
  return value => {
    try {
      checkFields(value, { fields, required, what: 'it' })
      return null
    } catch (error) {
      if (isLedgerError(error)) return `does not fit: ${error.message}`
      throw error
    }
  }
}
