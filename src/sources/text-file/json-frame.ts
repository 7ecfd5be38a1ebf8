import type { JsonValue } from '../../core/json.js'
import { DEEPEST_JSON } from '../../core/json-depth.js'
import { parseForeignJson } from '../../core/parse-json.js'

/** A value that is being read. */
export interface Frame {
  readonly offset: number
  /** the brackets that are open */
  readonly open: number[]
  /** the keys that lead to where the reader stands, as deep as anybody asks for them */
  readonly keys: string[]
  awaitsKey: boolean
  parts: Buffer[]
  bytes: number
  isTooDeep: boolean
}

export function openFrame(offset: number): Frame {
  return { offset, open: [], keys: [], awaitsKey: false, parts: [], bytes: 0, isTooDeep: false }
}

/** Keeps the bytes, unless there are too many: then none. */
export function takeBytes(frame: Frame, bytes: Buffer, mostBytes: number): void {
  frame.bytes += bytes.length
  if (frame.bytes > mostBytes) frame.parts = []
  else if (bytes.length > 0) frame.parts.push(bytes)
}

export type Finished =
  | { readonly value: JsonValue; readonly problem?: undefined }
  | { readonly problem: string }

export function finished({ parts, bytes, isTooDeep }: Frame, mostBytes: number): Finished {
  if (bytes > mostBytes) return { problem: `a value of ${bytes} bytes is larger than what is kept` }
  if (isTooDeep) return { problem: `a value is nested more than ${DEEPEST_JSON} levels deep` }
  const text = (parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)).toString('utf8')
  const value = parseForeignJson(text)
  return value === undefined ? { problem: 'a value is no JSON' } : { value }
}
