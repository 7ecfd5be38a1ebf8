import { actorWords } from '../../core/actor.js'

/**
 * What a report says, before it is decided how it looks: text, Markdown and any later form are printed from the same
 * page. Everything that did not come from this program stands in a part of its own, so that each form can make it
 * harmless in its own way.
 */
export interface Page {
  readonly title: readonly Part[]
  readonly sections: readonly Section[]
}

export interface Section {
  readonly heading: string
  /** a line under the heading that says how to read it */
  readonly intro?: readonly Part[]
  readonly entries: readonly Entry[]
  /** what it is to the reader, where a form can show that: to be found out, to be done, over */
  readonly tone?: Tone
}

export type Tone = 'doubt' | 'next' | 'past'

export interface Entry {
  readonly line: readonly Part[]
  /** lines that belong to it, indented */
  readonly details: readonly (readonly Part[])[]
  /** a form with pictures draws it */
  readonly isDrawn?: true
}

export type Part =
  /** our own words */
  | { readonly kind: 'words'; readonly text: string }
  /** a sentence that holds text of others */
  | { readonly kind: 'said'; readonly text: string }
  /** an id, a name, a value */
  | { readonly kind: 'name'; readonly text: string }
  /** somebody's own words, which may read like an order and must not */
  | { readonly kind: 'quote'; readonly text: string }
  /** a line to type */
  | { readonly kind: 'command'; readonly text: string }
  /** a time, ISO-8601 */
  | { readonly kind: 'time'; readonly at: string }

export function words(text: string): Part {
  return { kind: 'words', text }
}

export function said(text: string): Part {
  return { kind: 'said', text }
}

export function name(text: string): Part {
  return { kind: 'name', text }
}

/** Who decided or wrote, with where the name came from. */
export function who(actor: string): Part {
  return name(actorWords(actor))
}

export function quote(text: string): Part {
  return { kind: 'quote', text }
}

export function command(text: string): Part {
  return { kind: 'command', text }
}

export function time(at: string): Part {
  return { kind: 'time', at }
}

/** An entry; details that are empty are left out. */
export function entry(line: readonly Part[], ...details: readonly (readonly Part[])[]): Entry {
  return { line, details: details.filter(detail => detail.length > 0) }
}

/** What a picture says as well, for the forms that have none. */
export function drawn(one: Entry): Entry {
  return { ...one, isDrawn: true }
}

export function toned(tone: Tone, sections: readonly Section[]): Section[] {
  return sections.map(section => ({ ...section, tone }))
}

/** A section, or none where it has nothing to say. */
export function section(heading: string, entries: readonly Entry[], intro?: readonly Part[]): Section[] {
  if (entries.length === 0) return []
  return [{ heading, entries, ...(intro === undefined ? {} : { intro }) }]
}
