import { isLedgerError } from '../core/errors.js'
import { type Check, checkFields, isObject, isOneOf, isSomeText, isText, isWhole } from '../core/given.js'

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

const isCompensate: Check = value => {
  const problem = isObject(value)
  if (problem !== null) return problem
  const unknown = Object.keys(Object(value)).find(name => !COMPENSATE_FIELDS.includes(name))
  if (unknown !== undefined) return `has ${JSON.stringify(unknown)}, which means nothing there`
  return isSomeText(Reflect.get(Object(value), 'tool')) === null ? null : 'must name the tool that undoes'
}

const COMPENSATE_FIELDS: readonly string[] = ['tool', 'input', 'target', 'effect', 'repeat', 'contract']

const CONTRACT_FIELDS: Readonly<Record<string, Check>> = {
  arrival_bound_ms: value => (value === 'unbounded' ? null : isMs(value)),
  settle_ms: isMs,
  patience_ms: isMs,
  approval: isOneOf(['required']),
  probe: isObject,
  compensate: isCompensate,
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
