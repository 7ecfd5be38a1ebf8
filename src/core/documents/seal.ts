import type { JsonObject } from '../json.js'

/** seal@1: a checkpoint over all events so far, or a new key for such checkpoints. */
export interface SealBody extends JsonObject {
  /** `sealed`; `nothing_new`: it is the last seal; `key_made` */
  readonly outcome: 'sealed' | 'nothing_new' | 'key_made'
  readonly origin: string | null
  readonly size: number | null
  /** base64 */
  readonly root: string | null
  /** events under the seal before */
  readonly before: number | null
  /** the signed note */
  readonly note: string | null
  /** the line that names the public key */
  readonly public_key: string
  /** the file of anchors, or of the new key */
  readonly output: string | null
}

export const SEAL_FIELDS = [
  'outcome',
  'origin',
  'size',
  'root',
  'before',
  'note',
  'public_key',
  'output',
] as const satisfies readonly (keyof SealBody)[]
