import type { Typed } from './keys.js'

/** A line of text that is being typed, and where the cursor stands in it, in UTF-16 units. */
export interface TextField {
  readonly text: string
  readonly cursor: number
  /** offered, not typed: what is typed takes its place */
  readonly isOffered?: true
}

export const EMPTY: TextField = { text: '', cursor: 0 }

/** A text that stands there before anything was typed. */
export function offeredField(text: string): TextField {
  return { ...fieldOf(text), isOffered: true }
}

export function fieldOf(text: string): TextField {
  return { text, cursor: text.length }
}

/** What typing makes of it; null where the key means nothing here. */
export function typedInto(field: TextField, typed: Typed): TextField | null {
  const { text, cursor } = field
  if (typed.kind !== 'key') return inserted(field.isOffered ? EMPTY : field, oneLine(typed.text))
  switch (typed.key) {
    case 'left':
      return { text, cursor: before(field) }
    case 'right':
      return { text, cursor: after(field) }
    case 'home':
    case 'ctrl-a':
      return { text, cursor: 0 }
    case 'end':
      return { text, cursor: text.length }
    case 'backspace': {
      const from = before(field)
      return { text: text.slice(0, from) + text.slice(cursor), cursor: from }
    }
    case 'delete':
      return { text: text.slice(0, cursor) + text.slice(after(field)), cursor }
    case 'ctrl-u':
      return { text: text.slice(cursor), cursor: 0 }
    case 'ctrl-k':
      return { text: text.slice(0, cursor), cursor }
    case 'ctrl-w': {
      const kept = text.slice(0, cursor).replace(/\S+\s*$/, '')
      return { text: kept + text.slice(cursor), cursor: kept.length }
    }
    default:
      return null
  }
}

function inserted({ text, cursor }: TextField, more: string): TextField {
  return { text: text.slice(0, cursor) + more + text.slice(cursor), cursor: cursor + more.length }
}

// A line break in a paste is a blank: it sends nothing off. Controls have no place in a text.
function oneLine(text: string): string {
  return text.replace(/\r\n?|\n/g, ' ').replace(/\p{Cc}/gu, '')
}

function before({ text, cursor }: TextField): number {
  const step = /[\uDC00-\uDFFF]/.test(text[cursor - 1] ?? '') ? 2 : 1
  return Math.max(0, cursor - step)
}

function after({ text, cursor }: TextField): number {
  const step = /[\uD800-\uDBFF]/.test(text[cursor] ?? '') ? 2 : 1
  return Math.min(text.length, cursor + step)
}
