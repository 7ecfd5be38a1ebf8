import type { JsonObject, JsonValue } from '../../core/json.js'
import type { JsonPiece } from '../text-file/json-piece.js'
import { jsonValues } from '../text-file/json-values.js'
import { type Describe, describeOf } from './describe.js'
import { eventOf, type HistoryEvent, isForeignEvent } from './event.js'
import { field, isFields, listOf, textOf } from './fields.js'

/** One thing that stands in a file, in the order of the file. */
export type Entry =
  | {
      readonly kind: 'event'
      readonly event: HistoryEvent
      /** the document it stands in; null for an event that is a value of its own (a bare array, one a line) */
      readonly document: string | null
      readonly where: string
    }
  | { readonly kind: 'describe'; readonly describe: Describe }
  | {
      /** a history's document is over */
      readonly kind: 'end'
      readonly document: string
      /** the server has more pages of it */
      readonly hasMore: boolean
      /** the events are there only as the bytes of their messages */
      readonly isRaw: boolean
    }
  | { readonly kind: 'skipped'; readonly code: SkippedCode; readonly why: string; readonly where: string }

export type SkippedCode = 'torn' | 'cut_short' | 'not_an_event' | 'unknown_document' | 'other_engine'

/** Lists of events, as the shapes of the wild have them. */
export const EVENT_LISTS = ['events', 'history.events'] as const

export interface InputFile {
  readonly path: string
  /** to put before a place; empty where there is one file alone */
  readonly name: string
}

/** Throws `ledger_unreadable` where a file cannot be read. */
export async function* entriesOf(files: readonly InputFile[]): AsyncGenerator<Entry> {
  for (const { path, name } of files) {
    const before = name === '' ? '' : `${name}, `
    for await (const piece of jsonValues(path, { lists: EVENT_LISTS })) {
      const where = `${before}byte ${piece.offset}`
      const document = `${name}#${piece.document}`
      yield* piece.kind === 'torn' ? [torn(piece, where)] : entriesOfValue(piece, { document, where })
    }
  }
}

function torn(piece: JsonPiece & { readonly kind: 'torn' }, where: string): Entry {
  return { kind: 'skipped', code: piece.isCut ? 'cut_short' : 'torn', why: piece.why, where }
}

interface Place {
  readonly document: string
  readonly where: string
}

export function entriesOfValue(
  { kind, value }: Exclude<JsonPiece, { kind: 'torn' }>,
  { document, where }: Place,
): Entry[] {
  if (isForeignEvent(value))
    return [
      { kind: 'skipped', code: 'other_engine', why: 'an event of Cadence or of SWF, not of Temporal', where },
    ]
  const event = eventOf(value)
  if (event !== null && kind === 'item') return [{ kind: 'event', event, document, where }]
  if (event !== null) return [{ kind: 'event', event, document: null, where }]
  if (kind === 'item')
    return [{ kind: 'skipped', code: 'not_an_event', why: 'it has no event id or type', where }]
  return documentEntries(value, { document, where })
}

function documentEntries(value: JsonValue, { document, where }: Place): Entry[] {
  if (!isFields(value))
    return [
      { kind: 'skipped', code: 'unknown_document', why: 'it is no history and no describe answer', where },
    ]
  const found: Entry[] = []
  if (isHistory(value))
    found.push({
      kind: 'end',
      document,
      hasMore: textOf(value, 'nextPageToken') !== null,
      isRaw: listOf(value, 'rawHistory').length > 0,
    })
  const describe = describeOf(value)
  if (describe !== null) found.push({ kind: 'describe', describe })
  if (found.length > 0) return found
  return [
    { kind: 'skipped', code: 'unknown_document', why: 'it is no history and no describe answer', where },
  ]
}

function isHistory(value: JsonObject): boolean {
  return (
    Array.isArray(value.events) ||
    listOf(value, 'rawHistory').length > 0 ||
    Array.isArray(field(field(value, 'history'), 'events'))
  )
}
