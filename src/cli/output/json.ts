import { isoTime } from '../../core/iso-time.js'
import type { JsonObject } from '../../core/json.js'

// JSON.stringify escapes C0 only. The rest that can move a cursor, reorder text or end a line goes out as \uXXXX, which
// every parser reads back as the same character: DEL and C1, zero width, bidi, line and paragraph separators, BOM, tags.
const HARMFUL =
  /[\u007F-\u009F\u00AD\u061C\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E0FFF}]/gu

/** JSON text that may be printed anywhere: the same value, with what could act on a terminal escaped. */
export function printableJson(json: string): string {
  return json.replace(HARMFUL, escaped)
}

/** What every document begins with. */
export function documentHead(
  { schema, ledger }: { schema: string; ledger: string | null },
  now: number,
): JsonObject {
  return { schema: `agent-ledger/${schema}`, ledger, as_of: isoTime(now) }
}

function escaped(char: string): string {
  let text = ''
  for (let i = 0; i < char.length; i++) text += `\\u${char.charCodeAt(i).toString(16).padStart(4, '0')}`
  return text
}
