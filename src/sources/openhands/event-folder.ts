import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { objectOf } from '../json-parts.js'
import { parsedText } from '../text-file/located-values.js'
import type { FoundEvent } from './conversation.js'
import { type Warned, warned } from './warnings.js'

// `event-00012-<uuid>.json` of V1 (persistence_const.py), `12.json` of V0.
const NAME = /^(?:event-(\d{5,})-[0-9a-fA-F-]{8,}|(\d{1,9}))\.json$/
const LARGEST = 32 << 20

/** The folder with the event files: the one named, or `events` in it; null where there is none. */
export function eventFolder(path: string): string | null {
  return [join(path, 'events'), path].find(hasEvents) ?? null
}

function hasEvents(folder: string): boolean {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return false
  const names = readdirSync(folder)
  const isNumbered = names.some(name => /^\d+\.json$/.test(name))
  return names.some(name => NAME.test(name) && (!isNumbered || basename(folder) === 'events'))
}

/** The events in the order of their numbers, which is that in which they were stored; names come in any order. */
export async function* eventsInFolder(folder: string): AsyncGenerator<FoundEvent | Warned> {
  const files = readdirSync(folder)
    .flatMap(name => {
      const [, v1, v0] = NAME.exec(name) ?? []
      return v1 === undefined && v0 === undefined ? [] : [{ name, index: Number(v1 ?? v0) }]
    })
    .sort((a, b) => a.index - b.index || (a.name < b.name ? -1 : 1))
  let next = files[0]?.index === 1 ? 1 : 0
  for (const { name, index } of files) {
    if (index > next) yield missing(next, index - 1)
    if (index < next) yield warned('same_number', `two files have the number ${index}`, name)
    next = index + 1
    yield eventIn(folder, name)
  }
}

function eventIn(folder: string, name: string): FoundEvent | Warned {
  const text = smallFile(join(folder, name))
  if (text === null) return warned('unreadable_event', 'the file cannot be read, or is no plain file', name)
  if (text.trim() === '') return warned('torn_end', 'the file is empty: its writer was stopped', name)
  const found = parsedText(text, name)
  if (found.kind === 'skipped') return warned('unreadable_event', found.message, name)
  const event = objectOf(found.value)
  return event === null ? warned('not_an_event', 'it is no event of OpenHands', name) : { event, where: name }
}

function missing(from: number, to: number): Warned {
  const which = from === to ? `event ${from} is` : `events ${from} to ${to} are`
  return warned('missing_event', `${which} missing: what they say is not known here`, `event ${from}`)
}

/** A plain file of a size that one event may have, as text; null where it is none or cannot be read. */
export function smallFile(path: string): string | null {
  try {
    const stats = lstatSync(path)
    return stats.isFile() && stats.size <= LARGEST ? readFileSync(path, 'utf8') : null
  } catch {
    return null
  }
}
