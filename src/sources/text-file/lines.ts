import { textChunks } from './chunks.js'

const NEWLINE = 0x0a

export interface TextLine {
  /** null where the line is longer than the caller keeps */
  readonly text: string | null
  /** 1, 2, 3, … */
  readonly line: number
  /** of its first byte */
  readonly offset: number
  /** false for a last line without its newline: its writer may have been stopped inside it */
  readonly isWhole: boolean
}

/** The lines of a text file without their ends (`\n` or `\r\n`), one at a time. Throws `ledger_unreadable`. */
export async function* textLines(
  path: string,
  { mostBytes = 33_554_432 }: { readonly mostBytes?: number } = {},
): AsyncGenerator<TextLine> {
  let parts: Buffer[] = []
  let bytes = 0
  let line = 1
  let offset = 0
  const take = (part: Buffer) => {
    bytes += part.length
    if (bytes > mostBytes) parts = []
    else parts.push(part)
  }
  const finish = (isWhole: boolean): TextLine => {
    const text = bytes > mostBytes ? null : Buffer.concat(parts).toString('utf8').replace(/\r$/, '')
    const finished = { text, line, offset, isWhole }
    offset += bytes + 1
    line += 1
    parts = []
    bytes = 0
    return finished
  }
  for await (const chunk of textChunks(path)) {
    let from = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      take(chunk.subarray(from, end))
      yield finish(true)
      from = end + 1
    }
    if (from < chunk.length) take(chunk.subarray(from))
  }
  if (bytes > 0) yield finish(false)
}
