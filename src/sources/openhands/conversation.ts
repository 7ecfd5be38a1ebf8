import { lstatSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { JsonObject } from '../../core/json.js'
import { parseForeignJson } from '../../core/parse-json.js'
import { objectOf, textOf } from '../json-parts.js'
import { shortDigest } from '../record-id.js'
import type { SourceFile } from '../source-file.js'
import { firstValues, locatedValues } from '../text-file/located-values.js'
import { eventFolder, eventsInFolder, smallFile } from './event-folder.js'
import { isV0Event } from './v0.js'
import { isV1Event } from './v1.js'
import type { Warned } from './warnings.js'
import { warned } from './warnings.js'

/** One conversation as it lies on the disk. */
export interface Conversation {
  readonly id: string
  readonly path: string
  readonly saver: 'event_folder' | 'event_lines' | 'trajectory'
  /** base_state.json; null where there is none, or it cannot be read */
  readonly state: JsonObject | null
  /** what is wrong beside the events */
  readonly warnings: readonly Warned[]
  /** the events in the order in which they were stored, with what had to be skipped */
  readonly events: () => AsyncIterable<FoundEvent | Warned>
}

export interface FoundEvent {
  readonly event: JsonObject
  readonly where: string
}

/** Lists under which trajectories keep their events. */
export const EVENT_LISTS = ['events', 'history', 'trajectory']

/** The conversations at a path, in the order of their names; none where it is something else. */
export function conversationsAt(file: SourceFile): Conversation[] {
  if (file.kind === 'file') {
    const conversation = inFile(file.path)
    return conversation === null ? [] : [conversation]
  }
  if (file.kind !== 'folder') return []
  const here = inFolder(file.path)
  if (here !== null) return [here]
  // ~/.openhands/conversations: a folder for each
  return readdirSync(file.path, { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
    .flatMap(name => inFolder(join(file.path, name)) ?? [])
}

function inFolder(path: string): Conversation | null {
  const folder = eventFolder(path)
  const home = folder === path ? dirname(path) : path
  const base = baseState(home)
  if (folder === null) {
    const lines = join(path, 'events.jsonl')
    const conversation = isPlainFile(lines) ? inFile(lines) : null
    if (conversation === null)
      return base.state?.execution_status === undefined ? null : withoutEvents(path, base)
    return { ...conversation, ...base, id: idIn(base.state, home) ?? conversation.id, path }
  }
  return {
    id: idIn(base.state, home) ?? firstIdIn(folder) ?? basename(home),
    path,
    saver: 'event_folder',
    ...base,
    events: () => eventsInFolder(folder),
  }
}

/** It was stopped before its first event. */
function withoutEvents(path: string, base: Pick<Conversation, 'state' | 'warnings'>): Conversation {
  const id = idIn(base.state, path) ?? basename(path)
  return { id, path, saver: 'event_folder', ...base, events: async function* () {} }
}

function inFile(path: string): Conversation | null {
  const first = firstEvent(path)
  if (first === null) return null
  return {
    id: shortDigest(JSON.stringify(first)),
    path,
    saver: isV1Event(first) ? 'event_lines' : 'trajectory',
    state: null,
    warnings: [],
    events: () => eventsInFile(path),
  }
}

async function* eventsInFile(path: string): AsyncGenerator<FoundEvent | Warned> {
  for await (const found of locatedValues(path, { lists: EVENT_LISTS })) {
    const { where } = found
    if (found.kind === 'skipped') {
      const code = found.code === 'torn_end' ? 'torn_end' : 'unreadable_event'
      yield warned(code, found.message, where)
      continue
    }
    let n = 0
    for (const event of eventsOf(found.value)) {
      n += 1
      if (event !== null) yield { event, where: event === found.value ? where : `${where} event ${n}` }
      else yield warned('not_an_event', 'it is no event of OpenHands', where)
    }
  }
}

/** The events in a value: it is one, or holds a list of them; null for what is neither. */
function* eventsOf(value: unknown): Generator<JsonObject | null> {
  const object = objectOf(value)
  const name = object === null ? undefined : EVENT_LISTS.find(list => Array.isArray(object[list]))
  if (object === null) yield null
  else if (isEvent(object)) yield object
  else if (name === undefined) yield null
  else if (Array.isArray(object[name])) for (const item of object[name]) yield* eventsOf(item)
}

export function isEvent(value: JsonObject): boolean {
  return isV1Event(value) || isV0Event(value)
}

function firstEvent(path: string): JsonObject | null {
  for (const value of firstValues(path, { lists: EVENT_LISTS }))
    for (const event of eventsOf(value)) if (event !== null) return event
  return null
}

function baseState(home: string): Pick<Conversation, 'state' | 'warnings'> {
  const path = join(home, 'base_state.json')
  if (!isPlainFile(path)) return { state: null, warnings: [] }
  const state = objectOf(parseForeignJson(smallFile(path) ?? ''))
  const unread = warned(
    'state_unreadable',
    'it is no JSON object: what it says is left out',
    'base_state.json',
  )
  return { state, warnings: state === null ? [unread] : [] }
}

/** The conversation's own id, else the folder's name where that is one: both are the same digits. */
function idIn(state: JsonObject | null, home: string): string | null {
  const own = textOf(state?.id)
  const name = basename(home)
  const id = own ?? (/^[0-9a-f-]{32,36}$/i.test(name) ? name : null)
  return id === null ? null : id.replaceAll('-', '').toLowerCase()
}

function firstIdIn(folder: string): string | null {
  const name = readdirSync(folder)
    .filter(file => file.endsWith('.json'))
    .sort()[0]
  const text = name === undefined ? null : smallFile(join(folder, name))
  return text === null ? null : shortDigest(JSON.stringify(parseForeignJson(text) ?? text))
}

function isPlainFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true
}
