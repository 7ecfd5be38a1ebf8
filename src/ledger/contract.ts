import { GRPC_CODES } from '../core/classify/grpc-facts.js'
import { CALL_ENDS } from '../core/classify/rule.js'
import { patternOf, RULE_CONDITIONS } from '../core/classify/service-rule.js'
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
  keeps_ms: isMs,
  patience_ms: isMs,
  classify: listOf(isServiceRule),
  ids: listOf(isIdPlace),
  queues: value => (value === true ? null : 'must be true, or left out'),
  approval: isOneOf(['required']),
  probe: isObject,
  compensate: isCompensate,
  retry: isRetry,
  look_here: fieldsAre({ url: isText, check: isText }),
  stall: value =>
    isObject(value) ??
    (Object.values(Object(value)).every(item => isMs(item) === null) ? null : 'must hold milliseconds'),
}

function isServiceRule(value: unknown): string | null {
  return fieldsAre({ when: isCondition, end: isOneOf(CALL_ENDS), reason: isSomeText, retry: isBoolean }, [
    'when',
    'end',
    'reason',
  ])(value)
}

function isCondition(value: unknown): string | null {
  const isNamed = RULE_CONDITIONS.some(name => Reflect.get(Object(value), name) !== undefined)
  const problem = fieldsAre({
    status: oneOrMore(isWhole(100, 599)),
    code: oneOrMore(isSomeText),
    grpc: oneOrMore(isOneOf(GRPC_CODES)),
    header: valuesAre(isText),
    body: valuesAre(isScalar),
  })(value)
  return (
    problem ?? (isNamed ? null : `must name something to tell the answer by: ${RULE_CONDITIONS.join(', ')}`)
  )
}

function isIdPlace(value: unknown): string | null {
  const texts = { kind: isSomeText, path: isSomeText, pattern: isPattern, url: isSomeText, scope: isSomeText }
  const problem = fieldsAre({ ...texts, in: isOneOf(['result', 'error']) }, ['kind'])(value)
  const has = (name: string) => Reflect.get(Object(value), name) !== undefined
  return problem ?? (has('path') === has('pattern') ? 'must have either path or pattern' : null)
}

function isPattern(value: unknown): string | null {
  const problem = isSomeText(value)
  return problem ?? (patternOf(String(value)) === null ? 'must be a regular expression' : null)
}

function isBoolean(value: unknown): string | null {
  return typeof value === 'boolean' ? null : 'must be true or false'
}

function isScalar(value: unknown): string | null {
  const isOne = value === null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value)
  return isOne ? null : 'must be a text, a number, true, false or null'
}

function oneOrMore(check: Check): Check {
  return value => (Array.isArray(value) && value.length > 0 ? listOf(check)(value) : check(value))
}

function listOf(check: Check): Check {
  return value => {
    if (!Array.isArray(value)) return 'must be a list'
    return value.map(check).find(problem => problem !== null) ?? null
  }
}

function valuesAre(check: Check): Check {
  return value => isObject(value) ?? listOf(check)(Object.values(Object(value)))
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
