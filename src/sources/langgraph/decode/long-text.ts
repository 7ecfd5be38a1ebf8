import { createHash } from 'node:crypto'
import type { JsonObject } from '../../../core/json.js'
import { type Marked, marked, objectOf } from '../values.js'

// A state may hold pictures of many megabytes as text. Nothing that decides stands in a text so long, and each copy of it
// costs its size again.

/** A text longer than this, in bytes, is not held: what stands for it says how long it is, with its digest. */
export const LONGEST_HELD = 1 << 20
const SHOWN = 200
const OMITTED = '$omitted'

/** How base64 begins: the first bytes of these formats. */
const BASE64: readonly (readonly [string, string])[] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
]

/** What is shown of a text that is left out: a picture, or the text’s beginning; its size in bytes and its digest. */
export function omittedText(utf8: Uint8Array): JsonObject {
  const head = Buffer.from(utf8.subarray(0, 4 * SHOWN)).toString('utf8')
  const media =
    /^data:([\w.+-]+\/[\w.+-]+)[;,]/.exec(head)?.[1] ??
    BASE64.find(([begins]) => head.startsWith(begins))?.[1]
  const digest = `sha256:${createHash('sha256').update(utf8).digest('hex')}`
  const begins = `${head.slice(0, SHOWN).toWellFormed()}…`
  return { what: media ?? 'text', bytes: utf8.length, digest, ...(media === undefined ? { begins } : {}) }
}

/** The same where it stands inside a decoded value. */
export function omitted(utf8: Uint8Array): Marked {
  const { what, bytes, digest, begins } = omittedText(utf8)
  const parts = Object.entries({ what, bytes, digest, begins })
  return marked(OMITTED, {
    fields: objectOf(
      parts.flatMap(([name, part]) =>
        typeof part === 'string' || typeof part === 'number' ? [[name, part] as const] : [],
      ),
    ),
  })
}

export function isOmitted({ type }: Marked): boolean {
  return type === OMITTED
}
