import { lines as first } from './0001-lines.js'

/**
 * What a file holds after each step, as the JSON text of its schema's lines: openings compare it. Apart from the
 * steps, which only a writer needs, and as text, since loading what makes a digest of it costs a short command 5 ms.
 */
const SCHEMAS: readonly string[] = [first]

export const NEWEST_SCHEMA = SCHEMAS.length

/** undefined: there is no such version */
export function schemaText(version: number): string | undefined {
  return SCHEMAS[version - 1]
}
