import { canonicalize, sha256 } from './digest.js'
import type { JsonValue } from './json.js'
import { tooDeep } from './json-depth.js'

/** Largest result kept whole, in bytes of its canonical JSON; a larger one is kept by digest. */
export const LARGEST_RESULT = 256 * 1024

/** What of a handler's result goes into the ledger. */
export interface KeptResult {
  /** null where it is not kept, or where it is null itself */
  readonly result: JsonValue
  /** null for a handler that returned nothing, and for what JSON cannot hold */
  readonly result_digest: string | null
  readonly bytes: number
  /** why it is not kept whole; null where it is */
  readonly left_out: string | null
}

const UTF8 = new TextEncoder()

const NOTHING: KeptResult = { result: null, result_digest: null, bytes: 0, left_out: null }

/** Reads a returned value into what JSON can hold. It never throws: the effect happened, whatever was returned. */
export function keptResult(returned: unknown): KeptResult {
  if (returned === undefined) return NOTHING
  try {
    const text = JSON.stringify(returned)
    if (text === undefined) return { ...NOTHING, left_out: `JSON cannot hold a ${typeof returned}` }
    const result: JsonValue = JSON.parse(text)
    const canonical = canonicalize(result)
    const bytes = UTF8.encode(canonical).length
    const digest = sha256(canonical)
    const left_out =
      bytes > LARGEST_RESULT
        ? `it has ${bytes} bytes, at most ${LARGEST_RESULT} are kept`
        : tooDeep(canonical)
    if (left_out === null) return { result, result_digest: digest, bytes, left_out }
    return { result: null, result_digest: digest, bytes, left_out }
  } catch (error) {
    // Cycles, BigInt, a toJSON that throws, nesting too deep for the stack, text beyond what a string can hold.
    return {
      ...NOTHING,
      left_out: `JSON cannot hold it: ${error instanceof Error ? error.message : 'unknown'}`,
    }
  }
}
