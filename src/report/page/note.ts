import type { NoteItem } from '../../core/documents/report.js'
import { textOf } from './attempts.js'
import { type Entry, entry, name, type Part, quote, time, who, words } from './page.js'

/** Who noted what: the finding or the question itself first, and what belongs to it after, each in its own quotes. */
export function noteEntry({ kind, body, at, actor }: NoteItem): Entry {
  return entry([
    name(kind),
    words(kind === 'summary' ? ' written by a model, and no evidence, ' : ', '),
    time(at),
    words(', '),
    who(actor),
    words(': '),
    ...bodyParts(kind, body),
  ])
}

function bodyParts(kind: string, body: NoteItem['body']): Part[] {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) return [quote(textOf(body))]
  const told = Object.entries(body).filter(([, value]) => value !== null)
  const sorted = told.toSorted(([a], [b]) => Number(b === kind) - Number(a === kind))
  if (sorted.length === 0) return [quote('')]
  return sorted.flatMap(([member, value], i) => [
    ...(i === 0 ? [] : [words('; ')]),
    ...(member === kind ? [] : [name(member), words(' ')]),
    quote(textOf(value)),
  ])
}
