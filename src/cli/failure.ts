import { ERROR_RULES, type ErrorCode, isLedgerError, LedgerError } from '../core/errors.js'
import type { Redactor } from '../core/redact/redact.js'
import { join, type Safe, safe, words } from '../core/safe-text.js'
import type { Paint } from './colour.js'
import { printableJson } from './output/json.js'
import { exitCodeOfSignal } from './signals.js'

/** error@1: what stderr carries with `--json`. */
export interface ErrorDocument {
  readonly schema: 'agent-ledger/error@1'
  readonly code: ErrorCode
  readonly message: string
  readonly id?: string
  readonly path?: string
  readonly rule?: string
  readonly facts?: Readonly<Record<string, unknown>>
  readonly hint: string
  readonly exit_code: number
}

/** Whatever was thrown, as one of our own errors. What is none is a bug and keeps its stack as the cause. */
export function toLedgerError(thrown: unknown): LedgerError {
  if (isLedgerError(thrown)) return thrown
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return new LedgerError('internal', message, { cause: thrown })
}

/** The exit code an error stands for: ERROR_RULES is the one table. What a signal interrupted ends with that signal's. */
export function exitCodeOf(error: LedgerError, signal: AbortSignal): number {
  return (error.code === 'declined' ? exitCodeOfSignal(signal) : null) ?? ERROR_RULES[error.code].exitCode
}

/** What to do next. Which help to read depends on the command, which the thrower of a usage error does not know. */
export function hintOf(error: LedgerError, command: string | undefined): string {
  if (error.code !== 'usage' || error.hint !== ERROR_RULES.usage.hint) return error.hint
  return command === undefined ? 'See agent-ledger --help.' : `See agent-ledger ${command} --help.`
}

interface Told {
  readonly hint: string
  readonly exitCode: number
}

/** The document for `--json`, one line, masked. */
export function errorJson(error: LedgerError, { hint, exitCode }: Told, redactor: Redactor): string {
  const document: ErrorDocument = {
    schema: 'agent-ledger/error@1',
    code: error.code,
    message: error.message,
    ...(error.id === undefined ? {} : { id: error.id }),
    ...(error.path === undefined ? {} : { path: error.path }),
    ...(error.rule === undefined ? {} : { rule: error.rule }),
    ...(error.facts === undefined ? {} : { facts: error.facts }),
    hint,
    exit_code: exitCode,
  }
  // Facts may be anything; what JSON makes of them is what can be masked.
  return printableJson(redactor.json(JSON.parse(JSON.stringify(document))))
}

interface LineShape {
  readonly hint: string
  readonly paint: Paint
  readonly withStack: boolean
}

/** The lines for people: what, to which id or path, what to do next; the stack of a bug when asked for. */
export function errorLines(error: LedgerError, { hint, paint, withStack }: LineShape): Safe {
  const label =
    error.code === 'declined' ? words`${safe(error.message)}` : words`error: ${safe(error.message)}`
  const lines = [paint.alarm(label)]
  for (const [name, fact] of Object.entries(error.facts ?? {})) {
    for (const one of Array.isArray(fact) ? fact : [fact])
      lines.push(words`  ${safe(name)}: ${factText(one)}`)
  }
  lines.push(words`hint: ${safe(hint)}`)
  if (withStack) lines.push(safe(stackOf(error), { multiline: true }))
  return join(lines, '\n')
}

function factText(fact: unknown): Safe {
  return safe(typeof fact === 'string' ? fact : JSON.stringify(fact))
}

function stackOf(error: LedgerError): string {
  const { cause } = error
  const inner = cause instanceof Error ? `\ncaused by ${cause.stack ?? cause.message}` : ''
  return `${error.stack ?? ''}${inner}`
}
