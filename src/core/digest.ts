import { hash } from 'node:crypto'
import canonicalizeJson from 'canonicalize'
import { LedgerError } from './errors.js'
import type { JsonValue } from './json.js'
import type { Contract, Effect, Repeat } from './operation.js'

// JSON.stringify escapes a surrogate only where it stands alone; the escape's own backslash is not escaped itself.
const LONE_SURROGATE = /(?<!\\)(?:\\\\)*\\ud[89a-f]/

/**
 * RFC 8785 canonical JSON text. Throws `invalid_input` for what JSON cannot hold (cycles, lone surrogates,
 * NaN, functions), naming what it was.
 */
export function canonicalize(value: unknown): string {
  let text: string | undefined
  try {
    text = canonicalizeJson(value)
  } catch (cause) {
    throw new LedgerError(
      'invalid_input',
      `the value cannot be written as canonical JSON: ${messageOf(cause)}`,
      {
        hint: 'Give a plain JSON value: no cycles, no NaN, no lone surrogates.',
        cause,
      },
    )
  }
  if (text === undefined)
    throw new LedgerError('invalid_input', 'the value has no JSON form (undefined or a function)')
  if (text.includes('\\ud') && LONE_SURROGATE.test(text))
    throw new LedgerError('invalid_input', 'the value has a lone surrogate: it is no well-formed text')
  return text
}

/** `sha256:<hex>` of the text's UTF-8 bytes. */
export function sha256(text: string): string {
  return `sha256:${hash('sha256', text)}`
}

/** `sha256:<hex>` over the canonical form of the value. */
export function digestOf(value: unknown): string {
  return sha256(canonicalize(value))
}

/** The digest of an operation's input, without the volatile fields its tool's contract declares out (`a.b.c`). */
export function inputDigest(input: JsonValue, ignore: readonly string[] = []): string {
  return digestOf(ignore.reduce<JsonValue>((value, path) => without(value, path.split('.')), input))
}

/** Tools are few, and each operation names its contract. */
const contractDigests = new Map<string, string>()
const MOST_CONTRACTS = 1_000

export function contractDigest(effect: Effect | null, repeat: Repeat | null, contract: Contract): string {
  const declared = { effect, repeat, contract }
  const text = JSON.stringify(declared)
  const digest = contractDigests.get(text) ?? digestOf(declared)
  if (contractDigests.size < MOST_CONTRACTS) contractDigests.set(text, digest)
  return digest
}

/**
 * The idempotency key of an operation: derived from its id once, then stored. 28 characters that hold 128 bits: small
 * letters, digits and a dash, safe in any header and in names that ignore case.
 */
export function deriveIdempotencyKey(operationId: string): string {
  const half = hash('sha256', `idempotency-key:${operationId}`).slice(0, 32)
  return `al-${BigInt(`0x${half}`).toString(36).padStart(25, '0')}`
}

function without(value: JsonValue, path: readonly string[]): JsonValue {
  const [name, ...rest] = path
  if (name === undefined || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(item => without(item, path))
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => {
      if (key !== name) return [[key, item]]
      return rest.length === 0 ? [] : [[key, without(item, rest)]]
    }),
  )
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
