import type { JsonValue } from '../../core/json.js'

export interface SplitOptions {
  /** paths of lists that are taken out of their documents, from the outside in: `events`, `history.events` */
  readonly lists?: readonly string[]
  /** no value larger than this is kept; it is said instead */
  readonly mostBytes?: number
}

/** `item` comes before the `value` it was taken out of, which has `[]` in its place. Offsets are bytes of UTF-8. */
export type JsonPiece =
  | {
      readonly kind: 'value'
      /** whole numbers that a JavaScript number cannot hold are texts with every digit */
      readonly value: JsonValue
      readonly offset: number
      /** 0, 1, 2, …: the outermost values in their order */
      readonly document: number
    }
  | {
      readonly kind: 'item'
      /** the path of its list */
      readonly list: string
      readonly value: JsonValue
      readonly offset: number
      readonly document: number
    }
  | {
      readonly kind: 'torn'
      readonly why: string
      /** the file ends here: its writer was stopped, or the copy was */
      readonly isCut: boolean
      readonly offset: number
      readonly document: number
    }
