import type { Sink } from '../io.js'

/** Writes gathered to blocks: a system call a row would cost more than the row. */
export interface Buffer {
  /** false once nobody reads any more */
  readonly write: (text: string) => Promise<boolean>
  readonly end: () => Promise<boolean>
}

const BLOCK = 65_536

export function createBuffer(sink: Pick<Sink, 'write'>): Buffer {
  let held: string[] = []
  let size = 0
  const flush = () => {
    const text = held.join('')
    held = []
    size = 0
    return text === '' ? Promise.resolve(true) : sink.write(text)
  }
  return {
    write: async text => {
      held.push(text)
      size += text.length
      return size < BLOCK ? true : flush()
    },
    end: flush,
  }
}
