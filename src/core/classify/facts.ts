import { saysNotExecuted } from './not-executed.js'

/** What is read off a thrown value, whatever it is; the rules look at nothing else. */
export interface ErrorFacts {
  readonly name: string
  readonly message: string
  /** made by `notExecuted()` */
  readonly isNotExecuted: boolean
  /** `ECONNREFUSED`, `UND_ERR_SOCKET`: how Node and its libraries name a failure */
  readonly code: string | null
  readonly syscall: string | null
  /** the host it concerned, where the error says so */
  readonly host: string | null
  readonly cause: ErrorFacts | null
  /** the failures an AggregateError holds; null for any other */
  readonly errors: readonly ErrorFacts[] | null
}

const DEEPEST_CAUSE = 8
const MOST_ERRORS = 32
const LONGEST_MESSAGE = 2_000

/** Reads a thrown value: not only errors are thrown, and reading one must not throw again. */
export function factsOf(thrown: unknown, depth = 0): ErrorFacts {
  const errors = read(thrown, 'errors')
  const cause = read(thrown, 'cause')
  return {
    name: textOf(read(thrown, 'name')) ?? (thrown instanceof Error ? 'Error' : typeof thrown),
    message: messageOf(thrown),
    isNotExecuted: thrown instanceof Error && saysNotExecuted(thrown),
    code: textOf(read(thrown, 'code')),
    syscall: textOf(read(thrown, 'syscall')),
    host: textOf(read(thrown, 'hostname')) ?? textOf(read(thrown, 'address')),
    cause: cause === undefined || cause === null || depth >= DEEPEST_CAUSE ? null : factsOf(cause, depth + 1),
    errors:
      Array.isArray(errors) && depth < DEEPEST_CAUSE
        ? errors.slice(0, MOST_ERRORS).map(inner => factsOf(inner, depth + 1))
        : null,
  }
}

/** What was thrown, in one text of bounded length. */
function messageOf(thrown: unknown): string {
  const message = thrown instanceof Error ? textOf(read(thrown, 'message')) : null
  const text = message ?? printed(thrown)
  const shown = text === '' ? 'an error without a message' : text
  const whole = shown.toWellFormed().replaceAll('\0', '␀')
  return whole.length <= LONGEST_MESSAGE
    ? whole
    : `${whole.slice(0, LONGEST_MESSAGE).toWellFormed()}… (${whole.length} characters)`
}

function printed(thrown: unknown): string {
  try {
    if (typeof thrown !== 'object' || thrown === null) return `a thrown ${typeof thrown}: ${String(thrown)}`
    return `a thrown object: ${JSON.stringify(thrown)}`
  } catch {
    return 'a thrown value that cannot be shown'
  }
}

function read(thrown: unknown, name: string): unknown {
  if ((typeof thrown !== 'object' && typeof thrown !== 'function') || thrown === null) return undefined
  try {
    return Reflect.get(thrown, name)
  } catch {
    return undefined
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
