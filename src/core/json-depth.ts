import { LedgerError } from './errors.js'

/**
 * Deepest nesting that is written down. SQLite reads no JSON beyond 1,000 levels (JSON_MAX_DEPTH in its json.c), and
 * what is given stands some levels down in the bodies of events and evidence.
 */
export const DEEPEST_JSON = 500

/** Why a JSON text is nested too deeply to be written down; null where it is not. */
export function tooDeep(json: string): string | null {
  return json.length > 2 * DEEPEST_JSON && isDeeper(json)
    ? `it is nested more than ${DEEPEST_JSON} levels deep`
    : null
}

/** @throws LedgerError invalid_input naming what is nested too deeply */
export function checkDepth(json: string, what: string): void {
  const why = tooDeep(json)
  if (why !== null) throw new LedgerError('invalid_input', `${what}: ${why}`)
}

/** The same for a value. */
export function checkValueDepth(value: unknown, what: string): void {
  jsonText(value, what)
}

/**
 * The JSON text of a value; undefined for what has none. One nested so deeply that it cannot even be made a text is
 * too deep, too. @throws LedgerError invalid_input
 */
export function jsonText(value: unknown, what: string): string | undefined {
  let json: string | undefined
  try {
    json = JSON.stringify(value)
  } catch (cause) {
    const why = cause instanceof RangeError ? 'it is nested too deeply' : 'it cannot be written as JSON'
    throw new LedgerError('invalid_input', `${what}: ${why}`, { cause })
  }
  if (json !== undefined) checkDepth(json, what)
  return json
}

function isDeeper(json: string): boolean {
  let depth = 0
  let isInText = false
  for (let i = 0; i < json.length; i += 1) {
    const char = json[i]
    if (isInText) {
      if (char === '\\') i += 1
      else if (char === '"') isInText = false
    } else if (char === '"') isInText = true
    else if (char === '{' || char === '[') {
      depth += 1
      if (depth > DEEPEST_JSON) return true
    } else if (char === '}' || char === ']') depth -= 1
  }
  return false
}
