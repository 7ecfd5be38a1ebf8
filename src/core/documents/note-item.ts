import { isoTime } from '../iso-time.js'
import type { JsonValue } from '../json.js'
import type { NoteItem } from './report.js'

/** A handoff note as the store keeps it. */
export interface NoteView {
  readonly note_id: number
  readonly kind: string
  readonly operation_id: string | null
  readonly body: JsonValue
  readonly at: number
  readonly actor: string
}

export function noteItem({ note_id, kind, operation_id, body, at, actor }: NoteView): NoteItem {
  return { note_id, kind, operation_id, body, at: isoTime(at), actor }
}
