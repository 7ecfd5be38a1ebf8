import { DEEPEST_JSON } from '../../core/json-depth.js'
import { type Frame, finished, openFrame, takeBytes } from './json-frame.js'
import type { JsonPiece, SplitOptions } from './json-piece.js'

export type { JsonPiece, SplitOptions } from './json-piece.js'

const [QUOTE, BACKSLASH, NEWLINE, COMMA, COLON] = [0x22, 0x5c, 0x0a, 0x2c, 0x3a]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]
const MOST_KEY_BYTES = 64

export interface JsonSplitter {
  write(chunk: Buffer): void
  /** Says what was left open. */
  end(): void
}

/**
 * Finds where each value begins and ends, by its brackets and quotes alone, and parses it once it is whole. A value that is
 * torn (a line cut off, a bracket that does not fit) is given up, and the next one that begins is read again.
 */
export function createJsonSplitter(
  { lists = [], mostBytes = 33_554_432 }: SplitOptions,
  emit: (piece: JsonPiece) => void,
): JsonSplitter {
  const wanted = new Set(lists)
  const shallow = Math.max(0, ...lists.map(path => path.split('.').length))
  let state: 'between' | 'inside' | 'text' | 'bare' = 'between'
  let frame: Frame | null = null
  let outer: Frame | null = null
  let list = ''
  let isInArray = false
  let document = 0
  let isEscaped = false
  let key: number[] | null = null
  let before = 0
  let base = 0
  let from = 0
  let chunk: Buffer = Buffer.alloc(0)

  return { write, end }

  function write(bytes: Buffer): void {
    chunk = bytes
    from = 0
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i] ?? 0
      if (state === 'text') i = inText(i)
      else if (state === 'inside') inside(byte, i)
      else if (state === 'bare') i = inBare(byte, i)
      else between(byte, i)
    }
    if (frame !== null) takeBytes(frame, chunk.subarray(from), mostBytes)
    base += chunk.length
  }

  function end(): void {
    if (state === 'bare' && frame !== null && outer === null && !isInArray) return void finish(0, 0)
    if (frame === null && outer === null && !isInArray) return
    const offset = (outer ?? frame)?.offset ?? base
    emit({ kind: 'torn', why: 'the file ends before the value does', isCut: true, offset, document })
  }

  /** Before, between and after values: at the outermost level, in its array, or in a list that is taken out. */
  function between(byte: number, i: number): void {
    if (isSpace(byte) || byte === COMMA || byte === 0x1e) return
    if (byte === CLOSE_LIST && outer !== null) {
      frame = outer
      outer = null
      from = i
      state = 'inside'
      before = byte
      return
    }
    if (byte === CLOSE_LIST && isInArray) {
      isInArray = false
      return
    }
    if (byte === OPEN_LIST && outer === null && !isInArray) {
      isInArray = true
      return
    }
    if (byte === CLOSE_LIST || byte === CLOSE_OBJECT)
      return void tear('a bracket closes what was never opened', i)
    begin(byte, i)
  }

  function begin(byte: number, i: number): void {
    frame = openFrame(base + i)
    from = i
    key = null
    before = byte
    if (byte === QUOTE) state = 'text'
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      frame.open.push(byte)
      frame.awaitsKey = byte === OPEN_OBJECT
      state = 'inside'
    } else state = 'bare'
  }

  function inside(byte: number, i: number): void {
    if (frame === null || isSpace(byte)) return
    const { open } = frame
    const inObject = open.at(-1) === OPEN_OBJECT
    if (byte === QUOTE) {
      state = 'text'
      if (inObject && frame.awaitsKey && open.length <= shallow && outer === null) key = []
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      const fits = before === COLON || before === OPEN_LIST || (before === COMMA && !inObject)
      if (!fits) return void tear('a value begins inside another that was not finished', i, byte)
      if (byte === OPEN_LIST && outer === null && wanted.has(pathOf(frame))) return void takeOut(i)
      open.push(byte)
      frame.awaitsKey = byte === OPEN_OBJECT
      if (open.length > DEEPEST_JSON) frame.isTooDeep = true
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      if (inObject !== (byte === CLOSE_OBJECT)) return void tear('a bracket closes what another opened', i)
      frame.keys.length = Math.min(frame.keys.length, open.length - 1)
      open.pop()
      if (open.length === 0) return void finish(i + 1, i)
    } else if (byte === COMMA) frame.awaitsKey = inObject
    else if (byte === COLON) frame.awaitsKey = false
    before = byte
  }

  function inText(start: number): number {
    for (let i = start; i < chunk.length; i++) {
      const byte = chunk[i]
      if (isEscaped) isEscaped = false
      else if (byte === BACKSLASH) isEscaped = true
      else if (byte === QUOTE) {
        before = QUOTE
        if (frame !== null && frame.open.length === 0) finish(i + 1, i)
        else {
          if (frame !== null && key !== null)
            frame.keys[frame.open.length - 1] = Buffer.from(key).toString('utf8')
          key = null
          state = 'inside'
        }
        return i
      } else if (byte === NEWLINE) {
        tear('a line ends inside a text', i)
        return i
      }
      if (key !== null && key.length < MOST_KEY_BYTES && byte !== undefined) key.push(byte)
    }
    return chunk.length
  }

  function inBare(byte: number, i: number): number {
    if (!isSpace(byte) && byte !== COMMA && byte !== CLOSE_LIST && byte !== CLOSE_OBJECT) return i
    finish(i, i)
    return i - 1
  }

  /** The list is left empty in its document; its items come one by one. */
  function takeOut(i: number): void {
    if (frame === null) return
    takeBytes(frame, chunk.subarray(from, i + 1), mostBytes)
    list = pathOf(frame)
    outer = frame
    frame = null
    state = 'between'
  }

  function finish(until: number, at: number): void {
    if (frame === null) return
    takeBytes(frame, chunk.subarray(from, until), mostBytes)
    const { offset } = frame
    const result = finished(frame, mostBytes)
    frame = null
    from = at
    state = 'between'
    if (typeof result.problem === 'string')
      emit({ kind: 'torn', why: result.problem, isCut: false, offset, document })
    else if (outer !== null) emit({ kind: 'item', list, value: result.value, offset, document })
    else emit({ kind: 'value', value: result.value, offset, document: document++ })
  }

  /** Gives up all that is open and begins anew, with the byte at hand where a value can begin with it. */
  function tear(why: string, i: number, byte?: number): void {
    emit({ kind: 'torn', why, isCut: false, offset: (outer ?? frame)?.offset ?? base + i, document })
    document += 1
    frame = null
    outer = null
    isInArray = false
    isEscaped = false
    key = null
    state = 'between'
    if (byte === OPEN_OBJECT) begin(byte, i)
  }
}

function pathOf({ keys, open }: Frame): string {
  return open.length === keys.length && open.every(bracket => bracket === OPEN_OBJECT) ? keys.join('.') : ''
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === NEWLINE || byte === 0x0d || byte === 0x09
}
