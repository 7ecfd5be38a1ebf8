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

const DEEPEST = 4
const MOST_ERRORS = 16
const LONGEST_MESSAGE = 2_000

const UNREADABLE: ErrorFacts = {
  name: 'unknown',
  message: 'a thrown value that cannot be shown',
  isNotExecuted: false,
  code: null,
  syscall: null,
  host: null,
  cause: null,
  errors: null,
}

/** Reads a thrown value: not only errors are thrown, and reading one must not throw again. */
export function factsOf(thrown: unknown, depth = 0): ErrorFacts {
  try {
    const cause = read(thrown, 'cause')
    return {
      name: textOf(read(thrown, 'name')) ?? (thrown instanceof Error ? 'Error' : typeof thrown),
      message: messageOf(thrown),
      isNotExecuted: thrown instanceof Error && saysNotExecuted(thrown),
      code: textOf(read(thrown, 'code')),
      syscall: textOf(read(thrown, 'syscall')),
      host: textOf(read(thrown, 'hostname')) ?? textOf(read(thrown, 'address')),
      cause: cause === undefined || cause === null || depth >= DEEPEST ? null : factsOf(cause, depth + 1),
      errors: errorsIn(read(thrown, 'errors'), depth),
    }
  } catch {
    // A proxy may throw at any question.
    return UNREADABLE
  }
}

/** Errors that are too many or too deep to be read count as one that nobody can read, so as none of the definite. */
function errorsIn(errors: unknown, depth: number): readonly ErrorFacts[] | null {
  if (!Array.isArray(errors)) return null
  if (depth >= DEEPEST || errors.length > MOST_ERRORS) return [UNREADABLE]
  return errors.map(inner => factsOf(inner, depth + 1))
}

/** What was thrown, in one text of bounded length. */
function messageOf(thrown: unknown): string {
  const text =
    thrown instanceof Error
      ? (textOf(read(thrown, 'message')) ?? 'an error without a message')
      : printed(thrown)
  const whole = text.toWellFormed().replaceAll('\0', '␀')
  return whole.length <= LONGEST_MESSAGE
    ? whole
    : `${whole.slice(0, LONGEST_MESSAGE).toWellFormed()}… (${whole.length} characters)`
}

function printed(thrown: unknown): string {
  try {
    if (typeof thrown !== 'object' || thrown === null) return `a thrown ${typeof thrown}: ${String(thrown)}`
    return `a thrown object: ${JSON.stringify(thrown)}`
  } catch {
    return UNREADABLE.message
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
