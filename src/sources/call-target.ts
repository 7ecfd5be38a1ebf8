import type { JsonValue } from '../core/json.js'
import { partOf, textOf } from './json-parts.js'

// Names under which tools of agents take what they act on.
const NAMES = ['path', 'file_path', 'filename', 'file', 'url', 'uri', 'target', 'repo', 'recipient', 'to']
const LONGEST = 1_000

/** What a tool call acts on, where its input names it in one of the usual ways. */
export function callTarget(input: JsonValue): string | null {
  for (const name of NAMES) {
    const text = textOf(partOf(input, name))
    if (text !== null && text.length <= LONGEST && !/[\p{Cc}]/u.test(text)) return text
  }
  return null
}
