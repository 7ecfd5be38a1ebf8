/** A value that JSON can hold. Absent values are `null` or left out, never `undefined`. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject

export interface JsonObject {
  readonly [name: string]: JsonValue
}

/** JSON in ASCII alone, so that no terminal, copy or encoding on its way changes it. */
export function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(/[\u007f-\uffff]/g, unit => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}
