/** A value that JSON can hold. Absent values are `null` or left out, never `undefined`. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject

export interface JsonObject {
  readonly [name: string]: JsonValue
}
